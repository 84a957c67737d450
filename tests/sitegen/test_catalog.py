"""Words come from the catalogs, and what is missing there is an error with key and language."""

import ast
import importlib
import inspect
import pkgutil
import re
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest

import runner.contract
from runner.contract.comparison.design import Interface
from runner.contract.comparison.metrics import Stream
from runner.contract.events import StoppedEvent
from runner.contract.license import LicenseState
from runner.contract.qualification.design import Feature
from sitegen.catalog import read_catalogs, word_key
from sitegen.errors import ContentError
from sitegen.sources import LANGUAGES
from sitegen.tables.table import NoNumber

ROOT = Path(__file__).parents[2]

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
GOOD = {
    "en": 'msgid "a.b"\nmsgid_plural "a.b"\nmsgstr[0] "{n} run of {all}"\nmsgstr[1] "{n} runs of {all}"\n',
    "zh": 'msgid "a.b"\nmsgstr "{all} 次中的 {n} 次"\n',
}


def catalogs(folder, **changed):
    """The catalogs of `GOOD`, some of them changed."""
    for language, text in (GOOD | changed).items():
        (folder / language).mkdir()
        (folder / language / "words.po").write_text(HEAD + text, encoding="utf-8")
    return read_catalogs(folder)


def told(folder, **changed) -> list[tuple[str, str]]:
    """File and key of each problem of changed catalogs."""
    with pytest.raises(ContentError) as caught:
        catalogs(folder, **changed)
    return [(problem.file, problem.where) for problem in caught.value.problems]


def test_a_message_is_filled_in_by_the_rules_of_its_language(tmp_path):
    words = catalogs(tmp_path)

    assert words["en"].say("a.b", n=1, all=2) == "1 run of 2"
    assert words["en"].say("a.b", n=1234, all=5678) == "1,234 runs of 5,678"
    assert words["zh"].say("a.b", n=1, all=2) == "2 次中的 1 次"


def test_what_is_put_into_a_message_is_not_read_as_a_placeholder(tmp_path):
    assert catalogs(tmp_path)["zh"].say("a.b", n="{all}", all="<b>") == "<b> 次中的 {all} 次"


@pytest.mark.parametrize(
    ("place", "key", "values", "what"),
    [
        ("zh", "a.c", {}, "no such message"),
        ("zh/words.po", "a.b", {"n": 1}, "no value for {all}"),
        ("en/words.po", "a.b", {"all": 1}, "got no number n"),
    ],
)
def test_a_missing_message_or_value_names_key_and_language(tmp_path, place, key, values, what):
    with pytest.raises(ContentError) as caught:
        catalogs(tmp_path)[place[:2]].say(key, **values)

    (problem,) = caught.value.problems
    assert (problem.file, problem.where) == (f"sitegen/messages/{place}", key)
    assert what in problem.what


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"zh": GOOD["zh"] + 'msgid "only.zh"\nmsgstr "x"\n'}, ("en/words.po", "only.zh")),
        ({"zh": 'msgid "a.b"\nmsgstr "{n} 次"\n'}, ("zh/words.po", "a.b")),
        ({"zh": 'msgid "a.b"\nmsgstr ""\n'}, ("zh/words.po", "a.b")),
        ({"zh": "#, fuzzy\n" + GOOD["zh"]}, ("zh/words.po", "a.b")),
        ({"zh": GOOD["zh"] + GOOD["zh"]}, ("zh/words.po", "a.b")),
        ({"zh": 'msgid "a.b"\nmsgstr "{all} {n} {0}"\n'}, ("zh/words.po", "a.b")),
        ({"fr": 'msgid "a.b"\nmsgstr "x"\n'}, ("fr", "")),
        ({"en": GOOD["en"] + "nonsense\n"}, ("en/words.po", "")),
    ],
)
def test_catalogs_that_do_not_agree_are_refused_by_key_and_language(tmp_path, changed, expected):
    place, key = expected

    assert (f"sitegen/messages/{place}", key) in told(tmp_path, **changed)


