"""Ties tests to the rules and field reports they prove.

A test names them with `@pytest.mark.rule("R1", "R2")` and `@pytest.mark.report("A1")`. An id that docs/ does not know
is a collection error. Outcomes are kept for tests/tools/rules.py, which prints and records them; with pytest-xdist the
controller collects what the workers report.
"""

import json
import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

DOCUMENTS = {"rule": "docs/requirements.md", "report": "docs/field-reports.md"}
OUTCOMES_FILE = ".pytest_cache/rule-outcomes.json"
_LISTED = re.compile(r"^- \*\*([A-Z][0-9]+)\*\* (.+)$", re.MULTILINE)
_PROPERTY = "proves"


def listed(root: Path, marker: str) -> dict[str, str]:
    """The ids that the marker's document lists, with their texts, in its order."""
    return dict(_LISTED.findall((root / DOCUMENTS[marker]).read_text(encoding="utf-8")))


def named(item: pytest.Item) -> list[tuple[str, Any]]:
    """Every (marker, id) that a test names."""
    return [(kind, name) for kind in DOCUMENTS for mark in item.iter_markers(kind) for name in mark.args]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the tool that prints the rules wants its files."""
    group = parser.getgroup("rules and reports")
    group.addoption("--rule-index", metavar="FILE", help="write which test proves what")
    group.addoption("--rule-outcomes", metavar="FILE", help=f"merge outcomes into this file ({OUTCOMES_FILE})")


def pytest_configure(config: pytest.Config) -> None:
    """Collect for this run, unless this process is a worker, whose controller does."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(config), "rule-outcomes")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, Any]:
    """Fail the collection of a module or class that holds a wrong marker."""
    report = yield
    known = collector.config.stash.get(_KNOWN, None)
    if known is None:
        known = {kind: listed(collector.config.rootpath, kind) for kind in DOCUMENTS}
        collector.config.stash[_KNOWN] = known
    wrong = [
        complaint for item in report.result if isinstance(item, pytest.Item) for complaint in complaints(item, known)
    ]
    if wrong:
        report.outcome = "failed"
        report.longrepr = "\n".join(dict.fromkeys(wrong))
        report.result = []
    return report


_KNOWN = pytest.StashKey[dict[str, dict[str, str]]]()


def complaints(item: pytest.Item, known: dict[str, dict[str, str]]) -> list[str]:
    """What is wrong with the markers of one test."""
    where = item.nodeid.split("[")[0]
    empty = [
        f"{where}: @pytest.mark.{mark.name} names no id"
        for kind in DOCUMENTS
        for mark in item.iter_markers(kind)
        if not mark.args
    ]
    unknown = [
        f"{where}: {name!r} is no {kind} id of {DOCUMENTS[kind]}"
        for kind, name in named(item)
        if not isinstance(name, str) or name not in known[kind]
    ]
    return empty + unknown


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each report say what its test proves, before others deselect tests."""
    for item in items:
        ids = [name for _, name in named(item)]
        if ids:
            item.user_properties.append((_PROPERTY, ids))


class Outcomes:
    """What the tests that prove something came to, in this run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.index: dict[str, list[str]] = {}
        self.outcomes: dict[str, str] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which tests prove something."""
        for item in items:
            ids = dict(item.user_properties).get(_PROPERTY)
            if isinstance(ids, list):
                self.index[item.nodeid] = ids

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst of a test's three phases. An expected failure proves nothing."""
        if _PROPERTY not in dict(report.user_properties):
            return
        outcome = "failed" if hasattr(report, "wasxfail") else report.outcome
        telling = report.when == "call" or outcome != "passed"
        if telling and self.outcomes.get(report.nodeid) != "failed":
            self.outcomes[report.nodeid] = outcome

    def pytest_sessionfinish(self) -> None:
        """Write what this run adds; outcomes of tests that did not run now stay."""
        index = self.config.getoption("--rule-index")
        if index:
            Path(index).write_text(json.dumps(self.index), encoding="utf-8")
        if self.outcomes:
            path = Path(self.config.getoption("--rule-outcomes") or self.config.rootpath / OUTCOMES_FILE)
            before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(f".{os.getpid()}")
            written.write_text(json.dumps(before | self.outcomes, sort_keys=True), encoding="utf-8")
            written.replace(path)  # two runs at once never see half a file
