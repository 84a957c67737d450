"""What a result page puts into its text where the author asks for it."""

import html
import json
import re
import shutil

import pytest

from sitegen.errors import SiteError
from tests.factories import ScriptedKind, a_sealed_run
from tests.sitegen.built import make_site
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import PROTOCOL, RESULT, RUN, TEXTS, a_project, replace, write
from tests.sitegen.rendered import rendered
from tests.studies import a_study

PAGE = "results/2026-11-30-first.html"
EVERYTHING = """
:::{claims}
:::

:::{limits}
:::

:::{table} features
:::

:::{table} counts
:::

:::{table} findings
:::

:::{table} attempts
:outcome: accepted
:limit: 2
:::

:::{chart} counts
:::
"""


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """One project that nobody changes."""
    return a_project(tmp_path_factory.mktemp("pristine"))


@pytest.fixture
def project(pristine, tmp_path):
    """A copy of it to change."""
    return shutil.copytree(pristine, tmp_path / "project")


def add(root, text: str, *, path: str = RESULT) -> None:
    """Add the same text to both languages of a document."""
    for language in ("en", "zh"):
        file = path.format(language)
        write(root, file, (root / file).read_text(encoding="utf-8") + text)


def page_of(root, language: str = "en") -> str:
    """The result page inside `<main>`."""
    return main_of(rendered(root, PAGE)[f"{language}/{PAGE}"])


