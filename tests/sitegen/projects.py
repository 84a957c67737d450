"""Writes whole small projects: content in both languages, a study, and sealed runs of it."""

import shutil
from pathlib import Path

from runner.contract.attempt import Outcome
from tests.factories import ScriptedKind, a_sealed_run
from tests.studies import a_study, both

RUN = "20261130T010203Z"
REJECTED = "exclusive-claim-kept"
"""The one check that the subject fails."""
PROTOCOL = "content/protocols/tiny/1.0.{}.md"
RESULT = "content/results/2026-11-30-first.{}.md"

TEXTS = {
    "content/site.toml": f"title = {both('Tiny evidence', '小证据')}\ndescription = {both('Small.', '小。')}\n",
    PROTOCOL.format("en"): """+++
title = "Tiny protocol"
version = "1.0"
date = "2026-11-30"
status = "active"
summary = "How the tiny study is made."
+++

## Scope

See [the result](../../results/2026-11-30-first.en.md#findings).

```bash
sealbook run tiny
```
""",
    PROTOCOL.format("zh"): """+++
title = "小规程"
version = "1.0"
date = "2026-11-30"
status = "active"
summary = "小研究如何进行。"
+++

## 范围

参见[结果](../../results/2026-11-30-first.zh.md#发现)。**已冻结，**不得更改。

```bash
sealbook run tiny
```
""",
    RESULT.format("en"): f"""+++
title = "First result"
date = "2026-11-30"
study = "tiny"
run = "{RUN}"
status = "qualification"
summary = "What the tiny study found."
+++

## Findings

Accepted: {{value}}`/tally/accepted` of {{value}}`/tally/planned`.
""",
    RESULT.format("zh"): f"""+++
title = "首个结果"
date = "2026-11-30"
study = "tiny"
run = "{RUN}"
status = "qualification"
summary = "小研究的发现。"
+++

## 发现

计划 {{value}}`/tally/accepted` 次，接受 {{value}}`/tally/planned` 次。
""",
}


def a_project(
    root: Path,
    *,
    title: str = "Tiny study",
    output: str = '{"held": true}\n',
    artifacts: dict[str, bytes] | None = None,
) -> Path:
    """A whole project with one published run in which one check was rejected."""
    for path, text in TEXTS.items():
        write(root, path, text)
    kind = ScriptedKind({REJECTED: Outcome.rejected}, output=output, artifacts=artifacts or {})
    sealed = a_sealed_run(root, a_study(root / "manifests", title=title), kind)
    assert sealed.run.run == RUN
    published = root / "manifests" / "tiny" / "evidence" / RUN
    shutil.copytree(sealed.folder, published)
    shutil.rmtree(root / ".sealbook")
    for scratch in ("work-root", "prepared"):
        shutil.rmtree(root / scratch)
    return root


def write(root: Path, path: str, text: str) -> None:
    """Write one file of a project."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8", newline="")


def replace(root: Path, path: str, old: str, new: str) -> None:
    """Change one file of a project."""
    text = (root / path).read_text(encoding="utf-8")
    assert old in text, f"{path} does not hold {old!r}"
    write(root, path, text.replace(old, new, 1))
