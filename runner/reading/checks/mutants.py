"""Whether the attempt with the mutant is what its detail, its calls and the declared mutation give."""

from collections.abc import Iterator, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import Problem
from runner.contract.events import Event, JudgedEvent, ProcessEvent
from runner.contract.parity.detail import MutantDetail
from runner.contract.parity.happenings import MutantJudgedEvent
from runner.contract.parity.mutant import is_mutated, judge_mutant, judge_original
from runner.contract.parity.tasks import ORIGINAL_UNCHANGED, of_scenario
from runner.reading.checks.calls import Calls, are_performed
from runner.reading.checks.replayed import differences

_REMEDY = "do not rely on this run"


def check_mutant(attempt: Attempt, what: MutantDetail, events: Sequence[Event], calls: Calls) -> Iterator[Problem]:
    """Problems of an attempt with the mutant."""
    for wrong in _of_detail(what, calls):
        yield Problem("attempts.jsonl", "", f"{attempt.attempt} {wrong}", _REMEDY)
    file = attempt.events or "attempts.jsonl"
    for wrong in (*_of_scenario(what, events, calls), *_of_verdicts(what, events, calls)):
        yield Problem(file, "", wrong, _REMEDY)


def _of_detail(what: MutantDetail, calls: Calls) -> Iterator[str]:
    mutation = calls.design.mutation
    if what.file != mutation.file:
        yield f"has changed {what.file}, declared is {mutation.file}"
    if (what.mutant_sha256 != what.original_sha256) is not (what.matches == 1):
        changed = "unchanged" if what.mutant_sha256 == what.original_sha256 else "changed"
        yield f"has the file {changed}, and its text was found {what.matches} times"


def _of_scenario(what: MutantDetail, events: Sequence[Event], calls: Calls) -> Iterator[str]:
    """Whether every criterion of the scenario was judged of the mutant, and those that failed are those stated."""
    judged = [event for event in events if isinstance(event, MutantJudgedEvent)]
    failed = tuple(event.criterion for event in judged if not event.met)
    if failed != what.failed:
        stated = ", ".join(what.failed) or "nothing"
        yield f"judges as failed {', '.join(failed) or 'nothing'}, attempts.jsonl states {stated}"
    wanted = set(of_scenario(calls.scenario))
    names = {event.criterion for event in judged}
    if not is_mutated(calls.design.mutation, what):
        if any(isinstance(event, ProcessEvent) for event in events):
            yield "starts processes, and there was no mutant"
    elif are_performed(calls, events) and names != wanted:
        yield f"does not judge of the mutant what is judged of a variant: {', '.join(sorted(names ^ wanted))}"


def _of_verdicts(what: MutantDetail, events: Sequence[Event], calls: Calls) -> Iterator[str]:
    """Whether the verdicts follow from all that."""
    mutation = calls.design.mutation
    end = next((item.end for item in events if isinstance(item, ProcessEvent) and item.step == mutation.call), None)
    judged = [event for event in events if isinstance(event, JudgedEvent)]
    found = next((event.observed for event in judged if event.criterion == ORIGINAL_UNCHANGED), "")
    given = dict((*judge_mutant(mutation, what, end), *judge_original(mutation, found)))
    if [event.criterion for event in judged] != list(given):
        yield f"does not judge what follows from the mutant's calls, which is {', '.join(given)}"
        return
    for event in judged:
        yield from differences(event, given[event.criterion], "what was seen of the mutant")
