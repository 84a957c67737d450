"""What one page of each kind looks like inside `<main>`, in both languages."""

import pytest

from sitegen.catalog import read_catalogs
from sitegen.pages.every import pages
from sitegen.render import theme_folder
from sitegen.sources import load
from tests.plugins.sites import PROJECT
from tests.sitegen.pages import commits_sample, compared_sample, parity_sample
from tests.sitegen.pages.kinds import DETAIL_PAGE, DETAILS
from tests.sitegen.pages.sample import PAGES, main_of, steady


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", PAGES)
def test_page_of_each_kind_is_as_expected(site, golden, kind, language):
    golden(f"pages/{kind}.{language}.html", steady(main_of(site[f"{language}/{PAGES[kind]}"])))


def test_page_above_the_languages_is_as_expected(site, golden):
    golden("pages/root.html", steady(main_of(site["index.html"])))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_that_attempts_share_is_as_expected(paged_site, golden, language):
    page = (paged_site / language / DETAIL_PAGE).read_text(encoding="utf-8")

    golden(f"pages/{DETAILS}.{language}.html", steady(main_of(page)))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", compared_sample.PAGES)
def test_page_of_a_comparison_is_as_expected(compared_site, golden, kind, language):
    page = (compared_site / language / compared_sample.PAGES[kind]).read_text(encoding="utf-8")

    golden(f"pages/{kind}.{language}.html", compared_sample.same_everywhere(steady(main_of(page))))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", parity_sample.PAGES)
def test_page_of_a_parity_study_is_as_expected(parity_site, golden, kind, language):
    page = (parity_site / language / parity_sample.PAGES[kind]).read_text(encoding="utf-8")

    golden(f"pages/{kind}.{language}.html", parity_sample.same_everywhere(steady(main_of(page))))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", ["parity-study", "parity-run"])
def test_page_with_decisions_of_the_owner_is_as_expected(decided_site, golden, kind, language):
    page = (decided_site / language / parity_sample.PAGES[kind]).read_text(encoding="utf-8")

    golden(f"pages/{kind}-decided.{language}.html", parity_sample.same_everywhere(steady(main_of(page))))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", commits_sample.PAGES)
def test_page_of_a_study_of_two_commits_is_as_expected(commits_site, golden, kind, language):
    page = (commits_site / language / commits_sample.PAGES[kind]).read_text(encoding="utf-8")

    golden(f"pages/{kind}.{language}.html", commits_sample.same_everywhere(steady(main_of(page))))


def test_every_template_of_a_page_is_among_the_kinds_of_page(full_site):
    theme = {path.name for path in theme_folder().glob("*.html") if 'extends "base.html"' in path.read_text("utf-8")}
    views = pages(load(full_site.parent / PROJECT), "en", read_catalogs()["en"])

    assert theme == {view.template for view in views} | {f"{DETAILS}.html"}
