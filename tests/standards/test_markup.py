"""Every page is valid HTML: by a parser that follows the standard's algorithm, and by the rules of its elements."""

import shutil

import html5lib
import pytest

from tests.plugins.sites import PROJECT
from tests.sitegen.pages.compared_sample import PAGES as COMPARED
from tests.sitegen.pages.kinds import DETAIL_PAGE, places
from tests.sitegen.pages.parity_sample import PAGES as PARITY
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


@pytest.fixture(scope="module")
def one_of_each(full_site, paged_site, compared_site, parity_site):
    """One page of each kind in each language, those of single study kinds, and the page above the languages."""
    found = places(full_site.with_name(PROJECT))
    every = [full_site / path for path in found.values()]
    assert len(every) > 35
    compared = (compared_site / language / path for path in COMPARED.values() for language in ("en", "zh"))
    parity = (parity_site / language / path for path in PARITY.values() for language in ("en", "zh"))
    return [*every, *compared, *parity, *(paged_site / language / DETAIL_PAGE for language in ("en", "zh"))]


def errors_of(every) -> dict[str, list[str]]:
    """The parse errors of those pages that have some."""
    found = {str(path): parse_errors(path.read_text(encoding="utf-8")) for path in every}
    return {path: errors for path, errors in found.items() if errors}


def test_no_kind_of_page_has_a_parse_error(one_of_each):
    assert errors_of(one_of_each) == {}


@pytest.mark.long
def test_no_page_has_a_parse_error(full_site, shared_pages):
    every = pages(full_site) + pages(shared_pages)

    assert len(every) > 80
    assert errors_of(every) == {}


def test_each_kind_of_page_keeps_the_rules_of_its_elements(one_of_each, validate: Validate):
    assert validate(*one_of_each) == []


@pytest.mark.long
def test_every_page_keeps_the_rules_of_its_elements(full_site, shared_pages, validate: Validate):
    assert validate(full_site, shared_pages) == []


def test_a_broken_page_is_found_by_both_wherever_it_lies(full_site, validate: Validate, tmp_path):
    broken = ("en/index.html", "zh/attempts/index.html", "index.html")
    for place in broken:
        page = tmp_path / place
        page.parent.mkdir(parents=True, exist_ok=True)
        whole = (full_site / place).read_text(encoding="utf-8")
        page.with_name("whole.html").write_text(whole, encoding="utf-8")
        page.write_text(whole.replace("</main>", f"{BROKEN}</main>"), encoding="utf-8")

        assert parse_errors(whole) == []
        assert parse_errors(page.read_text(encoding="utf-8")) != []

    found = validate(tmp_path)
    said = "<span> element is not permitted as content under <ul> (element-permitted-content)"
    for place in broken:
        assert any(line.startswith(f"{tmp_path / place}:") and line.endswith(said) for line in found), place
    assert not [line for line in found if "whole.html" in line]
