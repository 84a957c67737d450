"""Each study has exactly one status, which follows from its runs and results and stands on every page that lists it."""

import re
import shutil
from dataclasses import replace as changed
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.backends.performance import Performance
from runner.backends.scripted_server import ScriptedServer
from runner.reading.manifest import read_study
from sitegen.errors import SiteError
from sitegen.pages.status import Status, status
from sitegen.sources import Change, Site, load
from tests.comparisons import Tiny, run
from tests.runner.backends.chats import settings_text
from tests.runner.backends.live import acted, toml
from tests.runner.backends.scripts import a_script, a_turn
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import PROTOCOL, RESULT, RUN, TEXTS, a_project, replace, write
from tests.sitegen.rendered import rendered

WORDS = {
    "implemented": ("implemented", "已实施"),
    "fixture demonstration": ("fixture demonstration", "固定样例演示"),
    "not run": ("not run", "未运行"),
    "held": ("held", "搁置"),
}
SAID = ["qualification", "fixture demonstration", "not run", "held"]
CHANGE = Change("withdrawn", "2026-12-05", {"en": "x", "zh": "x"}, None)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    return a_project(tmp_path_factory.mktemp("pristine"))


@pytest.fixture(scope="module")
def tiny(pristine) -> Site:
    return load(pristine)


def with_results(site: Site, *told: tuple[str, bool], runs: bool = True) -> Site:
    """The site with other results, each with its status and whether it still stands; with or without its run."""
    (first,), (study,) = site.results, site.studies
    results = tuple(
        changed(first, slug=f"r{number}", status=said, run=RUN if runs else None, change=None if stands else CHANGE)
        for number, (said, stands) in enumerate(told)
    )
    return changed(site, results=results, studies=(changed(study, runs=study.runs if runs else ()),))


def of(site: Site) -> str:
    return status(site, site.studies[0])


@pytest.fixture(scope="module")
def built(pristine, tmp_path_factory):
    """A site by the status of its one study."""
    sites = {}
    for wanted in WORDS:
        root = shutil.copytree(pristine, tmp_path_factory.mktemp("status") / "project")
        for language in ("en", "zh"):
            file = RESULT.format(language)
            if wanted in ("fixture demonstration", "held"):
                replace(root, file, '"qualification"', f'"{wanted}"')
            elif wanted == "not run":
                text = (root / file).read_text(encoding="utf-8")
                text = text.replace(f'run = "{RUN}"\n', "").replace('"qualification"', '"not run"')
                write(root, file, re.sub(r"\{value\}`[^`]*`", "…", text))
        if wanted == "not run":
            shutil.rmtree(root / "manifests/tiny/evidence")
        sites[wanted] = rendered(root, "index.html", "studies/")
    return sites


@pytest.mark.rule("S163")
@pytest.mark.parametrize("wanted", WORDS)
@pytest.mark.parametrize(("language", "at"), [("en", 0), ("zh", 1)])
def test_home_list_and_page_of_a_study_say_its_one_status_in_a_word(built, wanted, language, at):
    pages = {path: main_of(built[wanted][f"{language}/{path}"]) for path in ("index.html", "studies/index.html")}
    listed = pages["index.html"].partition('<ul class="standings">')[2].partition("</ul>")[0]
    study = main_of(built[wanted][f"{language}/studies/tiny/index.html"])
    shown = (listed, pages["studies/index.html"], study.partition('<ul class="band">')[2].partition("</ul>")[0])

    for part in shown:
        marks = re.findall(r'<span class="mark [^"]*"><span class="glyph" aria-hidden="true">(.)</span>', part)
        words = re.findall(r'<span class="word">([^<]*)</span>', part)
        assert words == [WORDS[wanted][at]]
        assert len(marks) == 1


@pytest.mark.rule("S163")
@given(st.lists(st.tuples(st.sampled_from(SAID), st.booleans()), max_size=4), st.booleans())
def test_every_mixture_of_runs_and_results_gives_one_of_the_four(tiny, told, runs):
    site = with_results(tiny, *told, runs=runs)

    found = of(site)

    assert found in get_args(Status)
    assert (found == "held") == (("held", True) in told)
    assert (found == "not run") == (not runs and found != "held")


def test_a_later_result_does_not_end_a_hold(tiny):
    assert of(with_results(tiny, ("qualification", True), ("held", True))) == "held"


def test_a_hold_ends_when_its_own_page_is_withdrawn_or_superseded(tiny):
    assert of(with_results(tiny, ("qualification", True), ("held", False))) == "implemented"


def test_a_demonstration_stays_one_when_its_page_is_withdrawn(tiny):
    assert of(with_results(tiny, ("fixture demonstration", False))) == "fixture demonstration"
    assert of(with_results(tiny, ("fixture demonstration", True), ("qualification", True))) == "implemented"


def test_a_run_without_any_result_was_run(tiny):
    assert of(with_results(tiny)) == "implemented"


