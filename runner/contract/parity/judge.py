"""Whether a finished call meets what its scenario states. Pure; decides on what the process really wrote."""

import json
from collections.abc import Iterator

from runner.contract.events import End, Exited
from runner.contract.parity.tasks import AskStep, CallStep, Members
from runner.contract.qualification.judge import SHOWN, Finished, Judgement
from runner.contract.values import without_surrogates


def judge_call(step: CallStep | AskStep, finished: Finished) -> Iterator[tuple[str, Judgement]]:
    """Every stated expectation of a call with what was seen, by criterion."""
    expect = step.expect
    met = finished.end == Exited(code=expect.exit)
    yield f"{step.id}.exit", Judgement(met, f"exit {expect.exit}", status(finished.end))
    if expect.records is not None:
        found = records(finished.stdout.kept) if finished.stdout.complete else None
        met = found is not None and _fit(expect.records, found)
        yield f"{step.id}.records", Judgement(met, _told(expect.records), "no JSON" if found is None else _told(found))
    if expect.holds:
        said = f"{finished.stdout.text}\n{finished.stderr.text}"
        missing = [text for text in expect.holds if text not in said]
        yield (
            f"{step.id}.holds",
            Judgement(not missing, _told(expect.holds), f"without {_told(missing)}" if missing else "all"),
        )


def records(stdout: bytes) -> tuple[dict[str, object], ...] | None:
    """The JSON objects that stand on stdout, one a line, in order. Other lines are passed over.

    None if a line that begins like an object is none.
    """
    found: list[dict[str, object]] = []
    for line in stdout.decode("utf-8", "backslashreplace").splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                return None
    return tuple(found)


def status(end: End) -> str:
    """How a call ended, in a word or two."""
    return f"exit {end.code}" if isinstance(end, Exited) else end.end


def _fit(expected: tuple[Members, ...], found: tuple[dict[str, object], ...]) -> bool:
    return len(expected) == len(found) and all(
        name in seen and type(seen[name]) is type(value) and seen[name] == value
        for members, seen in zip(expected, found, strict=True)
        for name, value in members.items()
    )


def _told(value: object) -> str:
    text = without_surrogates(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"
