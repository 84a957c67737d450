"""What one page of each kind looks like inside `<main>`, in both languages."""

import pytest

from tests.sitegen.pages.sample import PAGES, main_of, steady


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", PAGES)
def test_page_of_each_kind_is_as_expected(site, golden, kind, language):
    golden(f"pages/{kind}.{language}.html", steady(main_of(site[f"{language}/{PAGES[kind]}"])))


def test_page_above_the_languages_is_as_expected(site, golden):
    golden("pages/root.html", steady(main_of(site["index.html"])))
