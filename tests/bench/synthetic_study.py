"""Writes the manifest and the content of a synthetic study that plans as many attempts as are asked for."""

from pathlib import Path

from runner.contract.qualification.design import Feature
from runner.contract.seal import digest
from runner.reading.manifest import FrozenStudy, read_study
from tests.studies import both, quoted

STUDY = "synthetic"
RUN = "20261130T010203Z"
ARMS = ("aqua", "basalt", "cedar", "delta")
GATED = "ember"
NOT_OFFERED = (Feature.replay, Feature.source_tests)
OFFERED = tuple(feature for feature in Feature if feature not in NOT_OFFERED)
MIN_SLOTS = len(ARMS) * len(OFFERED)
"""Every arm answers for every feature, so a smaller study cannot be."""
MAX_TRIALS = 100
_HELP = "fixtures/help/{}.txt"


def trials_of(slots: int) -> list[int]:
    """How many trials each check has, so that together they are `slots`; the arms share the checks."""
    if slots < MIN_SLOTS:
        raise ValueError(f"{slots} slots, fewer than {MIN_SLOTS}")
    checks = max(MIN_SLOTS, -(-slots // MAX_TRIALS))
    each, more = divmod(slots, checks)
    return [each + (number < more) for number in range(checks)]


def write_study(folder: Path, slots: int) -> FrozenStudy:
    """Write the study `folder/synthetic` that plans `slots` attempts, and read it."""
    trials = trials_of(slots)
    files = {"licenses.toml": _licenses()}
    for number, arm in enumerate(ARMS):
        files[_HELP.format(arm)] = f"usage: {arm} [claim]\n"
        # Dealt out one by one, so that each arm has a check of each feature.
        files[f"tasks/{arm}.toml"] = _tasks(arm, trials[number :: len(ARMS)])
    for path, text in files.items():
        _write(folder / STUDY / path, text)
    pins = {path: digest(text.encode()) for path, text in files.items()}
    _write(folder / STUDY / "study.toml", _study(pins))
    return read_study(folder / STUDY)


def write_content(root: Path) -> None:
    """Write what a project of this study needs beside its manifest."""
    title, about = both("Synthetic evidence", "合成证据"), both("Made up, to measure.", "为测量而合成。")
    _write(root / "content/site.toml", f"title = {title}\ndescription = {about}\n")
    for language, (heading, body) in _PROTOCOL.items():
        front = f'version = "1.0"\ndate = "2026-11-30"\nstatus = "active"\nsummary = {quoted(body)}'
        text = f"+++\ntitle = {quoted(heading)}\n{front}\n+++\n\n## {heading}\n\n{body}\n"
        _write(root / f"content/protocols/{STUDY}/1.0.{language}.md", text)
    for language, (heading, body) in _RESULT.items():
        front = f'date = "2026-11-30"\nstudy = "{STUDY}"\nrun = "{RUN}"\nstatus = "qualification"'
        text = f"+++\ntitle = {quoted(heading)}\n{front}\nsummary = {quoted(heading)}\n+++\n\n## {heading}\n\n{body}\n"
        _write(root / f"content/results/2026-11-30-synthetic.{language}.md", text)


_PROTOCOL = {
    "en": ("Synthetic protocol", "Nothing is performed: every attempt is made up."),
    "zh": ("合成规程", "没有实际执行：每次尝试均为合成。"),
}
_RESULT = {
    "en": ("Synthetic result", "Accepted: {value}`/tally/accepted` of {value}`/tally/planned`."),
    "zh": ("合成结果", "接受 {value}`/tally/accepted` 次，计划 {value}`/tally/planned` 次。"),
}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def _study(pins: dict[str, str]) -> str:
    lines = [
        'format = "sealbook.study/1"',
        f"id = {quoted(STUDY)}",
        f"title = {both('Synthetic study', '合成研究')}",
        f"question = {both('How does the site carry this many attempts?', '网站能否承载这么多次尝试？')}",
        f'protocol = {{ id = "{STUDY}", version = "1.0" }}',
        "quick = false",
        'tier = "process"',
        "caps = { attempt_seconds = 60, process_seconds = 10, output_bytes = 65536 }",
        f"claims = [{{ id = 'carried', text = {both('The numbers add up.', '各项计数相符。')} }}]",
        f"limits = [{{ id = 'made-up', text = {both('No tool was run.', '未运行任何工具。')} }}]",
        *(f"[[pinned]]\npath = {quoted(path)}\nsha256 = {quoted(pins[path])}" for path in sorted(pins)),
        '[design]\nkind = "qualification"\nversion = 1',
        *(_installed(arm) for arm in ARMS),
        f"""[[design.subjects]]
availability = "access-gated"
id = "{GATED}"
title = {both(GATED.title())}
summary = {both("Not public.", "未公开。")}
reason = {both("Its source is not public.", "其源代码未公开。")}""",
    ]
    return "\n".join(lines) + "\n"


def _installed(arm: str) -> str:
    return f"""[[design.subjects]]
availability = "installed"
id = "{arm}"
title = {both(arm.title())}
summary = {both("Made up.", "合成。")}
homepage = "https://example.org/{arm}"
distribution = "{arm}"
command = "{arm}"
tasks = ["tasks/{arm}.toml"]
curated = ["{arm}/main.py"]
[[design.subjects.artifacts]]
name = "{arm}"
version = "1.0"
file = "{arm}-1.0-py3-none-any.whl"
sha256 = "{digest(arm.encode())}"
role = "subject\""""


def _tasks(arm: str, trials: list[int]) -> str:
    lines = ['format = "sealbook.qualification.tasks/1"', f'subject = "{arm}"']
    lines += [
        f"""[[not_offered]]
feature = "{feature.value}"
reason = {both("The help names no such command.", "帮助中没有这样的命令。")}
argv = ["{{command}}", "--help"]
help = "{_HELP.format(arm)}\""""
        for feature in NOT_OFFERED
    ]
    for number, times in enumerate(trials):
        feature = OFFERED[number % len(OFFERED)].value
        version = number // len(OFFERED) + 1
        lines.append(
            f"""[[checks]]
id = "{feature}-{version}"
feature = "{feature}"
title = {both(f"{feature}, case {version}", f"{feature}，用例 {version}")}
statement = {both("The tool answers and keeps its answer.", "该工具有应答并信守其应答。")}
trials = {times}
[[checks.steps]]
do = "run"
id = "ask"
argv = ["{{command}}", "claim", "{feature}"]
expect = [{{ expect = "exit", code = 0 }}, {{ expect = "lacks", text = "denied" }}]
[[checks.steps]]
do = "race"
id = "race"
contenders = 2
argv = ["{{command}}", "claim", "{feature}", "{{i}}"]
winner = [{{ expect = "exit", code = 0 }}]
winners = 1"""
        )
    return "\n".join(lines) + "\n"


def _licenses() -> str:
    rows = [
        f"""[[rows]]
id = "{arm}"
name = "{arm}"
version = "1.0"
use = {both("The subject.", "研究对象。")}
declared = {{ metadata = "stated", expression = "MIT", where = "METADATA, License-Expression" }}
detected = {{ text = "absent", artifact = "{arm}-1.0-py3-none-any.whl", looked_for = ["LICENSE*"] }}
concluded = {{ conclusion = "none" }}"""
        for arm in ARMS
    ]
    return 'format = "sealbook.licenses/1"\n' + "\n".join(rows) + "\n"
