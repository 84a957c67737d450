"""Nothing is said to be superior, approved or to be adopted unless a claim that the run supports says so."""

import re
from pathlib import Path

import pytest

from sitegen.catalog import read_catalogs
from sitegen.errors import Collected
from sitegen.pages.translations import check_documents
from sitegen.prose import Citation, render
from sitegen.prose.assertions import Assertion, assertions, denies
from sitegen.sources import load
from tests.sitegen.documents import document

ROOT = Path(__file__).parents[2]

CLAIMS = {
    "fast": Citation("claim fast", "x.html", supported=True),
    "safe": Citation("claim safe", "x.html", supported=False),
}
ASSERTS = {
    Assertion.superiority: [
        "A is better than B",
        "A outperforms B",
        "Faster\nthan B",
        "it is more reliable",
        "the most robust tool",
        "the best tool",
        "a superior tool",
        "state-of-the-art",
        "state of the art",
        "World-class",
        "甲优于乙",
        "甲胜过乙",
        "甲更快",
        "甲比乙可靠",
        "最可靠的工具",
        "甲不如乙",
        "领先的工具",
    ],
    Assertion.approval: [
        "it was approved",
        "production-ready",
        "ready for production",
        "a certified tool",
        "endorsed by its users",
        "该工具获批",
        "获准使用",
        "通过安全认证",
        "生产就绪",
        "可用于生产环境",
    ],
    Assertion.adoption: [
        "it is recommended",
        "we recommend A",
        "A should be the default",
        "A should be adopted",
        "the default choice",
        "推荐采用甲",
        "应作为默认",
        "应当采用甲",
        "值得采用",
        "首选工具",
    ],
}
NEUTRAL = [
    "more winners than locks",
    "more than twice",
    "the default theme",
    "heartbeats",
    "best effort is none",
    "it must have exit code zero",
    "身份认证失败",
    "一流程序",
    "不超过上限",
    "比较两者",
    "默认主题",
]


def cautions(body: str, claims=CLAIMS) -> list[tuple[str, str]]:
    page = render(document(body), resolve=lambda _: None, link=lambda target: target, claims=claims)
    return [(problem.where, problem.what) for problem in page.cautions]


@pytest.mark.rule("S161")
@pytest.mark.parametrize(("kind", "said"), [(kind, said) for kind in Assertion for said in ASSERTS[kind]])
@pytest.mark.parametrize("frame", ["{}.", "- {}\n", "## {}\n", "| a |\n| - |\n| {} |\n", "**{}**"])
def test_an_assertion_without_a_claim_is_told_wherever_it_stands(kind, said, frame):
    one_line = frame.startswith(("#", "|"))

    told = cautions(frame.format(said.replace("\n", " ") if one_line else said))

    assert any(f"asserts {kind} and cites no claim" in what for _, what in told), told


@pytest.mark.parametrize("said", NEUTRAL)
def test_ordinary_wording_asserts_nothing(said):
    assert not list(assertions(said))


@pytest.mark.rule("S161")
def test_a_supported_claim_carries_its_own_sentence_and_no_other():
    body = "A is faster than B, see {claim}`fast`. It is safer than B.\n甲优于乙（{claim}`fast`）。甲更稳定。\n"

    assert [what for _, what in cautions(body)] == [
        "'safer than' asserts superiority and cites no claim",
        "'更稳定' asserts superiority and cites no claim",
    ]


@pytest.mark.rule("S161")
def test_a_claim_that_the_run_does_not_support_carries_nothing():
    body = "A is safer than B ({claim}`safe`).\n\nA is faster than B ({claim}`fast`, {claim}`safe`).\n"

    assert cautions(body) == [
        ("line 8", "'safer than' asserts superiority, and the run does not support the claim it cites, safe"),
        ("line 10", "'faster than' asserts superiority, and the run does not support the claim it cites, fast, safe"),
    ]


def test_citing_an_unsupported_claim_without_asserting_anything_is_fine():
    assert not cautions("What {claim}`safe` says is not shown.")


def test_words_that_a_sentence_denies_can_be_marked_and_only_those():
    assert not cautions("Nothing here is {disclaimed}`better than` anything.")
    assert not cautions("本研究不说明甲{disclaimed}`优于`乙。")
    assert cautions("First.\nA is {disclaimed}`better than` B.") == [
        ("line 9", "'better than' is marked as disclaimed, and the sentence denies nothing")
    ]
    assert cautions("Nothing is said. A is {disclaimed}`better than` B.")


@pytest.mark.parametrize(
    "said", ["not only fast", "no doubt fast", "非常快", "不仅快", "毫无疑问快", "未来更快", "notable"]
)
def test_emphasis_denies_nothing(said):
    assert not denies(said)


@pytest.mark.rule("S161")
def test_title_and_summary_can_assert_nothing():
    front = type(document("x"))("x.md", "en", "The best tool", "Approved. 推荐采用", {}, "x", 8)

    page = render(front, resolve=lambda _: None, link=lambda target: target, claims=CLAIMS)

    assert [(problem.where, problem.what) for problem in page.cautions] == [
        ("title", "'The best' asserts superiority and cites no claim"),
        ("summary", "'Approved' asserts approval and cites no claim"),
        ("summary", "'推荐' asserts adoption and cites no claim"),
    ]


def test_code_and_what_roles_show_is_not_read():
    assert not cautions("`better than` {literal}`1`\n\n```\nbetter than\n```\n")


def denied(text: str) -> bool:
    """Whether every sentence of a text that asserts something says no to it."""
    sentences = re.split(r"(?<=[.!?。！？])\s*", text)
    return all(denies(sentence) or not list(assertions(sentence)) for sentence in sentences)


@pytest.mark.rule("S161")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_message_of_the_site_asserts_anything(language):
    messages = read_catalogs()[language].messages

    assert len(messages) > 300
    assert [key for key, forms in messages.items() if not all(denied(form) for form in forms)] == []


@pytest.mark.rule("S161")
def test_no_text_of_the_shipped_site_asserts_what_its_evidence_does_not_support():
    site = load(ROOT, include_unpublished=False)
    found = Collected()

    assert check_documents(site, read_catalogs(), found) == ()
    assert found.problems == ()
    words = [getattr(site.config.title, language) for language in ("en", "zh")]
    for source in site.studies:
        study = source.frozen.study
        texts = [study.title, study.question, *(claim.text for claim in study.claims)]
        texts += [limit.text for limit in study.limits]
        for subject in study.design.arms:
            texts += [subject.title, subject.summary]
        words += [text for item in texts for text in (item.en, item.zh)]
    assert len(words) > 40
    assert [text for text in words if not denied(text)] == []


@pytest.mark.parametrize("path", sorted(path.name for path in ROOT.glob("README*.md")))
def test_the_readme_asserts_nothing(path):
    text = re.sub(r"(?s)```.*?```|`[^`]*`", "", (ROOT / path).read_text(encoding="utf-8"))

    assert [line for line in text.split("\n\n") if not denied(line)] == []
