"""The table of many rows as a reader uses it: its address, its keys, its CSV, without scripts, and on paper."""

import csv
import io

import pytest

from sitegen.tables import NoNumber
from tests.browser.grid import COUNT, FRAME, GRID, ROWS, acted, column, ready
from tests.sitegen.pages.sample import PAGES, UNPUBLISHED
from tests.sitegen.tables.made import a_table

pytestmark = pytest.mark.browser
TABLE = PAGES["attempt-table"]
LANGUAGES = ("en", "zh")
HOSTILE = "</script><img src=x onerror=alert(1)><svg onload=alert(2)>\u202e\x1b[31m`"


def test_the_address_keeps_the_view_and_the_language_switch_takes_it_along(disk, tab):
    with tab(disk / "en" / TABLE) as visit:
        page = ready(visit)
        acted(page, lambda: page.click(".chip[data-value=rejected]"))
        acted(page, lambda: page.fill("[data-words]", "kept TOOL"))
        acted(page, lambda: page.click("[data-sort=duration]"))
        acted(page, lambda: page.click("[data-sort=duration]"))
        page.click(".choose-columns summary")
        page.check(".choose-columns input[value=trial]")
        page.uncheck(".choose-columns input[value=reason]")
        shown = "attempt,outcome,task,trial,duration,processes,line"
        wanted = f"?q=kept%20TOOL&outcome=rejected&sort=-duration&columns={shown}"
        page.wait_for_url(f"**/index.html{wanted}")
        rows = page.locator(ROWS).all_inner_texts()
        address = page.url
        page.goto(address)
        ready(visit)
        assert page.locator(ROWS).all_inner_texts() == rows
        assert page.locator("[data-words]").input_value() == "kept TOOL"
        assert not page.locator(".choose-columns input[value=reason]").is_checked()
        page.click("[data-language-switch]")
        page.wait_for_url(f"**/zh/{TABLE}{wanted}")
        ready(visit)
        assert column(page, 1) == [row.split("\t")[0] for row in rows]
        assert visit.faults() == []


def test_an_address_with_what_the_table_does_not_know_shows_all_rows(disk, tab):
    with tab(disk / "en" / TABLE, fragment="?outcome=perfect&sort=beauty&arm=&columns=price") as visit:
        page = ready(visit)
        assert page.locator(COUNT).inner_text() == "12 of 12 rows"
        assert page.locator(f"{GRID} thead th").count() == 1
        assert visit.faults() == []


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__"])
def test_names_that_every_script_object_has_are_words_like_others(disk, pages, tab, name):
    address = f"?outcome={name}&sort={name}&columns={name},outcome"
    with tab(disk / "en" / TABLE, fragment=address) as visit:
        page = ready(visit)
        assert page.locator(COUNT).inner_text() == "12 of 12 rows"
        assert page.locator(ROWS).count() == 12
        assert page.locator(f"{GRID} thead th").count() == 2
        acted(page, lambda: page.fill("[data-words]", name))
        assert page.locator(COUNT).inner_text() == "0 of 12 rows"
        assert visit.faults() == []
    with tab(pages(a_table([1, 2], outcomes=[name, "other"]))["en"], fragment=f"?outcome={name}") as visit:
        page = ready(visit)
        assert column(page, 1) == ["row.1"]
        acted(page, lambda: page.click("[data-clear]"))
        acted(page, lambda: page.fill("[data-words]", name))
        assert column(page, 1) == ["row.1"]
        assert visit.faults() == []


def test_copied_csv_is_what_is_shown_in_its_order_with_plain_numbers(disk, tab):
    with tab(disk / "en" / TABLE) as visit:
        page = ready(visit)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        acted(page, lambda: page.click(".chip[data-value=rejected]"))
        acted(page, lambda: page.click("[data-sort=attempt]"))
        acted(page, lambda: page.click("[data-sort=attempt]"))
        page.click("[data-csv]")
        page.wait_for_selector("[data-csv]:has-text('Copied')")
        text = page.evaluate("navigator.clipboard.readText()")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert [row["Attempt"] for row in rows] == column(page, 1)
        assert list(rows[0]) == ["Attempt", "Outcome", "Reason", "Task", "Duration (ns)", "Processes", "Line"]
        assert all(int(row["Duration (ns)"]) > 0 and row["Outcome"] == "rejected" for row in rows)


def test_copied_csv_never_begins_a_cell_with_what_a_spreadsheet_computes(pages, tab):
    with tab(pages(a_table([-5, NoNumber.minus_infinity], text="=1+1,\t"))["en"]) as visit:
        page = ready(visit)
        made = page.evaluate("""() => {
          const rows = new window.sealbookTable(window.sealbookRows, "en");
          rows.byKey.value.words = { "minus-infinity": "-inf" };
          return rows.csv(new Uint32Array([0, 1]), ["attempt", "at", "value"], ["@x", "y", "z"]);
        }""")
        assert made == "'@x,y,z\r\nrow.1,\"'=1+1,\u2409\",-5\r\nrow.2,\"'=1+1,\u2409\",'-inf\r\n"


