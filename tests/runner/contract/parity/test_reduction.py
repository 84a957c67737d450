"""How many samples a run with reduced timings takes: a rule over the frozen counts, and no other choice."""

import pytest

from runner.contract.parity.reduction import timing_for
from runner.contract.parity.timing import AnyTiming, CommandTiming, Measure, TimingProtocol
from runner.contract.plan import Selection
from tests.runner.contract.parity.test_measurement import PROTOCOL


def frozen(pairs: int, cold: int, warm: int, burst: int) -> TimingProtocol:
    return PROTOCOL.model_copy(update={"pairs": pairs, "cold": cold, "warm": warm, "burst": burst})


def counts(protocol: AnyTiming) -> list[int]:
    return [protocol.count(measure) for measure in protocol.measures]


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ((64, 16, 128, 256), [4, 1, 8, 16]),
        ((47, 31, 15, 10_000), [2, 1, 1, 625]),
        ((2, 1, 1, 1), [2, 1, 1, 1]),
        ((1000, 1000, 17, 32), [62, 62, 1, 2]),
    ],
)
def test_a_reduced_run_takes_a_sixteenth_rounded_down_and_at_least_two_pairs_and_one_sample(given, taken):
    reduced = timing_for(frozen(*given), Selection.reduced_timings)

    assert counts(reduced) == taken
    assert TimingProtocol.model_validate(reduced.model_dump()) == reduced, "they are counts that could be frozen"


def test_nothing_but_the_counts_is_another():
    given = frozen(64, 16, 128, 256)
    reduced = timing_for(given, Selection.reduced_timings)

    changed = {name for name in TimingProtocol.model_fields if getattr(given, name) != getattr(reduced, name)}
    assert changed == {"pairs", "cold", "warm", "burst"}


@pytest.mark.parametrize("selection", sorted(set(Selection) - {Selection.reduced_timings}))
def test_every_other_run_takes_what_is_frozen(selection):
    assert timing_for(frozen(64, 16, 128, 256), selection) == frozen(64, 16, 128, 256)


def test_where_the_command_alone_is_timed_there_are_fewer_pairs_and_still_nothing_else():
    common = {
        name: getattr(PROTOCOL, name) for name in CommandTiming.model_fields if name not in ("timed", "gates", "pairs")
    }
    judged = tuple(gate.model_copy(update={"measure": Measure.command}) for gate in PROTOCOL.gates)
    given = CommandTiming(timed="command-alone", gates=judged, pairs=64, **common)

    reduced = timing_for(given, Selection.reduced_timings)

    assert counts(reduced) == [4]
    assert reduced == given.model_copy(update={"pairs": 4})
