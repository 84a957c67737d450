"""Decisions on holds as pages show them: beside the hold, which stays, with who, when, why and the sealed record."""

import json
import re
import shutil
from dataclasses import replace

import pytest

from runner.contract.seal import DECISION_FILE, SEAL_FILE, digest
from sitegen.build import build
from sitegen.catalog import read_catalogs
from sitegen.errors import SiteError
from sitegen.pages.decided import disposition_mark, held_runs, how_far
from sitegen.pages.edition import edition
from sitegen.pages.home import home_page
from sitegen.pages.parity.result import parity_result
from sitegen.pages.status import status, status_view
from sitegen.sources import LANGUAGES, load
from tests.decided import FINDING, FIRST, GATES, SECOND, decided, forged
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import LATER, PAGES, STUDY
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
EARLY, LATE = "20261202T030405Z", "20261203T040506Z"
SHOWN = {"parity-study": "holds", "parity-run": "report.holds"}
WORDS = {
    "en": ("version not taken", "accepted as it is", "The full command is too slow for the editors that wait for it."),
    "zh": ("不采用该版本", "按现状接受", "完整命令太慢，编辑器等不起。"),
}


@pytest.fixture(scope="module")
def site(decided_site):
    return load(decided_site.parent / PROJECT)


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", markup).split())


def holds(decided_site, language: str, kind: str) -> str:
    page = (decided_site / language / PAGES[kind]).read_text(encoding="utf-8")
    return page.split(f'id="{SHOWN[kind]}"')[1].split("<h2", maxsplit=1)[0]


def lines(shown: str) -> list[str]:
    """The holds of the one run that is held."""
    return re.findall(r"<li>.*?</li>", shown.split("<ul>")[1].split("</ul>", maxsplit=1)[0], re.DOTALL)


@pytest.mark.rule("P121")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", SHOWN)
def test_each_hold_stays_with_its_decisions_in_order_of_time_or_without_any(decided_site, language, kind):
    first, second, finding = lines(holds(decided_site, language, kind))
    not_taken, accepted, _ = WORDS[language]
    say = CATALOGS[language].say

    assert first.count("tone-hold") == second.count("tone-hold") == 1, "a hold with a decision is a hold"
    assert first.index(not_taken) < first.index(accepted)
    assert first.index("Ada Example") < first.index("Bo Example")
    assert text(first).count(say("decision.later")) == 1
    assert first.index("Ada Example") < first.index(say("decision.later")) < first.index("Bo Example")
    assert say("decision.none-on-this") in second
    assert not_taken not in second
    assert FINDING in finding
    assert (not_taken in finding, accepted in finding) == (True, False)
    assert re.findall(r'href="#([^"]+)"', first) == [f"decision.{EARLY}", f"decision.{LATE}"]


@pytest.mark.rule("P121")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", SHOWN)
def test_each_decision_stands_whole_with_the_digest_of_the_file_that_the_site_has(decided_site, language, kind):
    shown = holds(decided_site, language, kind)
    for name, when in ((EARLY, "2026-12-02 03:04:05 UTC"), (LATE, "2026-12-03 04:05:06 UTC")):
        (whole,) = re.findall(rf'<li id="decision\.{name}">.*?</li>', shown, re.DOTALL)
        assert when in whole
        for file in (DECISION_FILE, SEAL_FILE):
            place = decided_site / "evidence" / STUDY / "decisions" / name / file
            source = decided_site.parent / PROJECT / "manifests" / STUDY / "decisions" / name / file
            assert place.read_bytes() == source.read_bytes()
            assert f"decisions/{name}/{file}" in whole
            assert f'data-copy="{digest(place.read_bytes())}"' in whole
    assert WORDS[language][2] in shown
    say = CATALOGS[language].say
    assert say("decision.after", when="2026-12-02 03:04:05 UTC") in text(shown)
    assert say("decision.identity") in shown
    assert say("holds.no-decision") not in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_evidence_page_of_the_run_lists_the_records_beside_its_own_files(decided_site, language):
    page = (decided_site / language / "evidence" / STUDY / f"{RUN}.html").read_text(encoding="utf-8")
    listed = page.split('id="decisions"')[1].split("<h2")[0]
    for name in (EARLY, LATE):
        data = (decided_site / "evidence" / STUDY / "decisions" / name / DECISION_FILE).read_bytes()
        assert f'/evidence/{STUDY}/decisions/{name}/{DECISION_FILE}"' in listed
        assert digest(data) in listed
    other = (decided_site / language / "evidence" / STUDY / f"{LATER}.html").read_text(encoding="utf-8")
    assert 'id="decisions"' not in other


@pytest.mark.rule("P120", "P121")
def test_no_decision_changes_the_disposition_a_verdict_or_a_figure(decided_site, parity_site):
    def told(site):
        receipts = json.loads((site / f"data/attempts/{STUDY}/{RUN}/receipts.json").read_bytes())
        result = json.loads((site / f"data/runs/{STUDY}/{RUN}/result.json").read_bytes())
        changing = {"published", "decisions", "holds", "files"}
        figures = result["values"]
        own = {key: value for key, value in receipts.items() if key not in changing}
        return own, figures, result["run"]["disposition"], [hold["name"] for hold in receipts["holds"]]

    assert told(decided_site) == told(parity_site)
    assert told(decided_site)[2] == "owner-review-hold"


