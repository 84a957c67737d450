"""Pictures of pages are compared as an eye would: a word that changes is seen, the smoothing of an edge is not."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from tests.infrastructure.test_plugins import run_tests
from tests.plugins.pictures import TOLERATED, few_colours, part, side_by_side, unlike

SEAL = (168, 50, 31)
PAPER, INK = (251, 250, 247), (29, 31, 35)
TEST = """
from pathlib import Path

def test_page(picture):
    assert picture("page", Path("page.png").read_bytes()) == ""
"""


def a_page(words: str = "7 of 12 were accepted", *, ink: tuple[int, int, int] = INK) -> Image.Image:
    """A small page with a line of text and a seal."""
    page = Image.new("RGB", (360, 240), PAPER)
    ImageDraw.Draw(page).text((20, 20), words, fill=ink, font_size=20)
    page.paste(SEAL, (340, 20, 346, 26))
    return page


def test_a_rare_colour_is_kept():
    kept = few_colours(a_page()).convert("RGB").getpixel((342, 22))

    assert isinstance(kept, tuple)
    assert max(abs(one - other) for one, other in zip(kept, SEAL, strict=True)) <= 8


def test_another_word_is_seen_and_marked_beside_both_pictures():
    mask = unlike(few_colours(a_page()), few_colours(a_page("9 of 12 were rejected")))

    assert part(mask) > TOLERATED
    board = side_by_side(a_page(), a_page("9 of 12 were rejected"), mask)
    assert board.size == (3 * 360, 240)
    assert (200, 0, 120) in {board.getpixel((x, y)) for x in range(720, 1080) for y in range(20, 50)}


def test_a_slightly_other_shade_of_every_letter_is_not_seen():
    other = a_page(ink=(INK[0] + 20, INK[1] + 20, INK[2] + 20))

    assert part(unlike(few_colours(a_page()), few_colours(other))) == 0


def test_a_failure_in_a_colour_of_alarm_is_seen():
    calm, alarmed = a_page(ink=(130, 84, 0)), a_page(ink=(230, 20, 20))

    assert part(unlike(few_colours(calm), few_colours(alarmed))) > TOLERATED


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (a_page("9 of 12 were rejected"), "of the picture differ: look at"),
        (a_page().crop((0, 0, 360, 200)), "360 × 200, not 360 × 240"),
    ],
)
def test_a_picture_that_differs_fails_and_is_left_to_look_at(tmp_path, other, told):
    plugins = '["tests.plugins.goldens", "tests.plugins.pictures"]'
    (tmp_path / "conftest.py").write_text(f"pytest_plugins = {plugins}")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nmarkers =\n  golden: a\n")
    (tmp_path / "test_page.py").write_text(TEST)
    a_page().save(tmp_path / "page.png")
    assert "1 passed" in run_tests(tmp_path, "-m", "golden", SEALBOOK_GOLDEN="update").stdout
    kept = (tmp_path / "tests/goldens/screens/page.png").read_bytes()

    data = BytesIO()
    other.save(data, "PNG")
    (tmp_path / "page.png").write_bytes(data.getvalue())
    run = run_tests(tmp_path)

    assert run.returncode == 1
    assert told in run.stdout
    assert (tmp_path / "tests/actual/screens/page.png").is_file()
    assert (tmp_path / "tests/goldens/screens/page.png").read_bytes() == kept
