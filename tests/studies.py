"""Writes small manifests in which every feature has a check or is not offered, and reads them back."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.contract.qualification.design import Feature
from runner.contract.seal import digest
from runner.reading.manifest import FrozenStudy, read_study

HELP = "fixtures/help/tool.txt"
NOT_OFFERED = (Feature.crash, Feature.replay, Feature.source_tests)


def a_study(
    folder: Path,
    *,
    study: str = "tiny",
    subjects: Iterable[str] = ("tool",),
    gated: Iterable[str] = ("hidden",),
    trials: int = 1,
    slow: Iterable[Feature] = (),
    title: str = "Tiny study",
    check: str = "{}-kept",
    tier: str = "process",
    found: Iterable[str] = (),
) -> FrozenStudy:
    """Write the study `folder/<study>` and read it. Each feature has one check or is not offered.

    The artifacts of the subjects in `found` hold a license text. `check` names a check after its feature.
    """
    place = folder / study
    files = {"licenses.toml": _licenses(subjects, frozenset(found)), HELP: "usage: tool [claim]\n"}
    for subject in subjects:
        files[f"tasks/{subject}.toml"] = _tasks(subject, trials, frozenset(slow), title, check)
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8", newline="")
    pins = {path: digest(text.encode()) for path, text in files.items()}
    text = _study(study, tuple(subjects), tuple(gated), pins, title, tier)
    (place / "study.toml").write_text(text, encoding="utf-8", newline="")
    return read_study(place)


def quoted(text: str) -> str:
    """A TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def both(en: str, zh: str | None = None) -> str:
    """A TOML text in both languages."""
    return f"{{ en = {quoted(en)}, zh = {quoted(zh or en)} }}"


def _study(
    study: str, subjects: tuple[str, ...], gated: tuple[str, ...], pins: Mapping[str, str], title: str, tier: str
) -> str:
    lines = [
        'format = "sealbook.study/1"',
        f"id = {quoted(study)}",
        f"title = {both(title, '小研究')}",
        f"question = {both('Does the tool keep its promises?', '该工具是否信守承诺？')}",
        'protocol = { id = "tiny", version = "1.0" }',
        "quick = true",
        f"tier = {quoted(tier)}",
        "caps = { attempt_seconds = 60, process_seconds = 10, output_bytes = 65536 }",
        f"claims = [{{ id = 'kept', text = {both('Promises are kept.', '承诺得到信守。')} }}]",
        f"limits = [{{ id = 'scripted', text = {both('Crashes are scripted.', '崩溃按脚本发生。')} }}]",
        *(f"[[pinned]]\npath = {quoted(path)}\nsha256 = {quoted(pins[path])}" for path in sorted(pins)),
        '[design]\nkind = "qualification"\nversion = 1',
    ]
    lines += [_installed(subject) for subject in subjects]
    lines += [_gated(subject) for subject in gated]
    return "\n".join(lines) + "\n"


def _installed(subject: str) -> str:
    return f"""[[design.subjects]]
availability = "installed"
id = {quoted(subject)}
title = {both(subject.title())}
summary = {both("Keeps promises.", "信守承诺。")}
homepage = "https://example.org/{subject}"
distribution = {quoted(subject)}
command = {quoted(subject)}
tasks = ["tasks/{subject}.toml"]
curated = ["{subject}/main.py"]
[[design.subjects.artifacts]]
name = {quoted(subject)}
version = "1.0"
file = "{subject}-1.0-py3-none-any.whl"
sha256 = "{digest(subject.encode())}"
role = "subject\""""


def _gated(subject: str) -> str:
    return f"""[[design.subjects]]
availability = "access-gated"
id = {quoted(subject)}
title = {both(subject.title())}
summary = {both("Not public.", "未公开。")}
reason = {both("Its source is not public.", "其源代码未公开。")}"""


def _tasks(subject: str, trials: int, slow: frozenset[Feature], title: str, check: str) -> str:
    lines = ['format = "sealbook.qualification.tasks/1"', f"subject = {quoted(subject)}"]
    for feature in Feature:
        if feature in NOT_OFFERED:
            lines.append(
                f"""[[not_offered]]
feature = {quoted(feature.value)}
reason = {both("The help names no such command.", "帮助中没有这样的命令。")}
argv = ["{{command}}", "--help"]
help = {quoted(HELP)}"""
            )
            continue
        lines.append(
            f"""[[checks]]
id = {quoted(check.format(feature.value))}
feature = {quoted(feature.value)}
title = {both(f"{title}: {feature.value}", f"检查：{feature.value}")}
statement = {both("The tool answers.", "工具有应答。")}
trials = {trials}
slow = {str(feature in slow).lower()}
[[checks.steps]]
do = "run"
id = "ask"
argv = ["{{command}}", "claim"]
expect = [{{ expect = "exit", code = 0 }}, {{ expect = "lacks", text = "no" }}]"""
        )
    return "\n".join(lines) + "\n"


def _licenses(subjects: Iterable[str], found: frozenset[str]) -> str:
    absent = 'detected = {{ text = "absent", artifact = "{0}-1.0-py3-none-any.whl", looked_for = ["LICENSE*"] }}'
    present = (
        'detected = {{ text = "found", artifact = "{0}-1.0-py3-none-any.whl", path = "LICENSE", '
        f'sha256 = "{digest(b"MIT")}", reads_as = "MIT", detector = "read by hand" }}}}'
    )
    rows = [
        f"""[[rows]]
id = {quoted(subject)}
name = {quoted(subject)}
version = "1.0"
use = {both("The subject.", "研究对象。")}
declared = {{ metadata = "stated", expression = "MIT", where = "METADATA, License-Expression" }}
{(present if subject in found else absent).format(subject)}
concluded = {{ conclusion = "none" }}"""
        for subject in subjects
    ]
    return 'format = "sealbook.licenses/1"\n' + "\n".join(rows) + "\n"
