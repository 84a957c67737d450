"""Samples that are calls: the full command in matched pairs of base and head, and cold starts of the daemon."""

from collections.abc import Mapping

from runner.contract.parity.order_effect import order_of_pairs
from runner.contract.parity.samples import Failed, Pair, Taken
from runner.contract.parity.timing import Measure
from runner.contract.parity.variant import AnyVariant
from runner.kinds.parity.row import LATE, NO_DAEMON, DaemonRow, Row
from runner.kinds.parity.sampling import Answers, time_call

Taking = list[Taken | Failed]


def pairs(row: Row) -> tuple[Pair, ...]:
    """The full command of base and head, one right after the other, in the order that the protocol's seed gives."""
    answers = {variant.id: Answers(row.command.expect.exit) for variant in row.variants}
    found: list[Pair] = []
    for base_first in order_of_pairs(row.protocol.seed, row.protocol.pairs):
        samples = {
            variant.id: _command(row, variant, answers[variant.id])
            for variant in (row.variants if base_first else reversed(row.variants))
        }
        found.append(Pair(base_first=base_first, base=samples[row.base.id], head=samples[row.head.id]))
    row.tell(Measure.command, row.base, [pair.base for pair in found])
    row.tell(Measure.command, row.head, [pair.head for pair in found])
    return tuple(found)


def cold_starts(measured: DaemonRow) -> Mapping[str, Taking]:
    """Calls that start the daemon and are answered by it, by variant: the daemon is stopped again after each.

    Base and head take turns, so that a busier minute is one for both, and each is the first of two in every other turn.
    """
    row = measured.row
    answers = {variant.id: Answers(measured.ask.expect.exit) for variant in row.variants}
    found: dict[str, Taking] = {variant.id: [] for variant in row.variants}
    for number in range(measured.timing.cold):
        for variant in row.variants if number % 2 == 0 else reversed(row.variants):
            found[variant.id].append(_cold_start(measured, variant, answers[variant.id]))
    for variant in row.variants:
        row.tell(Measure.cold, variant, found[variant.id])
    return found


def _command(row: Row, variant: AnyVariant, answers: Answers) -> Taken | Failed:
    if not row.begin(variant):
        return LATE
    sample = _sample(row, row.command.args, answers)
    row.end()
    return sample


def _cold_start(measured: DaemonRow, variant: AnyVariant, answers: Answers) -> Taken | Failed:
    if not measured.row.begin(variant):
        return LATE
    sample = _sample(measured.row, measured.daemon.ask, answers)
    if measured.process() is None and isinstance(sample, Taken):
        sample = NO_DAEMON
    measured.end(variant)
    return sample


def _sample(row: Row, args: tuple[str, ...], answers: Answers) -> Taken | Failed:
    stage = row.stage
    # One name for all: the environments of two samples do not differ, not even in their length.
    request = stage.request(stage.arguments(args, row.backend), stage.environment("sample"))
    return answers.of_call(time_call(stage, request))
