"""One harmless record of each kind that only a comparison has. Each call gives a fresh copy."""

from typing import Any

from runner.contract.comparison.metrics import Stream
from tests.comparisons import TEXT

Data = dict[str, Any]
MAIN, USES = "shop/sums.py", "shop/uses.py"
SHA256 = "0" * 64


def both() -> Data:
    """A text in both languages."""
    return {"en": "x", "zh": "x"}


def agent() -> Data:
    """Who acts."""
    return dict.fromkeys(("model", "tokenizer", "model_configuration", "harness", "host", "toolchain"), "x")


def acceptance() -> list[Data]:
    """A criterion of every rule."""
    rules: list[Data] = [
        {"rule": "signature", "path": MAIN, "symbol": "total", "signature": "(lines)"},
        {"rule": "defined_once", "path": MAIN, "symbol": "total"},
        {"rule": "calls", "path": MAIN, "symbol": "total", "places": [{"path": USES, "calls": 1}]},
        {"rule": "owned", "symbol": "total", "others": [USES]},
        {"rule": "output", "script": "fixtures/script.py", "prints": "3\n"},
        {"rule": "review", "files": [MAIN], "most_lines": 20},
        {"rule": "authority", "files": [MAIN]},
        {"rule": "noticed"},
        {"rule": "recovered", "path": USES, "keeps": ["first"]},
        {"rule": "probe", "commands": ["check"]},
    ]
    return [
        {"id": rule["rule"].replace("_", "-"), "requirement": both(), "rules": [rule, *rules[:1]]} for rule in rules
    ]


def probe() -> Data:
    """An independent tool."""
    commands = {name: ["{probe}", "x"] for name in ("check", "test", "run", "graph")}
    return {"tool": "looker", "seconds": 10, "output_bytes": 4096, "limits": both(), **commands}


def by_symbol() -> list[Data]:
    """What an agent of the lane by symbol can do to files."""
    named = {"path": MAIN, "symbol": "total", "expects": SHA256}
    return [
        {"op": "rename_symbol", "to": "all_of", "parameter": "unit", **named},
        {"op": "add_parameter", "name": "rate", "index": 1, "value": "x", **named},
        {"op": "add_parameter", "name": "rate", "index": 1, "value": "x", "path": MAIN, "symbol": "total"},
        {"op": "remove_parameter", "name": "unit", **named},
    ]


def by_text() -> list[Data]:
    """What an agent of the lane by text can do to files."""
    return [
        {"op": "replace_text", "path": USES, "old": "x", "new": "x", "expects": SHA256},
        {"op": "write_text", "path": "shop/new.txt", "content": "x", "expects": SHA256},
        {"op": "write_text", "path": "shop/new.txt", "content": "x"},
    ]


def transcript(lane: str, operations: list[Data]) -> Data:
    """A session with every action, and a tool call for each operation. In the lane by text nobody watches a review."""
    traffic = {"tool": "edit", "request_bytes": 5, "response_bytes": 7}
    actions: list[Data] = [
        {"action": "model_usage", "input_tokens": 10, "output_tokens": 2},
        {"action": "context_presentation", "bytes": 3},
        {"action": "identifying_inspection"},
        *({"action": "tool_call", "operation": operation, **traffic} for operation in operations),
        *({"action": name} for name in ("failed_attempt", "stale_failure", "stale_recovery_action")),
        *({"action": name, "ms": 3} for name in ("validation_interval", "review_interval")),
        {"action": "human_intervention"},
    ]
    return {
        "format": "sealbook.comparison.transcript/1",
        "fixture": True,
        "task": "narrow",
        "lane": lane,
        "agent": agent(),
        "streams": [stream.value for stream in Stream if lane != TEXT or stream is not Stream.review],
        "claimed_outcome": "x",
        "actions": actions,
    }


def detail() -> Data:
    """An attempt of which nothing could be counted, and of which nothing may be concluded."""
    return {
        "backend": "fixture",
        "fixture": True,
        "who": {"agent": "known", "about": agent()},
        "actions": 1,
        "drift_applications": 1,
        "turned_down": 0,
        "observed": {"observation": "unusable", "reason": "x"},
        "ineligible": [{"because": "scripted-model", "text": "x"}, {"because": "record-not-whole", "text": "x"}],
    }


def events() -> list[Data]:
    """Every event that only a comparison has; an agent is told why each of its operations was not carried out."""
    operations = [*by_symbol(), *by_text()]
    calls = transcript(TEXT, operations)["actions"]
    return [
        *(
            {"event": "acted", "performed": {"action": call, "result": result, "said": "x"}}
            for call, result in zip(calls, ("turned-down", "stale", "forbidden") * len(calls), strict=False)
        ),
        {
            "event": "drifted",
            "path": USES,
            **dict.fromkeys(("patch_sha256", "before_sha256", "after_sha256"), SHA256),
        },
        {"event": "probed", "tool": "looker", "before_sha256": SHA256, "after_sha256": SHA256},
    ]


def facts() -> Data:
    """What a run found: a library, a probe, and a probe that it did not."""
    file = {"path": "looker", "bytes": 1, "sha256": SHA256}
    return {
        "kind": "comparison",
        "backend": "fixture",
        "fixture": True,
        "library": {"name": "x", "version": "x"},
        "probes": [{"probe": "found", "tool": "looker", "file": file}, {"probe": "absent", "tool": "other"}],
    }
