"""The license matrix of all studies can be read whole, counted by state, and filtered where scripts run."""

import re

import pytest

from sitegen.build import build
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import a_project
from tests.studies import a_study

pytestmark = pytest.mark.browser
PAGE = "licenses/index.html"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Two studies: one row in one of them has a text, all others are declared only."""
    root = a_project(tmp_path_factory.mktemp("licenses"))
    a_study(root / "manifests", study="tiny-two", subjects=("one", "two"), found=("two",))
    out = tmp_path_factory.mktemp("licenses-site") / "out"
    build(root, out)
    return out


def test_counts_of_all_studies_stand_above_and_add_up(site):
    main = main_of((site / "en" / PAGE).read_text(encoding="utf-8"))
    above = main.partition('id="licenses.counts"')[2].partition("</dl>")[0]
    counts = re.findall(r'<span class="word">([^<]*)</span></span> (\d+)', above)

    assert dict(counts) == {
        "cleared": "0",
        "text found": "1",
        "conflict": "0",
        "declared only": "2",
        "text only": "0",
        "unknown": "0",
    }
    assert main.count("<tr data-state=") == 3


def test_a_chip_shows_the_rows_of_one_state_and_a_second_press_all(site, tab):
    with tab(site / "en" / PAGE) as visit:
        rows = visit.page.locator("tr[data-state]:visible")
        assert rows.count() == 3
        visit.page.click(".chip[data-value=text-found]")
        assert rows.count() == 1
        assert visit.page.locator("section[data-rows]:visible h2").all_inner_texts() == ["Tiny study"]
        assert visit.page.locator("[data-shown]").inner_text() == "1 / 3"
        visit.page.click(".chip[data-value=declared-only]")
        assert rows.count() == 2
        assert visit.page.locator(".chip[aria-pressed=true]").count() == 1
        visit.page.click(".chip[data-value=declared-only]")
        assert rows.count() == 3
        assert visit.faults() == []


def test_without_scripts_every_row_is_there_and_no_control_that_does_nothing(site, tab):
    with tab(site / "zh" / PAGE, script=False) as visit:
        assert visit.page.locator("tr[data-state]:visible").count() == 3
        assert visit.page.locator(".chip:visible").count() == 0


def test_facts_that_exist_in_english_alone_say_so_on_the_chinese_page(site):
    zh = main_of((site / "zh" / PAGE).read_text(encoding="utf-8"))
    en = main_of((site / "en" / PAGE).read_text(encoding="utf-8"))

    assert '<span lang="en">METADATA, License-Expression</span>' in zh
    assert 'lang="en"' not in en
