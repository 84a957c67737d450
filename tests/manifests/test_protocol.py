"""The protocol of the shipped study says the same in both languages, and what the manifest freezes."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from sitegen.errors import Collected
from sitegen.sources.content import read_protocols
from sitegen.sources.values import LANGUAGES, Document, Protocol

HAN = r"[\u4e00-\u9fff]"


@pytest.fixture(scope="module")
def protocol(pytestconfig, study) -> Protocol:
    found = Collected()
    named = {(item.id, item.version): item for item in read_protocols(Path(pytestconfig.rootpath), found)}
    return named[(study.study.protocol.id, study.study.protocol.version)]


@pytest.fixture(scope="module")
def documents(protocol) -> Mapping[str, Document]:
    return protocol.documents


def tokens(document: Document) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(document.body)


def sections(document: Document) -> list[str]:
    return re.split(r"^## ", document.body, flags=re.MULTILINE)


@pytest.mark.rule("S156")
def test_the_study_follows_a_dated_protocol_that_says_what_is_runnable_and_what_is_unrun(protocol, documents):
    assert protocol.status == "active"
    assert protocol.date == "2026-11-30"
    assert "planned and unrun" in sections(documents["en"])[2]
    assert "未运行" in sections(documents["zh"])[2]


def test_both_languages_have_the_same_headings_and_tables(documents):
    shapes = [
        [(token.type, token.tag) for token in tokens(documents[language]) if token.type in ("heading_open", "tr_open")]
        for language in LANGUAGES
    ]
    assert len(shapes[0]) > 20
    assert shapes[0] == shapes[1]


def test_both_languages_have_the_same_code_blocks(documents):
    blocks = [
        [(token.info, token.content) for token in tokens(documents[language]) if token.type == "fence"]
        for language in LANGUAGES
    ]
    assert len(blocks[0]) > 4
    assert blocks[0] == blocks[1]


@pytest.mark.rule("R6")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ("Python 3.11", "--work-root", "For Echo: a source bundle", "Nothing here implies that a public source"),
        ),
        ("zh", ("Python 3.11", "--work-root", "对于 Echo：一份", "绝不意味着存在公开的源码或二进制版本")),
    ],
)
def test_the_prerequisites_name_the_access_that_echo_needs(documents, language, words):
    prerequisites = sections(documents[language])[3]
    assert all(word in prerequisites for word in words)


def test_the_stated_caps_are_those_of_the_manifest(study, documents):
    caps = study.study.caps
    for language in LANGUAGES:
        (row,) = (line for line in documents[language].body.splitlines() if line.startswith(("| Caps", "| 上限")))
        numbers = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row)]
        assert numbers == [caps.attempt_seconds, caps.process_seconds, caps.output_bytes]


@pytest.mark.rule("R17", "R18", "R21", "R22")
def test_the_scope_limits_are_stated_in_both_languages(documents):
    en, zh = sections(documents["en"])[8], sections(documents["zh"])[8]
    for words in ("Scripted crash boundaries", "third-party agents", "not\n  two machines", "neither executed nor"):
        assert words.replace("\n  ", " ") in " ".join(en.split())
    for words in ("is a qualification", "neither a reproduction by outsiders", "never accepted code"):
        assert words in " ".join(en.split())
    for words in (
        "预设的崩溃边界",
        "第三方代理",
        "不是两台机器",
        "既不执行",
        "只算鉴定",
        "既不是外部复现",
        "绝不等于代码被接受",
    ):
        assert words in zh


def test_chinese_prose_has_full_width_punctuation_and_a_space_beside_latin_words(documents):
    prose = re.sub(r"```.*?```", "", documents["zh"].body, flags=re.DOTALL)
    assert not re.findall(rf"{HAN}[,;:!?()]", prose)
    assert not re.findall(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`]{HAN}", prose)