def words_of(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def insert(page: str, anchor: str) -> str:
    """The markup of one insert."""
    found = re.search(rf'<(div|section) class="[^"]*insert" id="{re.escape(anchor)}".*?\n</\1>\n', page, re.DOTALL)
    assert found is not None, anchor
    return found[0]


@pytest.mark.parametrize(("language", "missed"), [("en", "not supported by this run"), ("zh", "本次运行不足以支持")])
def test_everything_that_can_be_asked_for_is_shown_where_it_was_asked_for(project, language, missed):
    add(project, EVERYTHING)

    page = page_of(project, language)

    shown = (
        "insert.claims",
        "report.limits",
        "report.features",
        "report.counts",
        "insert.findings",
        "insert.attempts",
        "chart.counts",
    )
    places = [page.index(f'id="{name}"') for name in shown]
    assert places == sorted(places)
    assert missed in insert(page, "insert.claims")
    assert 'class="bound"' in insert(page, "insert.claims")
    attempts = insert(page, "insert.attempts")
    assert attempts.count("<tr>") == 3
    assert "exclusive-claim-kept" in insert(page, "insert.findings")


def test_what_the_author_places_is_not_shown_twice(project):
    before = page_of(project)
    add(project, EVERYTHING)

    after = page_of(project)

    for table in (
        '<figure class="chart chart-counts"',
        '<table class="matrix">',
        '<table class="counts">',
        'id="report.features"',
        'id="report.counts"',
    ):
        assert before.count(table) == after.count(table) == 1
    limits = r'<section class="not-established" aria-labelledby="report.limits">.*?</section>'
    assert len(re.findall(limits, before, re.DOTALL)) == 1
    assert re.findall(limits, before, re.DOTALL) == re.findall(limits, after, re.DOTALL)
    assert after.index('id="report.limits"') < after.index('id="report.features"') < after.index('id="report.check"')


def test_the_same_table_twice_has_two_anchors(project):
    add(project, "\n:::{table} attempts\n:::\n\n:::{table} attempts\n:outcome: refused\n:::\n")

    page = page_of(project)

    assert "No attempt of this run is one." in insert(page, "insert.attempts.2")
    assert "Shown: 12 of 12." in words_of(insert(page, "insert.attempts"))


def test_a_table_of_attempts_says_how_many_it_leaves_out(project):
    add(project, "\n:::{table} attempts\n:arm: tool\n:outcome: accepted\n:limit: 2\n:::\n")

    shown = words_of(insert(page_of(project), "insert.attempts"))

    assert "Shown: 2 of 11. All attempts of this run" in shown


@pytest.mark.rule("S161")
@pytest.mark.parametrize(("language", "word"), [("en", "supported by this run"), ("zh", "本次运行支持")])
def test_only_a_run_in_which_all_was_accepted_supports_the_claims_of_its_study(tmp_path, language, word):
    for path, text in TEXTS.items():
        write(tmp_path, path, text)
    frozen = a_study(tmp_path / "manifests", gated=())
    claim = frozen.study.claims[0].id
    sealed = a_sealed_run(tmp_path, frozen, ScriptedKind())
    shutil.copytree(sealed.folder, tmp_path / "manifests/tiny/evidence" / RUN)
    shutil.rmtree(tmp_path / ".sealbook")
    add(tmp_path, f"\nA is better than B: {{claim}}`{claim}`.\n\n:::{{claims}}\n:::\n")

    built = make_site(tmp_path, strict=True)

    page = main_of(built.files[f"{language}/{PAGE}"].decode())
    assert word in insert(page, "insert.claims")
    assert re.search(rf'<a class="claim" href="../studies/tiny/index.html#claims">[^<]*{claim}[^<]*{word}', page)


@pytest.mark.rule("S161")
def test_a_run_with_a_finding_carries_no_claim_of_superiority(project):
    claim = json.loads((project / f"manifests/tiny/evidence/{RUN}/plan.json").read_bytes())["study"]["claims"][0]["id"]
    add(project, f"\nA is better than B: {{claim}}`{claim}`.\n")

    assert len(make_site(project).cautions) == 2
    with pytest.raises(SiteError, match="does not support the claim it cites"):
        make_site(project, strict=True)


def test_a_result_without_a_run_can_show_limits_and_claims_and_nothing_of_a_run(project):
    for language in ("en", "zh"):
        path = RESULT.format(language)
        text = (project / path).read_text(encoding="utf-8").split("## ")[0]
        text = text.replace(f'run = "{RUN}"\n', "").replace('"qualification"', '"not run"')
        write(project, path, f"{text}## A\n\n:::{{claims}}\n:::\n\n:::{{limits}}\n:::\n")
    for language in ("en", "zh"):
        replace(project, PROTOCOL.format(language), "#findings" if language == "en" else "#发现", "#a")

    assert "Nothing was run, so no claim has evidence." in page_of(project)

    add(project, "\n:::{table} counts\n:::\n\n{claim}`none`\n")
    with pytest.raises(SiteError) as caught:
        make_site(project)
    told = [str(problem) for problem in caught.value.problems]
    assert len(told) == 4
    assert "{table} needs a run, and this page has none" in told[0]
    assert "no claim 'none' of this page's study; there are " in told[1]


def test_a_protocol_has_nothing_of_a_study_to_show(project):
    add(project, "\n:::{limits}\n:::\n", path=PROTOCOL)

    with pytest.raises(SiteError, match=r"\{limits\} needs the study of a result page, and this page has none"):
        make_site(project)


def test_an_unknown_arm_is_told_with_those_that_the_run_has(project):
    add(project, "\n:::{table} attempts\n:arm: tol\n:::\n")

    with pytest.raises(SiteError, match=r"line \d+: the option 'arm' of \{table\} attempts is 'tol'; write tool"):
        make_site(project)


def test_figures_of_other_sealed_files_are_bound_to_their_place(project):
    attempt = "tool.exclusive-claim-kept.1"
    add(project, f"\n{{value}}`attempts.jsonl#{attempt}/outcome` {{value}}`plan.json#/study/caps/attempt_seconds`\n")

    files = make_site(project).files

    page = files[f"en/{PAGE}"].decode()
    bound = re.findall(r'<a class="bound" href="([^"]+)" title="([^"]+)">([^<]+)</a>', page)
    assert (f"../attempts/tiny/{RUN}/{attempt}.html#line", "attempts.jsonl /outcome", "rejected") in bound
    assert any(href == f"../../evidence/tiny/{RUN}/plan.json" for href, _, _ in bound)
    values = json.loads(files["data/results/2026-11-30-first/result.json"])["values"]
    assert {"attempt": attempt, "file": "attempts.jsonl", "pointer": "/outcome", "value": "rejected"} in values


@pytest.mark.parametrize(
    "reference",
    ["tally/accepted", "", "/tally", "/tally/accepted/x", "/analysis/arms/-1/arm", "/analysis/arms/01/arm",
     "plan.json#/none", "attempts.jsonl#none/outcome", "attempts.jsonl#/0", "SHA256SUMS#/0", "../run.json#/tally"],
)  # fmt: skip
def test_a_reference_that_leads_to_no_value_is_told_by_line(project, reference):
    add(project, f"\n{{value}}`{reference or ' '}`\n")

    with pytest.raises(SiteError) as caught:
        make_site(project)

    assert [re.sub(r".*\.md: line \d+: ", "", str(problem)) for problem in caught.value.problems] == [
        f"no figure {reference!r} in the evidence of this page's run; correct the reference"
    ] * 2


def test_a_chart_that_the_run_has_no_data_for_is_told_by_line(project):
    add(project, "\n:::{chart} paired\n:::\n\n:::{chart} pie\n:::\n")

    with pytest.raises(SiteError, match=r"\{chart\} of 'pie'; write counts, ecdf, forest or paired behind it"):
        make_site(project)
    for language in ("en", "zh"):
        replace(project, RESULT.format(language), "\n:::{chart} pie\n:::\n", "")
    with pytest.raises(SiteError, match=r"line \d+: \{chart\} paired: the run has nothing to show there") as caught:
        make_site(project)
    assert len(caught.value.problems) == 2
