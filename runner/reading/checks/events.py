"""Whether an attempt's events bear out its verdicts, its counts and its times."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.errors import Problem
from runner.contract.events import Event, FaultEvent, JudgedEvent, Output, ProcessEvent, StoppedEvent
from runner.contract.evidence import Timing
from runner.reading.checks.published import faults_of

_REMEDY = "do not rely on this run"


def check_events(attempt: Attempt, events: Sequence[Event]) -> Iterator[Problem]:
    """Problems between one attempt and its events."""
    file = attempt.events or "attempts.jsonl"
    judged: dict[str, set[Verdict]] = defaultdict(set)
    for event in events:
        if isinstance(event, JudgedEvent):
            judged[event.criterion].add(event.verdict)
    named = {criterion.id for criterion in attempt.criteria}
    for unknown in sorted(set(judged) - named):
        yield Problem(file, "", f"judges {unknown}, which is no criterion of {attempt.attempt}", _REMEDY)
    for criterion in attempt.criteria:
        if not _borne_out(criterion.verdict, judged[criterion.id]):
            seen = ", ".join(sorted(verdict.value for verdict in judged[criterion.id])) or "nothing"
            what = f"{criterion.id} is stated as {criterion.verdict.value}, the events judge {seen}"
            yield Problem(file, "", what, _REMEDY)
    for number, event in enumerate(events, 1):
        for name, output in _outputs(event):
            if what := faults_of(output):
                yield Problem(file, f"line {number}: {name}", what, _REMEDY)
    faults = any(isinstance(event, FaultEvent) for event in events)
    if faults and attempt.outcome is not Outcome.failed_to_run:
        yield Problem(file, "", f"records a fault of the runner in an attempt {attempt.outcome.value}", _REMEDY)


def replaced_in(events: Sequence[Event]) -> int:
    """How many paths the kept output of these events says were replaced."""
    return sum(output.replaced for event in events for _, output in _outputs(event))


def _outputs(event: Event) -> tuple[tuple[str, Output], ...]:
    if isinstance(event, ProcessEvent | StoppedEvent):
        return ("stdout", event.stdout), ("stderr", event.stderr)
    return ()


def check_timing(number: int, timing: Timing, events: int) -> Iterator[Problem]:
    """Problems of one line of timings.jsonl, for an attempt with so many events."""
    if len(timing.event_ns) != events:
        what = f"{timing.attempt} has {events} events and {len(timing.event_ns)} instants"
        yield Problem("timings.jsonl", f"line {number}", what, _REMEDY)
    instants = (timing.started_ns, *timing.event_ns, timing.ended_ns)
    if list(instants) != sorted(instants):
        yield Problem("timings.jsonl", f"line {number}", f"{timing.attempt} runs backwards", _REMEDY)


def _borne_out(stated: Verdict, judged: set[Verdict]) -> bool:
    """A criterion may be judged many times, once a repetition; one failure decides it."""
    if stated is Verdict.met:
        return judged == {Verdict.met}
    if stated is Verdict.not_met:
        return Verdict.not_met in judged
    return Verdict.not_met not in judged
