"""A project that has one of everything a page can show: results, unpublished runs, failures, a rules record."""

import json
import re
import shutil
from pathlib import Path

from runner.contract.attempt import Outcome
from runner.reading.manifest import read_study
from tests.factories import COMMIT, ScriptedKind, a_sealed_run
from tests.sitegen.projects import RESULT, RUN, a_project, write
from tests.sitegen.reported import NAME, write_report

UNPUBLISHED = "20261130T050607Z"
OUTCOMES = {
    "identity-kept": Outcome.rejected,
    "hold-expiry-kept": Outcome.rejected,
    "persistence-kept": Outcome.failed_to_run,
    "replay-kept": Outcome.timed_out,
    "fail-closed-kept": Outcome.failed_to_run,
    "dead-owner-kept": Outcome.timed_out,
}
"""How checks of the unpublished run end; the others are accepted."""
NOT_RUN = """+++
title = "{title}"
date = "2026-11-29"
study = "tiny"
status = "not run"
summary = "{summary}"
+++

## {heading}

{text}
"""
EARLIER = """+++
title = "{title}"
version = "0.9"
date = "2026-11-28"
status = "superseded"
summary = "{summary}"
+++

## {heading}

{text}

```bash
sealbook run tiny --quick
```
"""
INSERTS = """
Of {literal}`12` checks {value}`attempts.jsonl#tool.exclusive-claim-kept.1/outcome` was one; it is about
{claim}`kept`.

:::{claims}
:::

:::{table} features
:::

:::{table} findings
:::

:::{chart} counts
:::

:::{limits}
:::
"""
"""What a text can place, in the result of the published run."""
RECORD = {
    "format": 1,
    "commit": COMMIT,
    "dirty": False,
    "recorded_at": "2026-11-30T06:00:00Z",
    "rules": [
        {
            "id": "R1",
            "text": "One command takes a source checkout.",
            "status": "proved",
            "tests": [{"test": "tests/test_x.py::test_one", "outcome": "passed", "cases": {"passed": 2}}],
        },
        {"id": "R2", "text": "Builds its own binary.", "status": "no test", "tests": []},
    ],
    "reports": [
        {
            "id": "A1",
            "text": "Errors leave the denominator.",
            "status": "failed",
            "tests": [{"test": "tests/test_x.py::test_two", "outcome": "failed", "cases": {"failed": 1}}],
        }
    ],
}


def a_full_project(root: Path, *, output: str = '{"held": true}\n', title: str = "Tiny study") -> Path:
    """A published run with a result, a result that was not run, and an unpublished run with failures of each kind.

    Its protocol has an earlier version, and beside it stands a record of what somebody else published.
    """
    a_project(root, output=output, title=title)
    for language, words in {
        "en": ("A second site", "Nobody ran it.", "Plan", "Nothing yet."),
        "zh": ("第二处", "尚无人运行。", "计划", "暂无。"),
    }.items():
        text = NOT_RUN.format(**dict(zip(("title", "summary", "heading", "text"), words, strict=True)))
        write(root, f"content/results/2026-11-29-second.{language}.md", text)
        path = RESULT.format(language)
        write(root, path, (root / path).read_text(encoding="utf-8") + INSERTS)
    for language, words in {
        "en": ("Tiny protocol", "How it was meant to be made.", "Scope", "Nothing is linked."),
        "zh": ("小规程", "原本打算如何进行。", "范围", "没有链接。"),
    }.items():
        text = EARLIER.format(**dict(zip(("title", "summary", "heading", "text"), words, strict=True)))
        write(root, f"content/protocols/tiny/0.9.{language}.md", text)
    write(root, "docs/rules-record.json", json.dumps(RECORD))
    write_report(root)
    frozen = read_study(root / "manifests" / "tiny")
    kind = ScriptedKind(OUTCOMES, output=output, private={"diagnostics.txt": b"kept back\n"})
    sealed = a_sealed_run(root, frozen, kind, started_at="2026-11-30T05:06:07Z")
    assert sealed.run.run == UNPUBLISHED
    for scratch in ("work-root", "prepared"):
        shutil.rmtree(root / scratch)
    return root


def main_of(page: str) -> str:
    """What stands inside `<main>`: the rest is the same on every page."""
    found = re.search(r"<main[^>]*>\n(.*)</main>", page, re.DOTALL)
    assert found is not None
    return found[1]


def steady(page: str) -> str:
    """A page without what changes whenever the form of the evidence does: digests, sizes and spans."""
    page = re.sub(r"[0-9a-f]{64}", "‹sha256›", page)
    page = re.sub(r"[0-9a-f]{56}(?=<)", "‹rest›", page)
    page = re.sub(r"(>)[0-9a-f]{8}(<)", r"\1‹hex›\2", page)
    page = re.sub(r'(font-weight="600">)[0-9a-f](</text>)', r"\1x\2", page)
    page = re.sub(r"\b[0-9,]+(?=[\u00a0 ]B\b)", "‹n›", page)
    page = re.sub(r"(ns&#34;:\[?)[0-9,]+", r"\1‹ns›", page)
    return re.sub(r"\b[0-9]+\u00a0ms", "‹n> ms", page)


PAGES = {
    "home": "index.html",
    "results": "results/index.html",
    "result": "results/2026-11-30-first.html",
    "result-not-run": "results/2026-11-29-second.html",
    "run": f"runs/tiny/{UNPUBLISHED}.html",
    "two-runs": f"runs/tiny/{RUN}...{UNPUBLISHED}.html",
    "reported-list": "reported/index.html",
    "reported": f"reported/{NAME}.html",
    "protocols": "protocols/index.html",
    "protocol": "protocols/tiny/1.0.html",
    "protocol-difference": "protocols/tiny/0.9...1.0.html",
    "studies": "studies/index.html",
    "study": "studies/tiny/index.html",
    "attempt-index": "attempts/index.html",
    "attempt-table": f"attempts/tiny/{UNPUBLISHED}/index.html",
    "attempt": f"attempts/tiny/{UNPUBLISHED}/tool.identity-kept.1.html",
    "claims": "claims/index.html",
    "licenses": "licenses/index.html",
    "reviews": "reviews/index.html",
    "evidence-index": "evidence/index.html",
    "evidence": f"evidence/tiny/{UNPUBLISHED}.html",
    "rules": "rules/index.html",
    "schemas": "schemas/index.html",
    "schema": "schemas/attempt.html",
    "glossary": "glossary/index.html",
    "search": "search/index.html",
}
"""One page of each kind, below the folder of a language."""
