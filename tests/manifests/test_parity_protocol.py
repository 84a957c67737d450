"""The protocol of the parity study says in both languages what the manifest freezes and what a run does not show."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from runner.contract.parity.gate import AtMost, StrictlyBelow
from runner.contract.parity.timing import Measure
from runner.contract.plan import as_parity
from runner.reading.manifest import read_study
from sitegen.errors import Collected
from sitegen.sources.content import read_protocols
from sitegen.sources.values import LANGUAGES

HAN = r"[\u4e00-\u9fff]"


@pytest.fixture(scope="module")
def parity(pytestconfig):
    return read_study(pytestconfig.rootpath / "manifests" / "mypy-parity")


@pytest.fixture(scope="module")
def texts(pytestconfig, parity) -> Mapping[str, str]:
    """The protocol that the study follows, by language, each on one line."""
    named = {(item.id, item.version): item for item in read_protocols(Path(pytestconfig.rootpath), Collected())}
    documents = named[(parity.study.protocol.id, parity.study.protocol.version)].documents
    return {language: " ".join(documents[language].body.split()) for language in LANGUAGES}


def said(text: str, *words: str) -> bool:
    return all(word in text for word in words)


def test_the_stated_counts_and_bounds_are_those_of_the_manifest(parity, texts):
    timing = as_parity(parity)[0].timing
    full, warm = (gate.gate for gate in timing.gates)
    assert isinstance(full, AtMost)
    assert isinstance(warm, StrictlyBelow)
    assert full.percent_millionths is not None
    assert full.difference_ns is not None
    percent, milliseconds = full.percent_millionths // 1_000_000, full.difference_ns // 1_000_000
    counts = [timing.count(measure) for measure in (Measure.command, Measure.cold, Measure.warm, Measure.burst)]
    bound = warm.bound_ns // 1_000_000

    en = "{} matched pairs", "{} samples a variant", "{} requests a variant", "{} such requests a variant"
    zh = "{} 个匹配对", "每个变体 {} 个样本", "发出 {} 个请求", "每个变体 {} 个同样的请求"
    assert said(texts["en"], *(words.format(count) for words, count in zip(en, counts, strict=True)))
    assert said(texts["zh"], *(words.format(count) for words, count in zip(zh, counts, strict=True)))
    assert said(
        texts["en"], f"at most {percent} % and by at most {milliseconds} ms; both", f"strictly below {bound} ms"
    )
    assert said(texts["zh"], f"至多增加 {percent}%，且至多增加 {milliseconds} 毫秒；两项均须", f"严格低于 {bound} 毫秒")
    assert said(texts["en"], f"{timing.resamplings:,} times, from a recorded seed")
    assert said(texts["zh"], f"如此 {timing.resamplings:,} 次")


@pytest.mark.rule("P126")
def test_it_says_what_cold_is_and_what_it_is_not(texts):
    assert said(texts["en"], "*Cold* means that no daemon runs", "not the first call after a start of the machine")
    assert said(texts["zh"], "“冷”指没有守护进程在运行", "不是开机后的第一次调用")


@pytest.mark.rule("P132")
def test_it_has_all_that_a_replay_needs(texts):
    for text in texts.values():
        assert said(text, "sealbook prepare mypy-parity", "sealbook run mypy-parity", "Python 3.11", "--work-root")
    assert said(texts["en"], "pinned by its SHA-256", "hash seed is fixed to 0", "no telemetry", "holds no blank")
    assert said(texts["zh"], "以 SHA-256 固定", "散列种子都固定为 0", "没有需要关闭的遥测", "路径不含空格")


@pytest.mark.rule("P134", "P135")
def test_it_names_what_is_not_covered_and_that_a_later_state_is_not_qualified(parity, texts):
    assert said(
        texts["en"], "Windows and macOS are not covered", "No model takes part", "for the host that the run records"
    )
    assert said(texts["zh"], "Windows 与 macOS 不在内", "没有模型参与", "只对运行所记录的主机成立")
    assert said(texts["en"], "large projects and the binary format of caches")
    assert said(texts["zh"], "大型项目和二进制缓存格式也不在内")
    assert said(texts["en"], "A later state of the software is not qualified, nor is a merge")
    assert said(texts["zh"], "软件之后的状态没有得到鉴定，本版本与其他内容合并的结果也没有")
    assert {"one-platform", "json-caches", "this-host", "later-main"} <= {limit.id for limit in parity.study.limits}


def test_it_says_that_a_hold_stays_and_that_no_text_makes_up_for_what_was_not_judged(texts):
    assert said(texts["en"], "neither resolves nor reclassifies it", "not yet proven*, and prose cannot waive that")
    assert said(texts["zh"], "既不解除它，也不重新归类", "“尚未证明”，任何文字说明都不能免除")


def test_chinese_prose_has_full_width_punctuation_and_a_space_beside_latin_words(pytestconfig):
    path = pytestconfig.rootpath / "content" / "protocols" / "software-parity" / "1.0.zh.md"
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert not re.findall(rf"{HAN}[,;:!?()]", prose)
    assert not re.findall(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`]{HAN}", prose)
