"""Writes a small project with a past: results that were withdrawn or superseded beside the ones that stand."""

from pathlib import Path

from tests.sitegen.projects import RUN, a_project, write

WITHDRAWN = "2026-11-28-early"
SUPERSEDED = "2026-11-30-first"
STANDING = "2026-12-02-third"

EARLY = """+++
title = "{title}"
date = "2026-11-28"
study = "tiny"
status = "withdrawn"
was = "not run"
changed = "2026-12-01"
reason = "{reason}"
summary = "{summary}"
+++

## {heading}

{text}
"""
FIRST = """+++
title = "{title}"
date = "2026-11-30"
study = "tiny"
run = "{run}"
status = "superseded"
was = "qualification"
changed = "2026-12-02"
reason = "{reason}"
successor = "2026-12-02-third"
summary = "{summary}"
+++

## {heading}

{text}
"""
THIRD = """+++
title = "{title}"
date = "2026-12-02"
study = "tiny"
run = "{run}"
status = "qualification"
summary = "{summary}"
+++

## {heading}

{text}
"""
KEYS = ("title", "reason", "summary", "heading", "text")
WORDS = {
    "en": {
        WITHDRAWN: ("An early plan", "It named the wrong tool.", "What was planned.", "Plan", "Nothing was run."),
        SUPERSEDED: (
            "First result",
            "The text called `claim` atomic.",
            "What was found first.",
            "Findings",
            "{value}`/tally/accepted` accepted.",
        ),
        STANDING: (
            "Third result",
            "",
            "The same run, told correctly.",
            "Findings",
            "{value}`/tally/accepted` accepted of {value}`/tally/planned`.",
        ),
    },
    "zh": {
        WITHDRAWN: ("早期计划", "写错了工具名。", "计划内容。", "计划", "未运行任何内容。"),
        SUPERSEDED: (
            "首个结果",
            "文中误称 `claim` 为原子操作。",
            "最初的发现。",
            "发现",
            "通过 {value}`/tally/accepted` 次。",
        ),
        STANDING: (
            "第三个结果",
            "",
            "同一次运行，更正后的说明。",
            "发现",
            "通过 {value}`/tally/accepted` 次，计划 {value}`/tally/planned` 次。",
        ),
    },
}
TEMPLATES = {WITHDRAWN: EARLY, SUPERSEDED: FIRST, STANDING: THIRD}


def result_file(name: str, language: str) -> str:
    """Where the document of a result lies in a project."""
    return f"content/results/{name}.{language}.md"


def a_history(root: Path) -> Path:
    """A project with one run, told by a superseded result and its successor, and a withdrawn plan without one."""
    a_project(root)
    for language, results in WORDS.items():
        for name, words in results.items():
            text = TEMPLATES[name].format(run=RUN, **dict(zip(KEYS, words, strict=True)))
            write(root, result_file(name, language), text)
    return root


VERSION = """+++
title = "{title}"
version = "{version}"
date = "{date}"
status = "{status}"
summary = "{summary}"
+++
"""
BODY_EN = """
## Scope

Each tool is asked once, and its answer is kept.
It answers in its own words.

## Unchanged

- One thing.
- Another thing.

```bash
sealbook run tiny
```

"""
BODY_ZH = """
## 范围

每个工具询问一次，回答予以保留。
它用自己的话作答。

## 未变

- 一件事。
- 另一件事。

```bash
sealbook run tiny
```

"""
VERSIONS = {
    "1.0": ("2026-11-30", "superseded"),
    "1.1": ("2026-12-01", "active"),
    "1.2": ("2026-12-02", "draft"),
}
EDITS = {
    "en": {
        "1.1": (("asked once", "asked twice"), ("## Unchanged", "## Left out\n\nNo crash is tried.\n\n## Unchanged")),
        "1.2": (("\n## Left out\n\nNo crash is tried.\n", ""), ("run tiny", "run tiny --quick")),
    },
    "zh": {
        "1.1": (("询问一次", "询问两次"), ("## 未变", "## 未包含\n\n没有试验崩溃。\n\n## 未变")),
        "1.2": (("\n## 未包含\n\n没有试验崩溃。\n", ""), ("run tiny", "run tiny --quick")),
    },
}


def protocol_file(version: str, language: str) -> str:
    """Where one version of the protocol lies in a project."""
    return f"content/protocols/tiny/{version}.{language}.md"


def three_versions(root: Path) -> Path:
    """Give the project three versions of its protocol: one superseded, one in force, one draft."""
    for language, first in (("en", BODY_EN), ("zh", BODY_ZH)):
        body = first
        title, summary = {"en": ("Tiny protocol", "How it is made."), "zh": ("小规程", "如何进行。")}[language]
        for version, (date, status) in VERSIONS.items():
            for old, new in EDITS[language].get(version, ()):
                assert old in body
                body = body.replace(old, new)
            front = VERSION.format(title=title, version=version, date=date, status=status, summary=summary)
            write(root, protocol_file(version, language), front + body)
    return root
