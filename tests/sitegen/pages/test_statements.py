"""What pages say about runs, their limits and what was not run."""

import html
import re
from posixpath import dirname, join, normpath

import pytest

from sitegen.catalog import read_catalogs
from tests.sitegen.pages.sample import PAGES, UNPUBLISHED, main_of
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
REPORTS = ("result", "run")


def text_of(page: str) -> str:
    """The words of a page's `<main>` as a reader sees them."""
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main_of(page))).split())
    return re.sub(r" (?=[.,;:])", "", words)


def report_pages(site: dict[str, str], language: str) -> list[str]:
    """Every page that reports a run."""
    found = [
        text_of(page)
        for path, page in site.items()
        if re.match(rf"{language}/(results/2026-11-30|runs/[^.]+\.html)", path)
    ]
    assert len(found) == len(REPORTS)
    return found


@pytest.mark.rule("R17")
def test_every_report_says_that_crashes_are_scripted_and_hosts_are_logical(site):
    for page in report_pages(site, "en"):
        assert "at the scripted boundaries and nowhere else" in page
        assert "exact version pinned" in page
        assert "Nothing is said about the reasoning of agents" in page
        assert "an installation distributed over machines" in page
        assert "Logical hosts are two paths on one machine, not two physical hosts." in page
    for page in report_pages(site, "zh"):
        assert "崩溃只发生在预设的边界上" in page
        assert "不是两台物理主机" in page


@pytest.mark.rule("R18")
def test_every_report_says_that_supplied_verification_commands_are_only_recorded(site):
    for page in report_pages(site, "en"):
        assert "supplied as verification are kept as recorded evidence" in page
        assert "They were not executed on its word, and nothing attests to them." in page
    for page in report_pages(site, "zh"):
        assert "只作为证据留存" in page


@pytest.mark.rule("R21")
def test_every_report_is_a_qualification_and_neither_a_reproduction_nor_a_benefit(site):
    for page in report_pages(site, "en"):
        assert "This is a qualification on the machine of its authors." in page
        assert "not a reproduction by somebody else, and it is no proof of benefit" in page
    for page in report_pages(site, "zh"):
        assert "不是他人的独立重现，也不证明有任何收益" in page


@pytest.mark.rule("R22")
def test_every_report_keeps_recovery_apart_from_accepted_code(site):
    for page in report_pages(site, "en"):
        assert "A tool that recovers has recovered. That is never the same as code that was accepted." in page
    for page in report_pages(site, "zh"):
        assert "绝不等同于代码被接受" in page


@pytest.mark.rule("R6")
def test_a_subject_without_public_source_is_said_to_be_planned_and_not_run(site):
    for path in ("index.html", "protocols/tiny/1.0.html", "studies/tiny/index.html"):
        assert "Its source is not public." in text_of(site[f"en/{path}"])
    assert "Planned and not run:" in text_of(site["en/protocols/tiny/1.0.html"])


@pytest.mark.report("A1")
def test_attempts_that_failed_to_run_stay_in_the_denominator_of_the_headline(site):
    page = text_of(site[f"en/{PAGES['run']}"])

    # Of 12 planned attempts 2 were rejected, 2 failed to run and 1 timed out.
    assert "7 of 12 planned attempts were accepted; 2 did not meet a criterion" in page
    assert "7/9" not in page
    assert re.search(r"planned 12 = . accepted 7 . rejected 2 . failed to run 2 . timed out 1 ", page)


def test_the_strip_holds_the_same_numbers_as_its_text(site):
    page = site[f"en/{PAGES['run']}"]
    widths = [int(width) for width in re.findall(r'class="part" x="\d+" y="0" width="(\d+)"', page)]

    assert sum(widths) == 1000
    assert len(widths) == 4


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_of_an_unpublished_run_says_so(site, language):
    said = CATALOGS[language].say("unpublished.title")
    word = CATALOGS[language].say("publication.unpublished")
    for path, page in site.items():
        if path.startswith(f"{language}/") and UNPUBLISHED in path:
            assert word in text_of(page), path
            # Two runs side by side state it of each of them.
            assert (said in text_of(page)) is ("..." not in path), path
        elif path.startswith(f"{language}/") and RUN in path:
            assert said not in text_of(page), path


def test_a_result_without_a_run_says_that_it_was_not_run_and_shows_no_number(site):
    page = main_of(site[f"en/{PAGES['result-not-run']}"])

    assert "There is no run behind this page" in page
    assert 'class="bound"' not in page


def test_a_finding_stands_with_what_was_expected_and_what_was_observed(site):
    page = main_of(site[f"en/{PAGES['run']}"])

    for attempt in ("tool.identity-kept.1", "tool.hold-expiry-kept.1"):
        assert f">{attempt}</a>" in page
    assert page.count('<span class="name">Expected</span><pre class="wrap">exit 0</pre>') == 2
    assert page.count('<span class="name">Observed</span><pre class="wrap">exit 1</pre>') == 2


def test_every_bound_number_leads_to_a_place_that_quotes_the_same_value(site):
    for path, page in site.items():
        for target, anchor, value in re.findall(r'<a class="bound" href="([^"#]*)#([^"]+)"[^>]*>([^<]+)</a>', page):
            if not target or not anchor.startswith("run.json."):
                continue
            quoted = site[_joined(path, target)]
            found = re.search(
                rf'id="{re.escape(anchor)}"[^>]*>(?:<td><code>[^<]+</code></td><td[^>]*>)?([^<]+)<', quoted
            )
            assert found is not None, (path, anchor)
            assert found[1] == value, (path, anchor)


def _joined(path: str, target: str) -> str:
    return normpath(join(dirname(path), target))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_hold_no_words_of_the_other_language(site, language):
    """Titles and messages come from one catalog: a Chinese page has no English sentence of ours, nor the reverse."""
    other = "zh" if language == "en" else "en"
    foreign = {
        forms[0]
        for key, forms in CATALOGS[other].messages.items()
        if "{" not in forms[0]
        and (forms[0].count(" ") > 1 or (language == "en" and len(forms[0]) > 12))
        and forms != CATALOGS[language].messages[key]
    }
    for kind, path in PAGES.items():
        words = text_of(site[f"{language}/{path}"])
        assert not [message for message in foreign if message in words], kind