def test_programs_get_each_hold_with_its_decisions_and_each_decision_whole(decided_site):
    receipts = json.loads((decided_site / f"data/attempts/{STUDY}/{RUN}/receipts.json").read_bytes())
    found = {hold["name"]: hold["decisions"] for hold in receipts["holds"]}
    assert found == {GATES[0]: [EARLY, LATE], GATES[1]: [], FINDING: [EARLY]}
    assert receipts["holds"][0]["number"] == 0
    assert receipts["holds"][2]["criteria"] == ["same-state"]
    early, late = receipts["decisions"]
    record = json.loads((decided_site / early["file"]).read_bytes())
    for key in ("owner", "decided_at", "reason", "ruling"):
        assert early[key] == record[key]
    assert early["sha256"] == digest((decided_site / early["file"]).read_bytes())
    assert (early["decided_at"], late["decided_at"]) == (FIRST, SECOND)
    result = json.loads((decided_site / f"data/runs/{STUDY}/{RUN}/result.json").read_bytes())
    assert [item["ruling"] for item in result["run"]["decisions"]] == ["not-taken", "accepted-as-it-is"]
    later = json.loads((decided_site / f"data/runs/{STUDY}/{LATER}/result.json").read_bytes())
    assert later["run"]["decisions"] == []


@pytest.mark.parametrize(
    ("decisions", "state", "words", "said"),
    [
        (0, "open", "owner review hold", "held"),
        (2, "partly", "owner review hold, decided in part", "held"),
        (3, "decided", "owner review hold, decided", "held, decided"),
    ],
)
def test_a_run_is_called_held_and_decided_only_when_every_hold_is_decided(
    decided_site, tmp_path, decisions, state, words, said
):
    root = shutil.copytree(decided_site.parent / PROJECT, tmp_path / "project", symlinks=True)
    if decisions == 0:
        shutil.rmtree(root / "manifests" / STUDY / "decisions")
    elif decisions == 3:
        decided(root, SECOND, GATES[1])
    site = load(root)
    (source,), run = site.studies, site.run(STUDY, RUN)
    assert run is not None
    assert len(source.decisions) == decisions
    english = edition(site, "en", CATALOGS["en"])
    mark = disposition_mark(english, run)
    result = parity_result(english, run)
    view = status_view(english, source)

    assert (how_far(source, run), mark.word, mark.tone) == (state, words, "hold")
    assert result is not None
    assert result.whole.mark == mark
    assert (status(site, source), view.mark.word, view.mark.tone) == ("held", said, "hold")
    assert [link.words for link in view.holds] == [RUN]
    assert [line.status.word for line in home_page(english).held] == [words]


def test_a_run_that_is_not_published_holds_no_study_and_a_later_run_ends_no_hold(site):
    (source,) = site.studies
    assert [run.id for run in held_runs(site)] == [RUN]
    assert source.runs[0].id == LATER, "the later one passes"
    unpublished = tuple(replace(run, published=False) for run in source.runs)
    other = replace(site, studies=(replace(source, runs=unpublished, decisions=()),))
    assert held_runs(other) == ()
    assert status(other, other.studies[0]) == "implemented"


@pytest.fixture
def project(decided_site, tmp_path):
    """A copy of the project to break."""
    return shutil.copytree(decided_site.parent / PROJECT, tmp_path / "project", symlinks=True)


def told(project) -> list[str]:
    with pytest.raises(SiteError) as refused:
        build(project)
    assert not (project / "site").exists()
    return [str(problem) for problem in refused.value.problems]


def test_no_site_is_built_from_a_tampered_decision(project):
    file = project / "manifests" / STUDY / "decisions" / EARLY / DECISION_FILE
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"Ada", b"Eva"))
    (problem,) = told(project)
    assert problem.startswith(f"manifests/{STUDY}/decisions/{EARLY}/{DECISION_FILE}: has the SHA-256 ")


def test_no_site_is_built_from_a_decision_on_another_seal_or_without_its_run(project):
    forged(project / "manifests" / STUDY / "decisions" / EARLY, seal_sha256="0" * 64)
    (problem,) = told(project)
    assert f"decisions/{EARLY}/{DECISION_FILE}: seal_sha256: {'0' * 64} is decided on" in problem
    shutil.rmtree(project / "manifests" / STUDY / "evidence" / RUN)
    problems = told(project)
    assert len(problems) == 2
    assert all("which is not published here" in problem for problem in problems)


def test_a_run_that_does_not_verify_is_told_once_and_not_for_its_decisions(project):
    (project / "manifests" / STUDY / "evidence" / RUN / "extra.txt").write_bytes(b"x")
    (problem,) = told(project)
    assert problem.startswith(f"manifests/{STUDY}/evidence/{RUN}/extra.txt: is not sealed")