@pytest.mark.parametrize(("language", "words"), [("en", "On hold"), ("zh", "搁置")])
def test_home_shows_a_hold_in_a_part_of_its_own_and_the_study_links_it(built, language, words):
    home = main_of(built["held"][f"{language}/index.html"])
    held = home.partition('<h2 id="held">')[2].partition("<h2")[0]

    assert held.startswith(words)
    assert 'href="results/2026-11-30-first.html"' in held
    assert 'href="../../results/2026-11-30-first.html"' in main_of(built["held"][f"{language}/studies/tiny/index.html"])
    assert "No result is on hold." in main_of(built["implemented"]["en/index.html"])


def test_home_shows_what_was_not_run_beside_what_was(built):
    parts = re.findall(r'<h2 id="([^"]*)">', main_of(built["not run"]["en/index.html"]))
    unrun = main_of(built["not run"]["en/index.html"]).partition('<h2 id="not-run">')[2].partition("<h2")[0]

    assert parts == ["results", "held", "not-run", "not-published", "studies"]
    assert "sealbook run tiny" in unrun
    assert "Its source is not public." in unrun
    assert "<details" not in unrun


@pytest.fixture(scope="module")
def scripted(tmp_path_factory):
    """A project with one run of a comparison in which a script stood in for a model, and no word about it."""
    root = tmp_path_factory.mktemp("scripted")
    write(root, "content/site.toml", TEXTS["content/site.toml"])
    for language in ("en", "zh"):
        write(root, PROTOCOL.format(language), TEXTS[PROTOCOL.format(language)].partition("## ")[0] + "Text.\n")
    run(root, read_study(Tiny().write(root / "manifests")))
    return root


@pytest.mark.rule("S163")
@pytest.mark.parametrize(("language", "word"), [("en", "fixture demonstration"), ("zh", "固定样例演示")])
def test_a_run_that_says_that_a_script_stood_in_makes_a_demonstration_without_any_result(scripted, language, word):
    pages = rendered(scripted, "index.html", "studies/tiny/")

    home = main_of(pages[f"{language}/index.html"])
    listed = home.partition('<h2 id="not-published">')[2].partition("<h2")[0]
    assert f'<span class="word">{word}</span>' in listed
    assert f'<span class="word">{word}</span>' in home.partition('<ul class="standings">')[2]
    assert f'<span class="word">{word}</span>' in main_of(pages[f"{language}/studies/tiny/index.html"])


@pytest.mark.rule("S163")
def test_one_run_without_a_script_makes_a_study_implemented_whatever_results_say(scripted):
    site = load(scripted, include_unpublished=True)
    (study,) = site.studies
    (made,) = study.runs
    facts = made.sealed.run.facts
    stated = SimpleNamespace(run=SimpleNamespace(facts=facts.model_copy(update={"fixture": False})))
    real = changed(made, sealed=stated)  # type: ignore[arg-type]

    def told(status: str) -> Any:
        return (SimpleNamespace(study="tiny", run=made.id, status=status, change=None),)

    scripted_alone, with_real = ((changed(study, runs=runs),) for runs in ((made,), (made, real)))
    assert of(changed(site, results=told("qualification"), studies=scripted_alone)) == "fixture demonstration"
    assert of(changed(site, results=told("fixture demonstration"), studies=with_real)) == "implemented"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_result_that_calls_a_scripted_run_a_qualification_stops_the_build(scripted, tmp_path, language):
    root = shutil.copytree(scripted, tmp_path / "project")
    (sealed,) = (root / ".sealbook/runs/tiny").iterdir()
    for each in ("en", "zh"):
        text = TEXTS[RESULT.format(each)].replace(RUN, sealed.name)
        write(root, RESULT.format(each), text)

    with pytest.raises(SiteError) as refused:
        load(root, include_unpublished=True)
    assert (
        f"{RESULT.format(language)}: status: {sealed.name} says that a script stood in for what is studied"
        f'; write "fixture demonstration"' in str(refused.value)
    )


def test_a_result_that_calls_the_run_of_a_live_model_a_demonstration_stops_the_build(tmp_path):
    write(tmp_path, "content/site.toml", TEXTS["content/site.toml"])
    with ScriptedServer(Performance(a_script(a_turn("I do nothing.")))) as server:
        (tmp_path / "chat.toml").write_text(toml(settings_text(base_url=server.address)))
        sealed = acted(tmp_path, "chat", tmp_path / "chat.toml")
    for each in ("en", "zh"):
        write(tmp_path, PROTOCOL.format(each), TEXTS[PROTOCOL.format(each)].partition("## ")[0] + "Text.\n")
        text = TEXTS[RESULT.format(each)].replace(RUN, sealed.run.run)
        write(tmp_path, RESULT.format(each), text.replace('"qualification"', '"fixture demonstration"'))

    with pytest.raises(SiteError) as refused:
        load(tmp_path, include_unpublished=True)
    assert [str(problem) for problem in refused.value.problems] == [
        f"{RESULT.format(each)}: status: {sealed.run.run} says that no script stood in for what is studied"
        '; write "qualification"'
        for each in ("en", "zh")
    ]
