"""One harmless record of each kind that only a parity study has. Each call gives a fresh copy."""

from typing import Any

Data = dict[str, Any]
SHA256 = "0" * 64


def both() -> Data:
    """A text in both languages."""
    return {"en": "x", "zh": "x"}


def rules() -> list[Data]:
    """A rule of every form."""
    common = {
        "rule_class": "declared",
        "title": both(),
        "reason": both(),
        "variants": ["head"],
        "scenarios": ["clean"],
        "entries": ["state/**"],
    }
    places = {"places": ["/at"]}
    forms = ("any-value", "own-revision", "temporary-path", "process-id")
    rules: list[Data] = [{"form": form, "id": form, **common, **places} for form in forms]
    return [*rules, {"form": "whole-entry", "id": "whole-entry", **common, "but_not": ["state/own"]}]


def details() -> dict[str, Data]:
    """What each kind of attempt did, by its arm; `head` stands for all variants that are held against another."""
    comparison = {
        "compared": "yes",
        "against": "base",
        "entries": 1,
        "equal": 0,
        "spelling": 0,
        "explained": [{"rule": "any-value", "places": 1}],
        "unexplained": 0,
    }
    counts = {"did": "scenario", "calls": 1, "asked": 1, "restarts": 1}
    mutant = {"did": "mutant", "file": "tally/core.py", "matches": 1, "original_sha256": SHA256}
    return {
        "head": _detail({**counts, "comparison": comparison}),
        "base": _detail({**counts, "comparison": {"compared": "no"}}),
        "mutant": _detail({**mutant, "mutant_sha256": SHA256, "failed": ["first.exit"]}),
        "measurement": _detail(
            {"did": "measurement", "samples": [{"measure": "warm", "variant": "base", "planned": 1, "taken": 1}]}
        ),
    }


def _detail(what: Data) -> Data:
    return {"kind": "parity", "what": what}


def inventory(attempt: str) -> Data:
    """What one attempt put out."""
    entry = {"path": "calls/seed/stdout", "form": "json", "bytes": 1, "sha256": SHA256, "value_sha256": SHA256}
    return {"attempt": attempt, "processes": [1], "entries": [entry]}


def comparison(left: str, right: str) -> Data:
    """A difference of every kind."""
    leaf = {"pointer": "/at", "left": '"x"', "right": None, "rule": "any-value"}
    kinds = ("spelling", "bytes", "container")
    return {
        "left": left,
        "right": right,
        "entries": 6,
        "equal": 0,
        "differences": [
            {"difference": "values", "path": "calls/a", "leaves": [leaf, {**leaf, "right": '"y"', "rule": None}]},
            {"difference": "whole", "path": "calls/b", "rule": "whole-entry"},
            {"difference": "one-side", "path": "calls/c", "side": "left"},
            *({"difference": kind, "path": f"calls/{kind}"} for kind in kinds),
        ],
    }


def samples(attempt: str) -> Data:
    """One sample taken and one failed of everything; the host says little."""
    taken = {"sample": "taken", "ns": 1, "sha256": SHA256}
    failed = {"sample": "failed", "why": "x"}
    unknown = {"fact": "unknown", "reason": "x"}
    host = {
        "cpu_model": {"fact": "name", "value": "x"},
        "cpus": {"fact": "number", "value": 2},
        "governor": unknown,
        "load_hundredths": unknown,
        "runnable": unknown,
    }
    daemons = [
        {
            "variant": variant,
            **{measure: [taken, failed] for measure in ("cold", "warm", "burst")},
            "memory": [{"when": "idle", "resident_bytes": 1, "highest_bytes": 1}],
            "process_begin": 1,
            "process_end": 1,
        }
        for variant in ("base", "head")
    ]
    return {
        "attempt": attempt,
        "base": "base",
        "head": "head",
        "pairs": [{"base_first": True, "base": taken, "head": failed}],
        "daemons": daemons,
        "around": {"before": host, "after": host, "cpu_time": unknown},
    }


DECIDED = (("20261202T030405Z", "2026-12-02T03:04:05Z"), ("20261203T030405Z", "2026-12-03T03:04:05Z"))
"""Name and instant of two decisions."""


def decision(name: str, decided_at: str, study: str, run: str, seal: str) -> Data:
    """A decision of the owner on one hold of each kind."""
    return {
        "format": "sealbook.decision/1",
        "decision": name,
        "study": study,
        "run": run,
        "seal_sha256": seal,
        "holds": [
            {"hold": "gate", "row": "files-clean", "number": 0},
            {"hold": "finding", "attempt": "head.files-clean.1", "criteria": ["x"]},
        ],
        "ruling": "not-taken",
        "owner": {"name": "x", "role": "x"},
        "decided_at": decided_at,
        "reason": both(),
    }


def events() -> list[Data]:
    """Every event that only a parity study has, and what its receipts and its mutant show of the others."""
    output = {"text": "x", "total_bytes": 1, "kept_bytes": 1, "sha256": SHA256, "replaced": 0}
    process = {"step": "command", "argv": ["x"], "cwd": "x", "env": ["NAME"], "clock_shift_seconds": 0, "instance": 0}
    judged = {"step": "first", "criterion": "first.exit", "expected": "x", "observed": "x"}
    return [
        {"event": "process", "end": {"end": "not-spawned", "why": "x"}, "stdout": output, "stderr": output, **process},
        {"event": "judged", "instance": 0, "verdict": "met", **judged},
        {"event": "mutant-judged", "met": False, **judged},
        {"event": "sampled", "measure": "warm", "variant": "base", "planned": 1, "taken": 1},
    ]


def facts() -> Data:
    """What a run found of its variants."""
    variants = [
        {
            "variant": name,
            "artifact": {"path": "tally-1.0.tar.gz", "bytes": 1, "sha256": SHA256},
            "files": 1,
            "tree": SHA256,
            "extensions": 0,
            "same_as": against,
            "same_files": 1,
            "other_files": ["core.py"],
            "more_files": 0,
            "missing_files": 0,
        }
        for name, against in (("base", None), ("head", "base"), ("wheel", "head"), ("sdist", "head"))
    ]
    return {"kind": "parity", "python": "x", "harness": SHA256, "variants": variants}


def commit_facts() -> Data:
    """What a run found of two commits."""
    changes = [
        {"path": "a", "status": "modified", "change": {"lines": "counted", "added": 1, "deleted": 2}},
        {"path": "b", "status": "added", "change": {"lines": "binary"}},
    ]
    common = {"origin": "commit", "files": 1, "tree": SHA256}
    variants = [
        {"variant": "base", "commit": "1" * 40, "against": None, "changes": [], **common},
        {"variant": "head", "commit": "2" * 40, "against": "base", "changes": changes, **common},
    ]
    return {"kind": "parity", "python": "x", "harness": SHA256, "variants": variants}
