"""Expected pictures of pages: `picture("result.en.light.1280", png)` compares with tests/goldens/screens.

Pictures are kept with few colours, so that hundreds of them stay small. Two pictures are alike as long as no more than
`TOLERATED` of their pixels differ by more than `SEEN`: smoothing of edges is let through, a line of text is not. What
differs is left in tests/actual/screens, as it was expected, as it is, and where the two differ. Fonts and the browser
are part of every picture; with other ones than `MADE_WITH` says the tests skip, because each letter would differ.
"""

import json
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.plugins.goldens import updating, write

SCREENS = "screens"
MADE_WITH = "made-with.json"
COLOURS = 256
SEEN = 48
"""A difference of this much in one channel, of 255, can be seen."""
TOLERATED = 0.002
"""This part of a picture may differ, two pixels of a thousand: less than one word of a page."""
FADED = (255, 255, 255)
MARKED = (200, 0, 120)

Picture = Callable[[str, bytes], str]


def few_colours(picture: Image.Image) -> Image.Image:
    """The picture with `COLOURS` colours, in which a flat one stays what it is, however rare."""
    return picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def unlike(expected: Image.Image, actual: Image.Image) -> Image.Image:
    """Where two pictures of one size differ to the eye: white there, black elsewhere."""
    channels = ImageChops.difference(expected.convert("RGB"), actual.convert("RGB")).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    return most.point(lambda value: 255 if value > SEEN else 0)


def part(mask: Image.Image) -> float:
    """How much of a picture differs, from 0 to 1."""
    return mask.histogram()[255] / (mask.width * mask.height)


def side_by_side(expected: Image.Image, actual: Image.Image, mask: Image.Image) -> Image.Image:
    """What was expected, what is there, and where they differ."""
    where = Image.blend(actual.convert("RGB"), Image.new("RGB", actual.size, FADED), 0.7)
    where.paste(MARKED, mask=mask)
    board = Image.new("RGB", (3 * actual.width, actual.height))
    for place, shown in enumerate((expected.convert("RGB"), actual.convert("RGB"), where)):
        board.paste(shown, (place * actual.width, 0))
    return board


def as_png(picture: Image.Image) -> bytes:
    """The bytes of a picture."""
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


@pytest.fixture(scope="session")
def picture(pytestconfig: pytest.Config) -> Picture:
    """Compare a picture with the expected one of this name; says what is wrong, or nothing."""
    tests = pytestconfig.rootpath / "tests"

    def compare(name: str, png: bytes) -> str:
        wanted: Path = tests / "goldens" / SCREENS / f"{name}.png"
        actual = few_colours(Image.open(BytesIO(png)))
        if updating():
            before = Image.open(wanted) if wanted.is_file() else None
            if before is None or before.size != actual.size or part(unlike(before, actual)) > 0:
                write(wanted, as_png(actual))  # what the eye takes for the same stays, byte for byte
            return ""
        left = tests / "actual" / SCREENS / f"{name}.png"
        if not wanted.is_file():
            write(left, as_png(actual))
            return f"no picture {name} yet: look at {left}, then run `make golden`"
        expected = Image.open(wanted)
        if expected.size != actual.size:
            write(left, as_png(actual))
            return f"{actual.size[0]} × {actual.size[1]}, not {expected.size[0]} × {expected.size[1]}: {left}"
        mask = unlike(expected, actual)
        if part(mask) <= TOLERATED:
            return ""
        write(left, as_png(side_by_side(expected, actual, mask)))
        return f"{part(mask):.2%} of the picture differ: look at {left}; if this is right: make golden"

    return compare


@pytest.fixture(scope="session")
def made_with(pytestconfig: pytest.Config) -> Callable[[list[str]], None]:
    """Skip if the fonts that pages are shown with are others than those of the expected pictures."""
    record = pytestconfig.rootpath / "tests" / "goldens" / SCREENS / MADE_WITH

    def check(fonts: list[str]) -> None:
        if updating():
            write(record, (json.dumps({"fonts": fonts}, indent=2) + "\n").encode())
            return
        wanted = json.loads(record.read_text(encoding="utf-8"))["fonts"] if record.is_file() else fonts
        if fonts != wanted:
            reason = f"expected pictures were made with {', '.join(wanted)}; this machine shows {', '.join(fonts)}"
            if os.environ.get("SEALBOOK_REQUIRE_TOOLS") == "1":
                pytest.fail(f"{reason} (SEALBOOK_REQUIRE_TOOLS is set)", pytrace=False)
            pytest.skip(reason)

    return check
