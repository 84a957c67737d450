"""The study page of a comparison shows what each agent is given, and what is kept from it."""

import re
from html import unescape

import pytest

from runner.contract.seal import digest
from tests.comparisons import INSPECTION, NOTICED, PATCH, USES, Tiny, both_lanes
from tests.sitegen.pages.compared_sample import PROBE, sources
from tests.sitegen.rendered import rendered


def study_page(root, tiny, language="en") -> str:
    sources(root)
    tiny.write(root / "manifests")
    return rendered(root, "studies/")[f"{language}/studies/tiny/index.html"]


def facts(page: str) -> dict[str, str]:
    """The facts of the first task, by their name."""
    text = page.split('<h3 id="task-narrow">')[1].split("</dl>", maxsplit=1)[0]
    found = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", text, re.DOTALL)
    return {name: " ".join(unescape(re.sub("<[^>]+>", " ", value)).split()) for name, value in found}


@pytest.mark.parametrize(
    ("language", "drift", "review", "limits"),
    [("en", "A sibling.", "Blinded.", "It shows no calls."), ("zh", "相邻代码。", "盲评。", "不显示调用。")],
)
def test_each_task_shows_its_prompt_setup_drift_review_and_probe(tmp_path, language, drift, review, limits):
    sessions = both_lanes(INSPECTION, *NOTICED, symbols=(INSPECTION, *NOTICED))
    page = study_page(tmp_path, Tiny(drift=True, probe=PROBE, sessions=sessions), language)
    told = " ".join(facts(page).values())

    assert '<pre class="wrap" lang="en">Remove the parameter `unit` of `total`.</pre>' in page
    assert digest(b"Remove the parameter `unit` of `total`.") in page
    assert "A package." in told
    assert f"{drift} fixtures/drift.patch {digest(PATCH.encode())[:8]}" in told
    assert review in told
    assert "{probe} -c 'raise SystemExit(3)'" in told
    assert limits in told


def test_a_task_lists_the_files_of_its_workspace_with_their_digests(tmp_path):
    page = study_page(tmp_path, Tiny())
    table = page.split('<h3 id="task-narrow">')[1].split("</table>")[0]

    assert "Show the 3 files that the workspace begins with" in table
    assert '<td class="mono">shop/uses.py</td><td class="mono">fixtures/shop/uses.py</td>' in table
    assert digest(USES.encode()) in table


def test_a_lane_shows_the_instructions_that_its_agents_get(tmp_path):
    page = study_page(tmp_path, Tiny())

    assert page.count('<span lang="en">Work so.</span>') == 2


def test_a_task_without_a_drift_says_that_there_is_none(tmp_path):
    assert "none: nobody changes the workspace but the agent" in facts(study_page(tmp_path, Tiny())).values()


@pytest.mark.parametrize(
    ("language", "heading", "reason"),
    [("en", "Lanes", "Not run here:</strong> It is run elsewhere."), ("zh", "组", "未在此运行：</strong>在别处运行。")],
)
def test_what_is_compared_is_called_a_lane_and_one_that_is_run_elsewhere_no_gated_one(
    tmp_path, language, heading, reason
):
    page = study_page(tmp_path, Tiny(), language)

    assert f'<h2 id="subjects">{heading}</h2>' in page
    assert reason in page
