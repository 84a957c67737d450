"""One harmless record of each kind that carries text: what `project` then poisons. Each call gives a fresh copy."""

from typing import Any

from sitegen.sources.content import ProtocolFront, ResultFront
from tests.sitegen.pages import sample as pages
from tests.sitegen.projects import RUN

Data = dict[str, Any]
BOTH = {"en": "x", "zh": "x"}
OUTPUT = {"text": "x", "total_bytes": 1, "kept_bytes": 1, "sha256": "0" * 64, "replaced": 0}
PROCESS = {"step": "ask", "argv": ["{command}", "x"], "cwd": "x", "env": ["NAME"], "clock_shift_seconds": 0}


def check() -> Data:
    """A check with every step, boundary and expectation there is."""
    expectations: list[Data] = [
        {"expect": "exit", "code": 0},
        {"expect": "exit-nonzero"},
        {"expect": "holds", "stream": "stdout", "text": "x"},
        {"expect": "lacks", "text": "x"},
        {"expect": "json", "at": "/a", "value": "x"},
        {"expect": "json-differs", "at": "/a", "value": "x"},
        {"expect": "json-absent", "at": "/a"},
        {"expect": "json-count", "at": "/a", "count": 1, "where": {"/b": "x"}},
    ]
    boundaries = [
        {"at": "sqlite", "moment": "before", "statement": "COMMIT"},
        {"at": "output", "text": "x"},
        {"at": "file", "path": "x"},
    ]
    env = {"env": {"NAME": "x"}}
    run = {
        "do": "run",
        "id": "run",
        "argv": ["x", "y"],
        **env,
        "cwd": "below",
        "stdin": "x",
        "expect": expectations,
        "capture": [{"name": "token", "at": "/t"}],
        "publish": "answer",
    }
    return {
        "id": "everything",
        "feature": "identity",
        "title": dict(BOTH),
        "statement": dict(BOTH),
        "trials": 1,
        "steps": [
            run,
            {
                "do": "race",
                "id": "race",
                "argv": ["x"],
                **env,
                "contenders": 2,
                "winner": [dict(expectations[2])],
                "winners": 1,
            },
            *(
                {"do": "start", "id": f"start-{number}", "argv": ["x"], **env, "boundary": boundary}
                for number, boundary in enumerate(boundaries)
            ),
            {"do": "service", "id": "serve", "argv": ["{command}"], **env, "port": "broker"},
            {"do": "kill", "id": "kill", "target": "serve"},
            {"do": "wait", "id": "wait", "milliseconds": 1, "why": dict(BOTH)},
        ],
    }


def licenses() -> list[Data]:
    """Rows with every fact that a row can state."""
    found = {"text": "found", "artifact": "x", "path": "x", "sha256": "0" * 64, "reads_as": "x", "detector": "x"}
    concluded = {"conclusion": "concluded", "expression": "x", "by": "x", "on": "2026-11-30", "why": dict(BOTH)}
    row = {"id": "second", "name": "x", "version": "x", "use": dict(BOTH), "detected": found, "concluded": concluded}
    return [row | {"declared": {"metadata": "silent", "looked_at": "x"}}]


def events() -> list[Data]:
    """Every kind of event, with every way in which a process ends."""
    stopped = {"event": "stopped", "step": "ask", "by": "itself", "stdout": OUTPUT, "stderr": OUTPUT}
    streams = {"stdout": dict(OUTPUT), "stderr": dict(OUTPUT)}
    events: list[Data] = [
        {"event": "process", "instance": 0, "end": {"end": "exited", "code": 0}, **PROCESS, **streams},
        {"event": "process", "instance": 1, "end": {"end": "not-spawned", "why": "x"}, **PROCESS, **streams},
        {"event": "started", "boundary": "x", "reached": True, **PROCESS},
        {"event": "killed", "step": "ask", "target": "start", "gone": True},
        {"end": {"end": "signalled", "signal": 9}, **stopped},
        {"end": {"end": "timed-out"}, **stopped},
        {"event": "raced", "step": "ask", "contenders": 2, "winners": 1, "expected_winners": 1},
        {"event": "waited", "step": "ask", "milliseconds": 1},
        {"event": "captured", "step": "ask", "name": "x", "value": "x"},
        {"event": "leftover", "program": "x"},
        {"event": "fault", "message": "x"},
        {"event": "judged", "step": "ask", "criterion": "x", "instance": 0, "expected": "x", "observed": "x"}
        | {"verdict": "met"},
    ]
    return [_copy(event) for event in events]


def commitment() -> Data:
    """A file that is not published."""
    return {"attempt": "a.b.1", "name": "x", "bytes": 1, "salted_sha256": "0" * 64}


def facts(origin: str) -> Data:
    """A subject as installed, or built from a checkout of unknown origin."""
    files = [{"path": "tool/main.py", "bytes": 1, "sha256": "0" * 64}]
    artifact = {"name": "x", "version": "x", "file": "x", "sha256": "0" * 64, "role": "subject"}
    known: dict[str, Data] = {
        "pinned": {"artifacts": [artifact]},
        "checkout": {"source": {"source": "unknown", "reason": "x"}, "tree": "0" * 64},
    }
    subjects = [{"subject": "tool", "origin": origin, "files": files, **known[origin]}]
    return {"kind": "qualification", "version": 1, "subjects": subjects}


def environment() -> Data:
    """Where a run took place."""
    return {"cpus": 2} | dict.fromkeys(("python", "implementation", "system", "release", "machine"), "x")


def sources() -> tuple[Data, Data]:
    """A changed checkout, and nothing known."""
    return {"source": "commit", "commit": "0" * 40, "modified": ["x", "y"]}, {"source": "unknown", "reason": "x"}


def site() -> Data:
    """site.toml with every field."""
    address = "https://example.org/a"
    return {"title": dict(BOTH), "description": dict(BOTH), "base_url": address, "repository": address}


def documents() -> dict[str, tuple[type[ProtocolFront] | type[ResultFront], Data]]:
    """The front matter of every document, by its place without language."""
    named = {"title": "x", "summary": "x"}
    result = {"study": "tiny", **named}
    return {
        "content/protocols/tiny/1.0": (
            ProtocolFront,
            {"version": "1.0", "date": "2026-11-30", "status": "active", **named},
        ),
        "content/results/2026-11-30-first": (
            ResultFront,
            {"date": "2026-11-30", "status": "qualification", "run": RUN, **result},
        ),
        "content/results/2026-11-29-second": (ResultFront, {"date": "2026-11-29", "status": "not run", **result}),
        "content/results/2026-11-28-third": (
            ResultFront,
            {"date": "2026-11-28", "status": "superseded", "was": "qualification", "run": RUN, "changed": "2026-11-30"}
            | {"reason": "x", "successor": "2026-11-30-first", **result},
        ),
    }


def record() -> Data:
    """What the tests of rules came to."""
    return _copy(pages.RECORD)


def _copy(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _copy(value) for name, value in data.items()}
    return [_copy(item) for item in data] if isinstance(data, list | tuple) else data
