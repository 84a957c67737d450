"""A measurement is whole when every planned sample is there, and no sample that is missing goes untold."""

import pytest

from runner.contract.parity.gate import StrictlyBelow
from runner.contract.parity.host import Host, HostAround, UnknownFact
from runner.contract.parity.measurement import counts, judge_daemons, judge_taken
from runner.contract.parity.quantile import Statistic
from runner.contract.parity.samples import DaemonSamples, Failed, Pair, Samples, Taken
from runner.contract.parity.timing import Measure, TimedRow, TimingGate, TimingProtocol
from runner.contract.values import Text

TAKEN = Taken(ns=1, sha256="0" * 64)
CRASHED = Failed(why="exit 3, expected is exit 0")
UNKNOWN = UnknownFact(reason="not looked at")
HOST = Host(cpu_model=UNKNOWN, cpus=UNKNOWN, governor=UNKNOWN, load_hundredths=UNKNOWN, runnable=UNKNOWN)
PROTOCOL = TimingProtocol(
    base="base",
    head="head",
    rows=(TimedRow(backend="files", scenario="clean"),),
    command="command",
    client="client.py",
    request=(".",),
    pairs=2,
    cold=1,
    warm=2,
    burst=3,
    seed="seed",
    resamplings=100,
    seconds=60,
    gates=(
        TimingGate(
            measure=Measure.warm,
            title=Text(en="Warm", zh="热"),
            gate=StrictlyBelow(statistic=Statistic.p95, bound_ns=1),
        ),
    ),
)
WHOLE = DaemonSamples(
    variant="base",
    cold=(TAKEN,),
    warm=(TAKEN,) * 2,
    burst=(TAKEN,) * 3,
    memory=(),
    process_begin=7,
    process_end=7,
)


def the_samples(*heads: Taken | Failed, **head: object) -> Samples:
    """Samples of base and head; `heads` are the head's full commands, `head` changes what its daemon did."""
    return Samples(
        attempt="measurement.files-clean.1",
        base="base",
        head="head",
        pairs=tuple(Pair(base_first=True, base=TAKEN, head=sample) for sample in heads),
        daemons=(WHOLE, WHOLE.model_copy(update={"variant": "head", "process_begin": 8, "process_end": 8, **head})),
        around=HostAround(before=HOST, after=HOST, cpu_time=UNKNOWN),
    )


def test_a_measurement_with_every_planned_sample_is_whole():
    said = judge_taken(PROTOCOL, the_samples(TAKEN, TAKEN))
    assert (said.met, said.observed) == (True, "16 are")


@pytest.mark.parametrize(
    ("samples", "observed"),
    [
        (the_samples(TAKEN, CRASHED), "15 are; command of head, number 2: exit 3, expected is exit 0"),
        (
            the_samples(TAKEN, TAKEN, burst=(TAKEN, CRASHED, CRASHED)),
            "14 are; burst of head, number 2: exit 3, expected is exit 0",
        ),
        (the_samples(TAKEN), "14 are"),
        (the_samples(TAKEN, TAKEN, TAKEN, cold=()), "17 are"),
    ],
    ids=["one crashed", "two crashed", "a pair is not there", "too many here, too few there"],
)
def test_a_measurement_that_lacks_a_sample_is_not_and_says_which_was_the_first(samples, observed):
    said = judge_taken(PROTOCOL, samples)
    assert (said.met, said.observed) == (False, observed)


def test_each_measure_and_variant_is_counted_apart_and_without_samples_none_was_taken():
    found = {(item.measure, item.variant): item.taken for item in counts(PROTOCOL, the_samples(TAKEN, CRASHED))}
    assert found == {
        (Measure.command, "base"): 2,
        (Measure.command, "head"): 1,
        (Measure.cold, "base"): 1,
        (Measure.cold, "head"): 1,
        (Measure.warm, "base"): 2,
        (Measure.warm, "head"): 2,
        (Measure.burst, "base"): 3,
        (Measure.burst, "head"): 3,
    }
    assert [(item.planned, item.taken) for item in counts(PROTOCOL, None)] == [
        (count, 0) for count in (2, 2, 1, 1, 2, 2, 3, 3)
    ]


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, True),
        ({"process_end": 9}, False),
        ({"process_end": 0}, False),
        ({"process_begin": 0, "process_end": 0}, False),
    ],
    ids=["one process", "another at the end", "none at the end", "none at all"],
)
def test_a_daemon_is_stable_if_one_process_was_there_before_and_after(changes, met):
    assert judge_daemons(the_samples(TAKEN, TAKEN, **changes)).met is met


def test_without_a_daemon_nothing_was_stable():
    assert not judge_daemons(the_samples().model_copy(update={"daemons": ()})).met
