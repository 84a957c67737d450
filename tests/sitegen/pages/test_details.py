"""Attempts of a large run share pages, a hundred each: every one at its anchor, with all that is recorded of it."""

import re
from itertools import islice

import pytest

from runner.reading.sealed import open_run
from sitegen.build import measure_site
from sitegen.catalog import read_catalogs
from sitegen.pages import place
from sitegen.pages.attempt_place import PER_PAGE, attempt_place
from sitegen.pages.attempt_table import attempt_table
from sitegen.pages.details import DetailPages, blocks
from sitegen.pages.edition import edition
from sitegen.pages.evidence import SHOWN_COMMITMENTS, SHOWN_FILES, EvidencePage, evidence_pages
from sitegen.pages.report import SHOWN_FINDINGS, report
from sitegen.pages.search import search_page
from sitegen.render import renderer
from sitegen.sources import RunSource, load
from tests.bench.synthetic_run import write_project, write_run
from tests.factories import ScriptedKind, a_sealed_run
from tests.sitegen.projects import a_project
from tests.studies import a_study

LARGE = 2_400


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("large") / "project"
    write_project(root, LARGE)
    return load(root)


@pytest.fixture(scope="module")
def run(site):
    return site.studies[0].runs[0]


def test_attempts_share_pages_from_two_thousand_on(tmp_path):
    sealed = open_run(write_run(tmp_path / "run", 60))

    assert RunSource(sealed, published=True).paged_from == 2_000
    for limit, shared in ((61, False), (60, True)):
        run = RunSource(sealed, published=True, paged_from=limit)
        assert attempt_place(run, next(iter(sealed.lines))).startswith("details/") is shared


def test_below_two_thousand_attempts_each_has_a_page_of_its_own(tmp_path):
    run = RunSource(open_run(write_run(tmp_path / "run", 60)), published=True)
    name = next(iter(run.sealed.lines))

    assert attempt_place(run, name) == f"attempts/{run.sealed.run.study}/{run.id}/{name}.html"
    assert place.part(attempt_place(run, name), "times").endswith(f"/{name}.html#times")


def test_from_two_thousand_on_a_hundred_share_a_page_and_each_has_anchors_of_its_own(run):
    names = list(run.sealed.lines)

    for line, number in ((1, "0001"), (100, "0001"), (101, "0002"), (LARGE, "0024")):
        name = names[line - 1]
        assert attempt_place(run, name) == f"details/{run.sealed.run.study}/{run.id}/{number}.html#{name}"
        assert place.part(attempt_place(run, name), "line").endswith(f"{number}.html#{name}.line")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_shows_all_that_is_recorded_of_its_attempts(site, run, language):
    catalog = read_catalogs()[language]
    made = DetailPages([edition(site, language, catalog)])
    (second,) = made.pages(next(islice(blocks(site), 1, None)))
    markup = renderer().page(second, catalog)

    assert len(second.attempts) == PER_PAGE
    ids = re.findall(r' id="([^"]+)"', markup)
    assert len(ids) == len(set(ids))
    sealed = run.sealed
    for name in list(sealed.lines)[100:200]:
        assert {name, f"{name}.line", f"{name}.times"} <= set(ids)
        for record in (sealed.attempt(name), sealed.timing(name)):
            assert record.canonical().decode().replace('"', "&#34;") in markup
        part = markup[markup.index(f'id="{name}"') : markup.index(f'id="{name}.times"')]
        assert part.count(f'href="#{name}.line"') == 7
        assert part.count(f'href="#{name}.times"') == 2
        assert all(f"<code>{item.id}</code>" in part for item in sealed.attempt(name).criteria)
        assert all(event.step in part for event in sealed.events(name) if hasattr(event, "step"))
    assert second.before is not None
    assert second.before.target.endswith("/0001.html")
    assert second.after is not None
    assert second.after.target.endswith("/0003.html")


def test_the_table_leads_to_the_anchors(run):
    table = attempt_table(run)
    codes, templates = table.names.targets.codes, table.names.targets.templates

    assert len(templates) == LARGE // PER_PAGE
    assert re.fullmatch(r"\.\./\.\./\.\./details/.*/0002\.html#.+", templates[codes[100]])


def test_lists_that_grow_with_the_run_stop_and_say_where_the_rest_is(site, run):
    catalog = read_catalogs()["en"]
    made = edition(site, "en", catalog)
    told = report(made, run)
    found = len(run.sealed.run.analysis.findings)

    assert len(told.findings) == SHOWN_FINDINGS < found
    assert told.further is not None
    assert told.further.said == f"{found - SHOWN_FINDINGS} more findings are not shown here."
    assert told.further.every.target.endswith(f"/{run.id}/index.html?outcome=rejected")
    _, page = evidence_pages(made)
    assert isinstance(page, EvidencePage)
    assert len([file for file in page.files if "/" in file.link.words]) == SHOWN_FILES
    assert page.count == len(run.sealed.files)
    assert (len(page.commitments), page.kept_back, page.further_commitments) == (5, 5, 0)
    assert [link.target for link in search_page(made).left_out] == [
        "en/" + place.attempts(run.sealed.run.study, run.id)
    ]


def test_commitments_beyond_the_limit_are_counted_and_the_file_with_all_is_named(tmp_path):
    root = a_project(tmp_path)
    frozen = a_study(root / "manifests", trials=9)
    kind = ScriptedKind(private={"diagnostics.txt": b"kept back\n"})
    sealed = a_sealed_run(root, frozen, kind, started_at="2026-12-01T00:00:00Z")
    catalog = read_catalogs()["en"]
    found = {
        page.run: page for page in evidence_pages(edition(load(root), "en", catalog)) if isinstance(page, EvidencePage)
    }
    page = found[sealed.run.run]
    markup = renderer().page(page, catalog)

    further = len(sealed.attempts) - SHOWN_COMMITMENTS
    assert further > 0
    assert (len(page.commitments), page.kept_back, page.further_commitments) == (100, len(sealed.attempts), further)
    assert f"{further} more attempts have commitments" in markup


@pytest.mark.long
def test_every_link_and_anchor_of_a_large_site_leads_somewhere(tmp_path):
    write_project(tmp_path / "project", LARGE)

    made, digests = measure_site(tmp_path / "project")

    details = [path for path in digests if path.startswith("en/details/")]
    assert len(details) == LARGE // PER_PAGE
    assert not [path for path in digests if re.fullmatch(r"en/attempts/.+/.+/(?!index).*\.html", path)]
    assert made.pages > 2 * len(details)
