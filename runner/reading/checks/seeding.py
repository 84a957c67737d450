"""Whether the processes that a measurement tells of, beside its samples, are those that the plan starts."""

from collections.abc import Iterator, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import Problem
from runner.contract.events import Event, ProcessEvent
from runner.contract.parity.measurement import step_of
from runner.contract.parity.timing import Measure, TimingProtocol
from runner.reading.checks.calls import Calls, started
from runner.reading.checks.published import fits

_REMEDY = "do not rely on this run"


def check_seeding(attempt: Attempt, events: Sequence[Event], calls: Calls) -> Iterator[Problem]:
    """Problems between the processes that a measurement tells of and what it may start beside its samples."""
    known = _around_samples(calls)
    for number, event in enumerate(events, 1):
        if isinstance(event, ProcessEvent):
            words = known.get(event.step, [None])
            right = next((item for item in words if item and fits(list(event.argv), list(item))), words[0])
            for what in started(event, right, calls):
                yield Problem(attempt.events or "attempts.jsonl", f"line {number}", what, _REMEDY)


def _around_samples(calls: Calls) -> dict[str, list[tuple[str, ...]]]:
    """The words that a process may have, by the step that its event names."""
    timing, daemon = calls.design.timing, calls.design.daemon
    found: dict[str, list[tuple[str, ...]]] = {}
    for variant in (timing.base, timing.head):
        starting = {step: words for step in calls.order if (words := calls.words(step))}
        for step, words in starting.items():
            found.setdefault(step_of(variant, step), []).append(words)
        if daemon is None or not isinstance(timing, TimingProtocol):
            continue
        found.setdefault(step_of(variant, "stop"), []).append(calls.published(daemon.stop))
        for measure in (Measure.warm, Measure.burst):
            asking = ("{attempt}/client.py", f"{{run}}/{daemon.receipt}", str(timing.count(measure)), "--")
            words = calls.published((*asking, *timing.request))
            found.setdefault(step_of(variant, measure.value), []).append(words)
    return found
