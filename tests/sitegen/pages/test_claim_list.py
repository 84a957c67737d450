"""Each claim and limit of each study stands on one page with the run it rests on, and none looks better than that."""

import re
import shutil

import pytest

from runner.contract.plan import Selection
from runner.contract.qualification.design import Feature
from runner.contract.seal import digest
from runner.reading.manifest import read_study
from sitegen.errors import SiteError
from sitegen.pages.claims import supported
from sitegen.sources import RunSource
from tests.factories import a_sealed_run
from tests.sitegen.built import make_site
from tests.sitegen.histories import STANDING, SUPERSEDED, a_history, result_file
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import RUN, a_project, replace, write
from tests.sitegen.rendered import rendered
from tests.studies import a_study

LANGUAGES = ("en", "zh")
CLAIM = "tiny.claim.kept"
LIMIT = "tiny.limit.scripted"
CLAIMS = "claims/index.html"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Its one published run has a finding."""
    return a_project(tmp_path_factory.mktemp("claims"))


@pytest.fixture(scope="module")
def pages(project):
    return rendered(project, CLAIMS, "reviews/", "index.html")


@pytest.fixture
def accepted(project, tmp_path):
    """The same project with a run in which every planned attempt was accepted."""
    root = shutil.copytree(project, tmp_path / "project")
    sealed = a_sealed_run(root, a_study(root / "manifests", gated=()), started_at="2026-12-01T00:00:00Z")
    shutil.copytree(sealed.folder, root / "manifests/tiny/evidence" / sealed.run.run)
    shutil.rmtree(root / ".sealbook")
    return root


def claims(pages, language: str = "en") -> str:
    return main_of(pages[f"{language}/{CLAIMS}"])


def row(main: str) -> str:
    """What stands beside the one claim of the study."""
    return main.partition(f'<tr id="{CLAIM}">')[2].partition("</tr>")[0]


@pytest.mark.parametrize(
    ("language", "claim", "limit"),
    [
        ("en", "Promises are kept.", "Crashes are scripted."),
        ("zh", "承诺得到信守。", "崩溃按脚本发生。"),
    ],
)
def test_each_claim_and_each_limit_has_an_anchor_of_its_own(pages, language, claim, limit):
    main = claims(pages, language)

    assert claim in row(main)
    assert f'href="#{CLAIM}"' in main
    assert limit in main.partition(f'<li id="{LIMIT}">')[2].partition("</li>")[0]
    assert 'href="../studies/tiny/index.html#manifest"' in main


@pytest.mark.rule("S161")
@pytest.mark.parametrize(
    ("language", "word", "good"),
    [
        ("en", "not supported by this run", "supported by this run"),
        ("zh", "本次运行不足以支持", "本次运行支持"),
    ],
)
def test_a_claim_is_not_called_supported_where_a_planned_attempt_was_not_accepted(pages, language, word, good):
    words = re.findall(r'<span class="word">([^<]*)</span>', row(claims(pages, language)))

    assert words[0] == word
    assert good not in words


@pytest.mark.rule("S161")
def test_a_claim_is_supported_only_by_a_published_full_run_that_accepted_everything(accepted):
    main = claims(rendered(accepted, CLAIMS))

    assert re.findall(r'<span class="word">([^<]*)</span>', row(main))[0] == "supported by this run"
    assert f"{RUN}</a>: a newer published run counts instead" in main


def test_a_run_on_which_one_claim_rests_is_not_listed_as_one_on_which_none_does(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    manifest = "manifests/tiny/study.toml"
    a_study(root / "manifests")
    replace(root, manifest, "id = 'kept'", "id = 'other'")
    sealed = a_sealed_run(root, read_study(root / "manifests/tiny"), started_at="2026-12-01T00:00:00Z")
    shutil.copytree(sealed.folder, root / "manifests/tiny/evidence" / sealed.run.run)
    shutil.rmtree(root / ".sealbook")
    kept = 'id = \'kept\', text = {en = "Promises are kept.", zh = "承诺得到信守。"}'
    replace(root, manifest, "claims = [{ id = 'other'", f"claims = [{{ {kept} }}, {{ id = 'other'")
    main = claims(rendered(root, CLAIMS))

    assert f"{RUN}</a>" in row(main)
    assert f"{sealed.run.run}</a>" in main
    assert "a newer published run counts instead" not in main


def test_a_claim_leads_to_its_run_its_counts_and_its_place_in_the_sealed_plan(pages, project):
    beside = row(claims(pages))

    assert f'href="../results/{SUPERSEDED}.html"' in beside
    assert f'href="../evidence/tiny/{RUN}.html#run.json.tally.accepted"' in beside
    assert f'href="../../evidence/tiny/{RUN}/plan.json">plan.json /study/claims/0</a>' in beside
    assert digest((project / f"manifests/tiny/evidence/{RUN}/plan.json").read_bytes()) in beside


def test_a_run_that_is_not_published_supports_nothing_and_is_named(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    shutil.rmtree(root / "manifests/tiny/evidence")
    for language in LANGUAGES:
        (root / f"content/results/{SUPERSEDED}.{language}.md").unlink()
        replace(root, f"content/protocols/tiny/1.0.{language}.md", "](../../results/", "](https://example.org/")
    sealed = a_sealed_run(root, a_study(root / "manifests"), started_at="2026-12-01T00:00:00Z")
    main = claims(rendered(root, CLAIMS))

    assert re.findall(r'<span class="word">([^<]*)</span>', row(main)) == ["not yet"]
    assert "No published run speaks of it yet." in row(main)
    assert f"{sealed.run.run}</a>: not published" in main


def test_a_run_whose_results_were_all_withdrawn_supports_nothing(tmp_path):
    root = a_history(tmp_path)
    for name in (STANDING, SUPERSEDED):
        for language in LANGUAGES:
            file = result_file(name, language)
            text = (root / file).read_text(encoding="utf-8")
            text = re.sub(r"^(was|changed|reason|successor) = .*\n", "", text, flags=re.MULTILINE)
            change = 'status = "withdrawn"\nwas = "qualification"\nchanged = "2026-12-09"\nreason = "x"\n'
            write(root, file, re.sub(r"^status = .*\n", change, text, flags=re.MULTILINE))
    main = claims(rendered(root, CLAIMS))

    assert "No published run speaks of it yet." in row(main)
    assert f"{RUN}</a>: what was written about it was withdrawn" in main


@pytest.mark.parametrize(("language", "words"), [("en", "No review has been recorded."), ("zh", "没有评审记录。")])
def test_the_page_of_reviews_says_that_there_is_none_and_that_none_can_be_recorded(pages, language, words):
    main = main_of(pages[f"{language}/reviews/index.html"])

    assert words in main
    assert {"en": "cannot record reviews yet", "zh": "目前还不能记录评审"}[language] in main
    assert "<pre" not in main


def test_a_review_that_would_not_be_shown_is_refused(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    write(root, "content/reviews/one.toml", 'verdict = "x"\n')
    write(root, "content/reviews/.gitkeep", "")

    with pytest.raises(SiteError) as caught:
        make_site(root)
    assert [(problem.file, problem.what) for problem in caught.value.problems] == [
        ("content/reviews/one.toml", "reviews cannot be read yet, and this one would not be shown")
    ]


@pytest.mark.parametrize(("page", "words"), [("claims", ("Claims", "主张")), ("reviews", ("Reviews", "评审"))])
def test_both_pages_stand_in_the_rail_of_every_page(pages, page, words):
    for language, word in zip(LANGUAGES, words, strict=True):
        home = pages[f"{language}/index.html"]
        assert f'<a href="{page}/index.html">{word}</a>' in home


@pytest.mark.parametrize("excluded", ["access-gated", "left-out"])
def test_a_run_that_left_something_out_supports_no_claim(tmp_path, excluded):
    gated, slow = (("hidden",), ()) if excluded == "access-gated" else ((), (Feature.identity,))
    frozen = a_study(tmp_path / "manifests", gated=gated, slow=slow)
    selection = Selection.quick if slow else Selection.full
    sealed = a_sealed_run(tmp_path, frozen, selection=selection)

    assert sealed.run.tally.accepted == sealed.run.tally.planned
    assert not supported(RunSource(sealed, published=True))
