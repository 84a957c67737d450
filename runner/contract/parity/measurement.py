"""What the samples of one row come to: how many of the planned ones were taken, and by which daemons. Pure.

The runner decides by it, and a verifier decides again.
"""

from collections.abc import Iterator

from runner.contract.parity.detail import SampleCount
from runner.contract.parity.samples import DaemonSamples, Failed, Samples, taken
from runner.contract.parity.tasks import SAMPLES_TAKEN, STABLE_DAEMONS
from runner.contract.parity.timing import AnyTiming, Measure
from runner.contract.qualification.judge import Judgement


def counts(protocol: AnyTiming, samples: Samples | None) -> tuple[SampleCount, ...]:
    """How many samples of each measure and variant were planned and taken; without samples none was."""
    return tuple(
        SampleCount(
            measure=measure,
            variant=variant,
            planned=protocol.count(measure),
            taken=len(taken(samples.of(measure, variant))) if samples else 0,
        )
        for measure in protocol.measures
        for variant in (protocol.base, protocol.head)
    )


def judge_samples(protocol: AnyTiming, samples: Samples) -> Iterator[tuple[str, Judgement]]:
    """Everything that the samples of a row decide, by criterion: of daemons only where the protocol measures them."""
    yield SAMPLES_TAKEN, judge_taken(protocol, samples)
    if measures_daemons(protocol):
        yield STABLE_DAEMONS, judge_daemons(samples)


def measures_daemons(protocol: AnyTiming) -> bool:
    """Whether anything but the command is sampled."""
    return protocol.measures != (Measure.command,)


def judge_taken(protocol: AnyTiming, samples: Samples) -> Judgement:
    """Whether every planned sample was taken; if not, what was the matter with the first that was not."""
    found = counts(protocol, samples)
    planned, took = sum(item.planned for item in found), sum(item.taken for item in found)
    met = all(item.taken == item.planned for item in found)
    return Judgement(met, f"all {planned} samples are taken", f"{took} are{'' if met else _first(samples)}")


def judge_daemons(samples: Samples) -> Judgement:
    """Whether one and the same process answered all warm and burst requests, of each variant one."""
    met = bool(samples.daemons) and all(is_stable(item) for item in samples.daemons)
    seen = ", ".join(f"{item.variant}: {item.process_begin} and {item.process_end}" for item in samples.daemons)
    wanted = "before and after all requests to a daemon its receipt names one living process"
    return Judgement(met, wanted, seen or "no daemon was measured")


def is_stable(daemon: DaemonSamples) -> bool:
    """Whether the daemon was one process before and after its requests."""
    return daemon.process_begin == daemon.process_end != 0


def step_of(variant: str, step: str) -> str:
    """How events name a step that both variants of a measurement perform."""
    return f"{variant}-{step}"[:60].rstrip("-")


def _first(samples: Samples) -> str:
    """The first sample that could not be taken, in words; nothing where samples are missing altogether."""
    for measure in Measure:
        for variant in (samples.base, samples.head):
            for number, sample in enumerate(samples.of(measure, variant), 1):
                if isinstance(sample, Failed):
                    return f"; {measure.value} of {variant}, number {number}: {sample.why}"
    return ""
