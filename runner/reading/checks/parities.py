"""Whether an attempt of a parity study, and what the run says of its variants, are what the plan and the files give."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import Problem
from runner.contract.events import Event, FaultEvent
from runner.contract.evidence import Run
from runner.contract.parity.design import MEASUREMENT, MUTANT, ParityDesign, Variant
from runner.contract.parity.detail import (
    MeasurementDetail,
    MutantDetail,
    NothingDetail,
    ParityDetail,
    ParityFacts,
    VariantDetail,
)
from runner.contract.parity.reduction import timing_for
from runner.contract.parity.samples import SAMPLES_FILE
from runner.contract.plan import Plan, as_parity
from runner.contract.values import FileDigest
from runner.reading.checks.calls import Calls, check_calls
from runner.reading.checks.inventories import check_documents, documents
from runner.reading.checks.measurements import check_measurement, is_judged
from runner.reading.checks.mutants import check_mutant
from runner.reading.checks.seeding import check_seeding

_REMEDY = "do not rely on this run"


def check_parity_facts(run: Run, plan: Plan) -> Iterator[Problem]:
    """What run.json says of a parity study's variants that the plan says otherwise."""
    facts, design = run.facts, plan.study.design
    if not isinstance(facts, ParityFacts) or not isinstance(design, ParityDesign):
        return
    if [item.variant for item in facts.variants] != [variant.id for variant in design.variants]:
        yield Problem("run.json", "facts.variants", "are not the variants of the plan, in its order", _REMEDY)
        return
    pinned = {artifact.file: artifact.sha256 for artifact in design.artifacts}
    for index, (found, variant) in enumerate(zip(facts.variants, design.variants, strict=True)):
        where = f"facts.variants[{index}]"
        if (found.artifact.path, found.artifact.sha256) != (variant.artifact, pinned.get(variant.artifact)):
            what = f"{variant.id} is made from another file than the plan pins"
            yield Problem("run.json", f"{where}.artifact", what, _REMEDY)
        if found.same_as != variant.against:
            what = f"{variant.id} is compared with {found.same_as}, the plan holds it against {variant.against}"
            yield Problem("run.json", f"{where}.same_as", what, _REMEDY)


def check_parity(
    attempt: Attempt,
    events: Sequence[Event],
    plan: Plan,
    sealed: Mapping[str, FileDigest],
    data: Callable[[str], bytes],
) -> Iterator[Problem]:
    """Problems of one attempt; `data` reads a sealed file. Their files are named as in the run."""
    if not isinstance(attempt.detail, ParityDetail):
        return
    what = attempt.detail.what
    try:
        design, tasks = as_parity(plan)
        backend, scenario = tasks.row(attempt.task)
        design.backend(backend)
        variant = None if attempt.arm in (MUTANT, MEASUREMENT) else design.variant(attempt.arm)
    except (KeyError, ValueError):
        return  # the checks of the plan and of the attempts say so
    calls = Calls(design, backend, scenario)
    ended = attempt.events is not None and not any(isinstance(event, FaultEvent) for event in events)
    wanted = _detail(attempt.arm) if ended else NothingDetail
    if not isinstance(what, wanted):
        wrong = f"{attempt.attempt} states what a {what.did} did, and was none"
        yield Problem("attempts.jsonl", "", wrong, _REMEDY)
        return
    there = tuple(path for path in attempt.artifacts if path in sealed)
    yield from _files(attempt, events, variant, calls, ended=ended)
    if variant is not None and isinstance(what, VariantDetail):
        yield from check_calls(attempt, events, calls)
        yield from check_documents(attempt, variant, events, calls, sealed, data)
    elif isinstance(what, MutantDetail):
        yield from check_calls(attempt, events, calls)
        yield from check_mutant(attempt, what, events, calls)
    elif isinstance(what, MeasurementDetail):
        yield from check_seeding(attempt, events, calls)
        samples = f"artifacts/{attempt.attempt}/{SAMPLES_FILE}" in there
        protocol = timing_for(design.timing, plan.selection)
        yield from check_measurement(attempt, what, events, protocol, data if samples else None)


def _detail(arm: str) -> type[VariantDetail | MutantDetail | MeasurementDetail]:
    """What an attempt that was performed states."""
    if arm == MUTANT:
        return MutantDetail
    return MeasurementDetail if arm == MEASUREMENT else VariantDetail


def _files(
    attempt: Attempt, events: Sequence[Event], variant: Variant | None, calls: Calls, *, ended: bool
) -> Iterator[Problem]:
    """Whether the attempt names the documents that it must have, and no others."""
    names: tuple[str, ...] = ()
    if ended and variant is not None:
        names = documents(attempt, variant, events, calls)
    elif ended and attempt.arm == MEASUREMENT and is_judged(events):
        names = (SAMPLES_FILE,)
    wanted = {f"artifacts/{attempt.attempt}/{name}" for name in names}
    for path in sorted(wanted - set(attempt.artifacts)):
        yield Problem(path, "", "is not there, and the attempt came so far", _REMEDY)
    for path in sorted(set(attempt.artifacts) - wanted):
        yield Problem(path, "", "is there, and the attempt did not come so far", _REMEDY)