def test_a_missing_catalog_is_refused(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "words.po").write_text(HEAD + GOOD["en"], encoding="utf-8")

    with pytest.raises(ContentError, match="sitegen/messages/zh: no such catalog"):
        read_catalogs(tmp_path)


def test_a_key_stands_in_one_file_and_in_the_same_one_in_every_language(tmp_path):
    catalogs(tmp_path)
    (tmp_path / "zh" / "words.po").rename(tmp_path / "zh" / "other.po")
    with pytest.raises(ContentError, match=r"zh/words\.po: a\.b: stands in other\.po instead"):
        read_catalogs(tmp_path)

    for name in ("words.po", "more.po"):
        (tmp_path / "zh" / name).write_text(HEAD + GOOD["zh"], encoding="utf-8")
    with pytest.raises(ContentError, match=r"zh/other\.po: a\.b: stands in more\.po too"):
        read_catalogs(tmp_path)


UNSHOWN = frozenset({Interface, Stream})
"""Enumerations whose members no page names: a lane shows what its operations are, a metric what it counts."""


def enumerations() -> list[type[StrEnum]]:
    """Every enumeration of the contract that pages show."""
    found = set()
    for module in pkgutil.walk_packages(runner.contract.__path__, "runner.contract."):
        for _, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(member, StrEnum) and member is not StrEnum:
                found.add(member)
    return sorted(found - UNSHOWN, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", enumerations())
def test_every_member_of_every_enumeration_that_is_shown_has_a_word_in_both_languages(kind):
    words = read_catalogs()

    missing = [
        (language, word_key(member))
        for language in LANGUAGES
        for member in kind
        if word_key(member) not in words[language].messages
    ]
    assert not missing


def test_the_enumerations_that_need_words_are_found():
    assert {"Outcome", "Verdict", "ReasonCode", "Feature", "FeatureState", "Disposition", "LicenseState"} <= {
        kind.__name__ for kind in enumerations()
    }


@pytest.mark.parametrize("by", get_args(StoppedEvent.model_fields["by"].annotation))
def test_every_way_in_which_a_process_stops_has_words(by):
    assert all(f"event.stopped-by-{by}" in words.messages for words in read_catalogs().values())


@pytest.mark.parametrize("member", [*Feature, *LicenseState])
def test_every_feature_and_license_state_says_what_it_means(member):
    assert all(f"{word_key(member)}.meaning" in words.messages for words in read_catalogs().values())


def said() -> re.Pattern[str]:
    """What matches the keys that pages and templates say: texts in their source, with anything where one is put in."""
    found: set[str] = set()
    for path in sorted((ROOT / "sitegen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    found.add(re.escape(text))
                case ast.JoinedStr(values=[ast.Constant(), *_] as parts):
                    found.add(
                        "".join(re.escape(str(it.value)) if isinstance(it, ast.Constant) else ".+" for it in parts)
                    )
                case ast.Call(
                    func=ast.Name("named") | ast.Attribute(attr="named"), args=[ast.Constant(value=str(group)), *_]
                ):
                    found.add(rf"{re.escape(group)}\..+")
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for text, more in re.findall(r"'([a-z-]+\.[a-z0-9_.-]*)'(\s*~)?", path.read_text(encoding="utf-8")):
            found.add(re.escape(text) + (".+" if more else ""))
    return re.compile("|".join(sorted(found)))


def test_there_is_no_message_that_nothing_says():
    kinds: list[type[StrEnum]] = [*enumerations(), NoNumber]
    words = {word_key(member) for kind in kinds for member in kind}
    words |= {f"{word_key(member)}.meaning" for member in (*Feature, *LicenseState)}
    keys = said()

    assert [key for key in read_catalogs()["en"].messages if key not in words and not keys.fullmatch(key)] == []
