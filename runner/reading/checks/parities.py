"""Whether an attempt of a parity study, and what the run says of its variants, are what the plan and the files give."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import Problem
from runner.contract.events import Event, FaultEvent
from runner.contract.evidence import Run
from runner.contract.parity.design import MEASUREMENT, MUTANT, ParityDesign
from runner.contract.parity.detail import (
    CommitFacts,
    MeasurementDetail,
    MutantDetail,
    NothingDetail,
    ParityDetail,
    ParityFacts,
    VariantDetail,
    VariantFacts,
)
from runner.contract.parity.numstat import more_files
from runner.contract.parity.reduction import timing_for
from runner.contract.parity.samples import SAMPLES_FILE
from runner.contract.parity.variant import AnyVariant, CommitVariant, Variant
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
    for index, (found, variant) in enumerate(zip(facts.variants, design.variants, strict=True)):
        for where, what in _of_variant(found, variant, design):
            yield Problem("run.json", f"facts.variants[{index}]{where}", what, _REMEDY)
    yield from _of_changes(facts, design)


def _of_variant(
    found: VariantFacts | CommitFacts, variant: AnyVariant, design: ParityDesign
) -> Iterator[tuple[str, str]]:
    """Place and words of what is said of one variant otherwise than in the plan."""
    if isinstance(found, VariantFacts) and isinstance(variant, Variant):
        pinned = {artifact.file: artifact.sha256 for artifact in design.artifacts}
        if (found.artifact.path, found.artifact.sha256) != (variant.artifact, pinned.get(variant.artifact)):
            yield ".artifact", f"{variant.id} is made from another file than the plan pins"
        if found.same_as != variant.against:
            yield ".same_as", _against(variant, found.same_as)
    elif isinstance(found, CommitFacts) and isinstance(variant, CommitVariant):
        if (found.commit, found.tree) != (variant.commit, variant.tree):
            yield ".commit", f"{variant.id} is made from another commit or other files than the plan pins"
        if found.against != variant.against:
            yield ".against", _against(variant, found.against)
    else:
        yield "", f"{variant.id} is not made from a {variant.origin}, and the plan says so"


def _against(variant: AnyVariant, found: str | None) -> str:
    return f"{variant.id} is compared with {found}, the plan holds it against {variant.against}"


def _of_changes(facts: ParityFacts, design: ParityDesign) -> Iterator[Problem]:
    """Whether what git said of each change can be of these files, and all of it is classified."""
    commits = {item.variant: item for item in facts.variants if isinstance(item, CommitFacts)}
    for index, item in enumerate(facts.variants):
        if not isinstance(item, CommitFacts):
            continue
        where = f"facts.variants[{index}].changes"
        paths = [change.path for change in item.changes]
        if paths != sorted(set(paths), key=str.encode):
            yield Problem("run.json", where, "are not one a path, sorted by path", _REMEDY)
        declared, other = design.changes.get(item.variant), commits.get(item.against or "")
        if declared is None or other is None:
            if paths:
                yield Problem("run.json", where, f"{item.variant} is the first, and changes nothing", _REMEDY)
            continue
        if item.files - other.files != more_files(item.changes):
            what = f"add and delete other numbers of files than {other.variant} and {item.variant} have"
            yield Problem("run.json", where, what, _REMEDY)
        if unknown := declared.unclassified(paths):
            yield Problem("run.json", where, f"no class of the plan names {', '.join(unknown)}", _REMEDY)


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
    attempt: Attempt, events: Sequence[Event], variant: AnyVariant | None, calls: Calls, *, ended: bool
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
