"""The pages of a study of two commits: eight fields, what is not qualified, what else was open, and no daemon."""

import json
import re

import pytest

from sitegen.catalog import read_catalogs
from sitegen.sources import LANGUAGES, load
from tests.commit_parities import STUDY
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.commits_sample import LATER, PAGES
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
FIELDS = ("owner", "legacy", "bridge", "calls", "product", "scaffolding", "facade", "proof")
RUNS = ("commits-run", "commits-later-run")


@pytest.fixture(scope="module")
def pages(commits_site) -> dict[tuple[str, str], str]:
    """The part of each page that shows the change, by language and kind."""
    found = {}
    for language in LANGUAGES:
        for kind, path in PAGES.items():
            page = (commits_site / language / path).read_text(encoding="utf-8")
            found[language, kind] = re.split(r'<h2 id="(?:report\.)?change">', page)[1].split("<h2", maxsplit=1)[0]
    return found


@pytest.fixture(scope="module")
def project(commits_site):
    return load(commits_site.parent / PROJECT)


def text(markup: str) -> str:
    """What a reader reads."""
    return " ".join(re.sub("<[^>]+>", " ", markup).replace("\u00a0", " ").split())


def fields(page: str) -> dict[str, str]:
    """Name and words of every field."""
    (listed,) = re.findall(r'<dl class="facts">(.*?)</dl>', page, re.DOTALL)
    return {text(name): text(said) for name, said in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", listed, re.DOTALL)}


@pytest.mark.rule("P133")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", PAGES)
def test_the_receipt_has_its_eight_fields_in_one_order_and_says_what_nobody_supplied(pages, language, kind):
    say = CATALOGS[language].say
    found = fields(pages[language, kind])

    assert list(found) == [say(f"change.{name}") for name in FIELDS]
    for name in ("calls", "facade"):
        assert found[say(f"change.{name}")] == say("change.not-supplied")


@pytest.mark.rule("P133")
def test_a_run_counts_product_code_apart_and_says_what_it_came_to(pages):
    found = fields(pages["en", "commits-run"])

    assert found["Product code, net change"] == "−3 lines: 3 added and 6 deleted, 9 in all, in 3 files"
    assert found["Legacy semantic code deleted"].startswith("The shim. 5 lines deleted; changed product files there: 1")
    assert found["Correctness and performance"] == "Correctness: the same Performance: every gate kept"
    assert text(pages["en", "commits-run"]).count("All together 7 9 11 −2 20 1") == 1
    assert "fixtures 1 – – – – 1" in text(pages["en", "commits-run"])


@pytest.mark.parametrize("kind", RUNS)
def test_the_numbers_of_each_changed_file_are_those_of_run_json_at_the_place_they_name(pages, project, kind):
    run = json.loads(project.run(STUDY, RUN if kind == "commits-run" else LATER).sealed.data("run.json"))
    bounds = re.findall(r'<a class="bound"[^>]*title="run\.json (/facts[^"]+)">([^<]+)</a>', pages["en", kind])

    changed = [item for item in run["facts"]["variants"][1]["changes"] if item["change"]["lines"] == "counted"]
    assert len(bounds) == 2 * len(changed)
    for pointer, shown in bounds:
        *_, number, _, key = pointer.split("/")
        assert str(run["facts"]["variants"][1]["changes"][int(number)]["change"][key]) == shown


@pytest.mark.rule("P135")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", PAGES)
def test_every_page_of_the_study_says_that_later_main_is_not_qualified(pages, project, language, kind):
    plan = project.study(STUDY).frozen.study if kind != "commits-run" else project.run(STUDY, RUN).sealed.plan.study
    commit = plan.design.commits["head"]

    assert CATALOGS[language].say("change.later-main", commit=commit[:8]) in text(pages[language, kind])
    assert f'aria-label="{commit}"' in pages[language, kind]


def test_the_statement_on_later_main_says_that_a_combination_needs_a_validation_of_its_own():
    assert "combination needs a validation of its own" in CATALOGS["en"].say("change.later-main", commit="x")
    assert "每一种组合都须另行验证" in CATALOGS["zh"].say("change.later-main", commit="x")


@pytest.mark.rule("P136")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_inventory_that_nobody_supplied_is_not_supplied_and_never_none(pages, language):
    say = CATALOGS[language].say
    found = text(pages[language, "commits-run"])

    assert f"{say('overlap.title')} {say('change.not-supplied')}" in found
    assert say("overlap.not-supplied") in found
    assert say("overlap.none-open") not in found


@pytest.mark.rule("P136")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_inventory_is_shown_with_its_instant_source_and_what_each_open_change_shares(pages, language):
    say = CATALOGS[language].say
    page = pages[language, "commits-later-run"].split(say("overlap.title"))[1]
    rows = [text(row) for row in re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", page)]

    assert say("overlap.supplied", instant="2026-01-02 00:00:00 UTC") in text(page)
    missing = say("change.not-supplied")
    assert rows == [
        f"#7 Count lines, too {'7' * 8} … {'7' * 32} tally/core.py",
        f"#8 Say it in the README {missing} {missing}",
        f"#9 Another license {missing} {say('overlap.no-file')}",
    ]


@pytest.mark.parametrize(("language", "word"), [("en", "daemon"), ("zh", "守护")])
def test_a_study_without_a_daemon_has_no_part_about_one(commits_site, language, word):
    places = [path for path in (commits_site / language).rglob("*.html") if STUDY in path.as_posix()]
    shown = {path: path.read_text(encoding="utf-8").split("<main", maxsplit=1)[1] for path in places}

    assert len(places) > 8
    assert [path.name for path, page in shown.items() if word in page.lower() and "evidence/" not in str(path)] == []


def test_programs_get_the_receipt_with_what_is_not_supplied_said_so(commits_site):
    def receipts(run: str) -> dict:
        (path,) = (commits_site / "data" / "attempts" / STUDY / run).glob("receipts.json")
        return json.loads(path.read_bytes())

    earlier, later = (receipts(run)["changes"][0] for run in (RUN, LATER))
    assert list(earlier["fields"]) == sorted(earlier["fields"])
    assert len(earlier["fields"]) == 8
    assert earlier["fields"]["product_net"]["counted"] == {
        "files": 3,
        "files_without_lines": 0,
        "added": 3,
        "deleted": 6,
        "net": -3,
        "gross": 9,
    }
    assert earlier["fields"]["facade_exit"] == {"known": "not-supplied"}
    assert (earlier["overlap"], earlier["later_main_qualified"]) == ({"known": "not-supplied"}, False)
    assert [item["touches"] for item in later["overlap"]["changes"]] == [
        {"known": "listed", "shared": ["tally/core.py"]},
        {"known": "not-supplied"},
        {"known": "listed", "shared": []},
    ]
    assert [item.get("commit") for item in receipts(RUN)["variants"]] == [
        earlier["base_commit"],
        earlier["head_commit"],
    ]
