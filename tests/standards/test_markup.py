"""Every page is valid HTML: by a parser that follows the standard's algorithm, and by the rules of its elements."""

import shutil

import html5lib
import pytest

from tests.standards.conftest import Validate

BROKEN = "<h1>Broken</h1><p><div>a block in a paragraph</div></p><ul><span>no item</span></ul>"


def pages(folder):
    """Every page below `folder` but those that a subject left as evidence."""
    return sorted(path for path in folder.rglob("*.html") if path.relative_to(folder).parts[0] != "evidence")


def parse_errors(markup: str) -> list[str]:
    """What the parser of the standard complains about, with line and column."""
    parser = html5lib.HTMLParser()
    parser.parse(markup)
    return [f"line {line}, column {column}: {code} {data or ''}" for (line, column), code, data in parser.errors]


@pytest.fixture(scope="module")
def shared_pages(paged_site, tmp_path_factory):
    """A folder with the pages that attempts share, and nothing else."""
    folder = tmp_path_factory.mktemp("shared")
    for language in ("en", "zh"):
        shutil.copytree(paged_site / language / "details", folder / language / "details")
    return folder


def test_no_page_has_a_parse_error(full_site, shared_pages):
    every = pages(full_site) + pages(shared_pages)
    found = {path: parse_errors(path.read_text(encoding="utf-8")) for path in every}

    assert len(found) > 80
    assert {str(path): errors for path, errors in found.items() if errors} == {}


def test_every_page_keeps_the_rules_of_its_elements(full_site, shared_pages, validate: Validate):
    assert validate(full_site, shared_pages) == []


@pytest.mark.parametrize("place", ["en/index.html", "zh/attempts/index.html", "index.html"])
def test_a_broken_page_is_found_by_both(full_site, validate: Validate, tmp_path, place):
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(full_site / place, tmp_path / place)
    assert validate(tmp_path) == []

    page = tmp_path / place
    page.write_text(page.read_text(encoding="utf-8").replace("</main>", f"{BROKEN}</main>"), encoding="utf-8")

    assert parse_errors(page.read_text(encoding="utf-8")) != []
    found = " ".join(validate(tmp_path))
    assert f"{place}:" in found
    assert "<span> element is not permitted as content under <ul> (element-permitted-content)" in found