def test_keys_move_a_row_cursor_through_all_rows_and_open_one(pages, tab):
    path = pages(a_table(list(range(5000))))["en"]
    path.with_name("row.5000.html").write_text("<!doctype html><title>x</title>")
    with tab(path) as visit:
        page = ready(visit)
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.matches('[data-words]')")
        page.locator(GRID).focus()
        seen = page.evaluate(
            "document.querySelector('.window').clientHeight - document.querySelector('thead').offsetHeight"
        )
        below = 2 + seen // 32 - 1
        moves = [
            ("ArrowDown", 1),
            ("ArrowDown", 2),
            ("PageDown", below),
            ("ArrowUp", below - 1),
            ("End", 5000),
            ("Home", 1),
        ]
        for key, number in moves:
            page.keyboard.press(key)
            page.evaluate(FRAME)
            current = page.locator(f"{ROWS}.cursor")
            assert current.locator("th").inner_text() == f"row.{number}"
            assert current.get_attribute("aria-rowindex") == str(number + 1)
            assert page.locator(GRID).get_attribute("aria-activedescendant") == current.get_attribute("id")
            seen = current.bounding_box()
            window = page.locator(".window").bounding_box()
            assert window["y"] + 30 < seen["y"] + 1
            assert seen["y"] + seen["height"] <= window["y"] + window["height"] + 1
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.wait_for_url("**/row.5000.html")


def test_scrolling_draws_the_rows_that_come_into_view(pages, tab):
    with tab(pages(a_table(list(range(5000))))["en"]) as visit:
        page = ready(visit)
        assert page.locator(GRID).get_attribute("aria-rowcount") == "5001"
        heights = page.locator(ROWS).evaluate_all("(all) => [...new Set(all.map((row) => row.offsetHeight))]")
        assert heights == [32]
        page.evaluate("document.querySelector('.window').scrollTop = 32 * 2500")
        page.wait_for_selector(f"{ROWS}[aria-rowindex='2502']")
        assert page.locator(ROWS).count() < 100
        inside = page.locator(f"{ROWS}[aria-rowindex='2502']").bounding_box()
        assert 0 <= inside["y"] - page.locator(".window").bounding_box()["y"] <= 64


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_first_rows_stand_there_and_all_are_one_link_away(pages, tab, language):
    with tab(pages(a_table(list(range(600))))[language], script=False) as visit:
        page = visit.page
        assert page.locator("#attempts tbody tr:visible").count() == 100
        rest = page.locator("[id='attempts.rest']")
        assert "600" in rest.inner_text()
        assert rest.locator("a").get_attribute("href") == "../../data/rows.csv"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gone", ["data/rows.js", "assets/table-columns.js", "assets/table-rows.js"])
def test_rows_that_cannot_be_loaded_leave_the_static_table_and_a_word_about_it(pages, tab, language, gone):
    path = pages(a_table([1, 2, 3]))[language]
    (path.parents[2] / gone).unlink()
    with tab(path) as visit:
        page = visit.page
        page.wait_for_selector("[data-missing]:visible")
        assert "rows.js" in page.locator("[data-missing]").inner_text()
        assert page.locator("#attempts tbody tr:visible").count() == 3
        assert not page.locator("[data-controls]").is_visible()


@pytest.mark.report("A17")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_string_in_every_column_executes_nothing(pages, tab, language):
    table = a_table([1, 2], name=HOSTILE, outcomes=[HOSTILE, "b"], text=HOSTILE, arms=(HOSTILE, "c"))
    with tab(pages(table)[language]) as visit:
        page = ready(visit)
        shown = "</script><img src=x onerror=alert(1)><svg onload=alert(2)>⟦U+202E⟧␛[31m"
        named, *others = page.locator(f"{ROWS}:first-child > *").all_inner_texts()
        assert named == f"{shown}`.1"
        assert [cell.rstrip("`") for cell in others[:3]] == [shown] * 3
        acted(page, page.locator(".chip").first.click)
        acted(page, lambda: page.click("[data-sort=at]"))
        acted(page, lambda: page.fill("[data-words]", "onerror"))
        assert page.locator("main img, main svg[onload]").count() == 0
        assert visit.faults() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cell_of_the_matrix_leads_to_its_rows_with_and_without_scripts(disk, tab, language):
    with tab(disk / language / PAGES["run"]) as visit:
        visit.page.locator(".matrix a.cell[href*='feature=']").first.click()
        visit.page.wait_for_url(f"**/{UNPUBLISHED}/index.html?arm=tool&feature=identity*")
        page = ready(visit)
        assert column(page, 1) == ["tool.identity-kept.1"]
        assert visit.faults() == []
    with tab(disk / language / PAGES["run"], script=False) as visit:
        visit.page.locator(".matrix a.cell[href*='feature=']").first.click()
        assert "tool.identity-kept.1" in visit.page.locator(":target").inner_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_table_is_printed_and_not_the_window(disk, tab, language):
    with tab(disk / language / TABLE) as visit:
        page = ready(visit)
        page.emulate_media(media="print")
        assert page.locator("#attempts tbody tr:visible").count() == 12
        assert not page.locator(GRID).is_visible()
        assert not page.locator("[data-printed]").is_visible()


@pytest.mark.parametrize(("language", "words"), [("en", "3 of 12 rows match"), ("zh", "共 12 行，其中 3 行符合条件")])
def test_a_filtered_table_is_printed_as_filtered_and_says_so(disk, tab, language, words):
    address = "?outcome=rejected,timed-out"
    with tab(disk / language / TABLE, fragment=address) as visit:
        page = ready(visit)
        page.wait_for_selector("[data-summed='3']")
        names = column(page, 1)
        page.emulate_media(media="print")
        assert page.locator("#attempts tbody tr:visible th").all_inner_texts() == names
        assert words in page.locator("[data-printed]").inner_text()
        page.emulate_media(media="screen")
        acted(page, lambda: page.click("[data-clear]"))
        page.wait_for_selector("[data-summed='12']")
        page.emulate_media(media="print")
        assert page.locator("#attempts tbody tr:visible").count() == 12
        assert not page.locator("[data-printed]").is_visible()
        assert visit.faults() == []
