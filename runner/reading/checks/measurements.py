"""Whether the measurement of one row holds every planned sample, and is judged by them."""

from collections.abc import Iterator, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import ContractError, Problem
from runner.contract.events import Event, JudgedEvent
from runner.contract.parity.detail import MeasurementDetail
from runner.contract.parity.documents import Read, read_samples
from runner.contract.parity.happenings import SampledEvent
from runner.contract.parity.measurement import counts, judge_samples, measures_daemons
from runner.contract.parity.order_effect import order_of_pairs
from runner.contract.parity.samples import SAMPLES_FILE, Samples
from runner.contract.parity.tasks import SAMPLES_TAKEN, STABLE_DAEMONS
from runner.contract.parity.timing import AnyTiming, Measure
from runner.reading.checks.replayed import differences

_REMEDY = "do not rely on this run"
_JUDGED = (SAMPLES_TAKEN, STABLE_DAEMONS)


def check_measurement(
    attempt: Attempt,
    what: MeasurementDetail,
    events: Sequence[Event],
    protocol: AnyTiming,
    data: Read | None,
) -> Iterator[Problem]:
    """Problems of a measurement; `data` reads its samples, None if there are none."""
    file = f"artifacts/{attempt.attempt}/{SAMPLES_FILE}"
    samples: Samples | None = None
    if data is not None:
        try:
            samples = read_samples(data, file)
        except ContractError as error:
            yield from error.problems
            return
        for where, wrong in _of_samples(attempt, samples, protocol):
            yield Problem(file, where, wrong, _REMEDY)
    given = counts(protocol, samples)
    if what.samples != given:
        wrong = f"{attempt.attempt} counts other samples than {SAMPLES_FILE if samples else 'were taken'}"
        yield Problem("attempts.jsonl", "", wrong, _REMEDY)
    told = sorted(
        (item.measure, item.variant, item.planned, item.taken) for item in events if isinstance(item, SampledEvent)
    )
    if samples and told != sorted((item.measure, item.variant, item.planned, item.taken) for item in given):
        yield Problem(attempt.events or "attempts.jsonl", "", f"tells of other samples than {SAMPLES_FILE}", _REMEDY)
    for wrong in _of_verdicts(events, samples, protocol):
        yield Problem(attempt.events or "attempts.jsonl", "", wrong, _REMEDY)


def is_judged(events: Sequence[Event]) -> bool:
    """Whether anything was measured, so that there must be samples."""
    return any(isinstance(event, JudgedEvent) and event.criterion in _JUDGED for event in events)


def _of_samples(attempt: Attempt, samples: Samples, protocol: AnyTiming) -> Iterator[tuple[str, str]]:
    """Place and words of what is not as the protocol has frozen it."""
    if samples.attempt != attempt.attempt:
        yield "attempt", f"is of {samples.attempt}"
    if (samples.base, samples.head) != (protocol.base, protocol.head):
        yield "base", f"measures {samples.base} and {samples.head}, the protocol {protocol.base} and {protocol.head}"
        return
    if tuple(pair.base_first for pair in samples.pairs) != order_of_pairs(protocol.seed, protocol.pairs):
        yield "pairs", f"are not the {protocol.pairs} that the protocol's seed gives, in its order"
    if bool(samples.daemons) is not measures_daemons(protocol):
        has = "are there, and the protocol measures none"
        wrong = has if samples.daemons else "are not there, and the protocol measures them"
        yield "daemons", wrong
        return
    for index, daemon in enumerate(samples.daemons):
        for measure in (Measure.cold, Measure.warm, Measure.burst):
            if (found := len(daemon.of(measure))) != protocol.count(measure):
                yield f"daemons[{index}].{measure.value}", f"{found} samples, planned are {protocol.count(measure)}"


def _of_verdicts(events: Sequence[Event], samples: Samples | None, protocol: AnyTiming) -> Iterator[str]:
    given = dict(judge_samples(protocol, samples)) if samples else {}
    judged = [event for event in events if isinstance(event, JudgedEvent) and event.criterion in _JUDGED]
    if [event.criterion for event in judged] != list(given):
        yield f"judges {len(judged)} of the {len(given)} criteria that {SAMPLES_FILE} gives"
        return
    for event in judged:
        yield from differences(event, given[event.criterion], SAMPLES_FILE)
