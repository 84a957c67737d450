"""Counts and analyses the attempts of a parity study, one by one. Samples are read from the attempt's own document."""

from collections.abc import Callable, Iterator

from runner.contract.analysis.parity import (
    Figures,
    GateResult,
    Measurement,
    ParityAnalysis,
    Performance,
    RowResult,
    Sameness,
    Sensitivity,
    VariantResult,
)
from runner.contract.analysis.parts import ArmResult, Finding, not_met
from runner.contract.attempt import Attempt, Outcome
from runner.contract.errors import ContractError
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.detail import NotCompared, ParityDetail, VariantDetail
from runner.contract.parity.disposition import GateDisposition, disposition
from runner.contract.parity.documents import read_samples
from runner.contract.parity.false_hold import UnknownFalseHoldRate, false_hold_rate
from runner.contract.parity.gate import Pairs, Unjudged, UnjudgedReason, judge
from runner.contract.parity.host import UnknownContention, admissible, contended
from runner.contract.parity.order_effect import MatchedPair, UnknownOrderEffect, order_effect
from runner.contract.parity.quantile import Quantile, Statistic, UnknownQuantile, quantile
from runner.contract.parity.reduction import timing_for
from runner.contract.parity.samples import SAMPLES_FILE, Samples, taken
from runner.contract.parity.tasks import row_name
from runner.contract.parity.timing import AnyTiming, Measure, TimingGate
from runner.contract.plan import Plan, Selection, as_parity
from runner.contract.tally import Endings, Tally

_NOTHING = "it was not measured"
_REDUCED = "no gate judges reduced timings"


class ParityCount:
    """Tally and analysis of a run, from its attempts one by one.

    Raises ValueError as `Endings` does, which counts.
    """

    def __init__(self, plan: Plan, data: Callable[[str], bytes]) -> None:
        """`data` gives the bytes of an attempt's artifact by its path in the run, or raises KeyError."""
        self._plan = plan
        self._data = data
        self._design, self._tasks = as_parity(plan)
        self._timing = timing_for(self._design.timing, plan.selection)
        self._endings = Endings(plan.slots)
        self._last: dict[tuple[str, str], VariantResult] = {}
        self._measured: dict[str, Measurement] = {}
        self._findings: dict[int, Finding] = {}

    def add(self, attempt: Attempt) -> None:
        """Take one attempt.

        Raises ValueError as `Endings.add` does, for a record of another kind, and for samples that cannot be read.
        """
        position = self._endings.add(attempt)
        if position is None:
            return
        if not isinstance(attempt.detail, ParityDetail):
            raise ValueError(f"attempt {attempt.attempt} is recorded as a {attempt.detail.kind}")  # noqa: TRY004
        self._findings.pop(position, None)  # of an attempt that counts no more
        if attempt.outcome is Outcome.rejected:
            self._findings[position] = Finding(attempt=attempt.attempt, criteria=not_met(attempt))
        what = attempt.detail.what
        if attempt.arm == MEASUREMENT:
            samples, reduced = self._samples(attempt), self._plan.selection is Selection.reduced_timings
            self._measured[attempt.task] = measured(self._timing, attempt, samples, reduced=reduced)
        else:
            self._last[attempt.arm, attempt.task] = VariantResult(
                arm=attempt.arm,
                outcome=attempt.outcome,
                comparison=what.comparison if isinstance(what, VariantDetail) else NotCompared(),
            )

    def tally(self) -> Tally:
        """The counts of the whole run."""
        return self._endings.tally(excluded=len(self._plan.exclusions))

    def analysis(self) -> ParityAnalysis:
        """What the attempts taken so far show."""
        rows = tuple(self._rows())
        findings = tuple(self._findings[position] for position in sorted(self._findings))
        correctness = _together([row.state for row in rows])
        mutation = self._sensitivity()
        performance, gates = self._performance()
        if findings or gates is GateDisposition.owner_review_hold:
            whole = GateDisposition.owner_review_hold
        elif (correctness, mutation, gates) == (Sameness.same, Sensitivity.rejected, GateDisposition.passed):
            whole = GateDisposition.passed
        else:
            whole = GateDisposition.not_yet_proven
        return ParityAnalysis(
            disposition=whole,
            correctness=correctness,
            mutation=mutation,
            performance=performance,
            arms=tuple(self._arms()),
            rows=rows,
            measurements=tuple(self._measurements()),
            findings=findings,
        )

    def _samples(self, attempt: Attempt) -> Samples | None:
        path = f"artifacts/{attempt.attempt}/{SAMPLES_FILE}"
        if path not in attempt.artifacts:
            return None
        try:
            samples = read_samples(self._data, path)
        except (KeyError, ContractError) as error:
            raise ValueError(f"the samples of {attempt.attempt} cannot be read") from error
        if samples.attempt != attempt.attempt:
            raise ValueError(f"{path} holds the samples of {samples.attempt}")
        return samples

    def _rows(self) -> Iterator[RowResult]:
        for name in self._tasks.rows:
            backend, scenario = self._tasks.row(name)
            variants = tuple(
                self._last.get((variant.id, name))
                or VariantResult(arm=variant.id, outcome=Outcome.not_started, comparison=NotCompared())
                for variant in self._design.variants
            )
            yield RowResult(
                row=name,
                backend=backend,
                scenario=scenario.id,
                state=_together([_state(item.outcome) for item in variants]),
                variants=variants,
            )

    def _sensitivity(self) -> Sensitivity:
        mutation = self._design.mutation
        found = self._last.get((MUTANT, row_name(mutation.backend, mutation.scenario)))
        match found.outcome if found else Outcome.not_started:
            case Outcome.accepted:
                return Sensitivity.rejected
            case Outcome.rejected:
                return Sensitivity.survived
            case _:
                return Sensitivity.not_yet_proven

    def _performance(self) -> tuple[Performance, GateDisposition]:
        """What the gates say, and what of that counts for the whole."""
        if self._plan.selection is Selection.correctness_only:
            return Performance.not_measured, GateDisposition.not_yet_proven
        timed = list(self._measurements())
        # Timings of a host that was not quiet prove nothing, though they can hold: that would be to look away.
        whole = all(item.outcome is Outcome.accepted and item.admissible for item in timed)
        gates = disposition((gate.judgement for item in timed for gate in item.gates), whole=whole)
        return Performance(gates.value), gates

    def _measurements(self) -> Iterator[Measurement]:
        if self._plan.selection is Selection.correctness_only:
            return
        for timed in self._timing.rows:
            name = row_name(timed.backend, timed.scenario)
            yield self._measured.get(name) or unmeasured(self._timing, name, Outcome.not_started)

    def _arms(self) -> Iterator[ArmResult]:
        for arm in self._design.arms:
            places = [position for position, slot in enumerate(self._plan.slots) if slot.arm == arm.id]
            excluded = sum(item.arm == arm.id for item in self._plan.exclusions)
            yield ArmResult(arm=arm.id, tally=self._endings.tally(places, excluded=excluded))


def measured(protocol: AnyTiming, attempt: Attempt, samples: Samples | None, *, reduced: bool) -> Measurement:
    """What the samples of one row show, judged by the gates of the protocol.

    Where the counts are `reduced` no gate judges them, and none of their timings can be claimed.
    """
    if samples is None:
        return unmeasured(protocol, attempt.task, attempt.outcome)
    pairs = [
        MatchedPair(base_ns=base, head_ns=head, base_first=first) for base, head, first in samples.complete_pairs()
    ]
    contention = contended(samples.around)
    return Measurement(
        row=attempt.task,
        outcome=attempt.outcome,
        figures=tuple(
            _figures(protocol, measure, variant, samples)
            for measure in protocol.measures
            for variant in (protocol.base, protocol.head)
        ),
        gates=tuple(
            _gate(protocol, number, gate, samples, reduced=reduced) for number, gate in enumerate(protocol.gates)
        ),
        order=order_effect(pairs, protocol.pairs),
        contention=contention,
        admissible=admissible(contention) and not reduced,
    )


def unmeasured(protocol: AnyTiming, row: str, outcome: Outcome) -> Measurement:
    """A row of which there are no samples: every figure is unknown, and no gate says anything."""
    nothing = UnknownQuantile(reason=_NOTHING)
    return Measurement(
        row=row,
        outcome=outcome,
        figures=tuple(
            Figures(
                measure=measure, variant=variant, planned=protocol.count(measure), taken=0, p50=nothing, p95=nothing
            )
            for measure in protocol.measures
            for variant in (protocol.base, protocol.head)
        ),
        gates=tuple(
            GateResult(
                gate=number,
                measure=gate.measure,
                base=nothing,
                head=nothing,
                difference_ns=None,
                samples=Pairs(planned=protocol.count(gate.measure), complete=0),
                judgement=Unjudged(reason=UnjudgedReason.head_unknown),
                false_holds=UnknownFalseHoldRate(reason=_NOTHING),
            )
            for number, gate in enumerate(protocol.gates)
        ),
        order=UnknownOrderEffect(reason=_NOTHING),
        contention=UnknownContention(reasons=(_NOTHING,)),
        admissible=False,
    )


def _figures(protocol: AnyTiming, measure: Measure, variant: str, samples: Samples) -> Figures:
    found = taken(samples.of(measure, variant))
    return Figures(
        measure=measure,
        variant=variant,
        planned=protocol.count(measure),
        taken=len(found),
        p50=quantile(found, Statistic.p50),
        p95=quantile(found, Statistic.p95),
    )


def _gate(protocol: AnyTiming, number: int, gate: TimingGate, samples: Samples, *, reduced: bool) -> GateResult:
    """One gate. Where a planned sample is missing nothing is computed on those that are left."""
    planned = protocol.count(gate.measure)
    if gate.measure is Measure.command:
        both = [(base, head) for base, head, _ in samples.complete_pairs()]
        base_ns, head_ns = [base for base, _ in both], [head for _, head in both]
    else:
        base_ns = list(taken(samples.of(gate.measure, protocol.base)))
        head_ns = list(taken(samples.of(gate.measure, protocol.head)))
    complete = min(planned, len(base_ns), len(head_ns))
    pairs = Pairs(planned=planned, complete=complete)
    base, head = _at(gate, base_ns, planned), _at(gate, head_ns, planned)
    return GateResult(
        gate=number,
        measure=gate.measure,
        base=base,
        head=head,
        difference_ns=(
            head.value_ns - base.value_ns if isinstance(base, Quantile) and isinstance(head, Quantile) else None
        ),
        samples=pairs,
        judgement=(
            Unjudged(reason=UnjudgedReason.reduced_timings)
            if reduced
            else judge(gate.gate, _ns(base), _ns(head), pairs)
        ),
        false_holds=(
            UnknownFalseHoldRate(reason=_REDUCED)
            if reduced
            else false_hold_rate(
                gate.gate, base_ns[:planned], planned, seed=protocol.seed, resamplings=protocol.resamplings
            )
        ),
    )


def _at(gate: TimingGate, samples: list[int], planned: int) -> Quantile | UnknownQuantile:
    if len(samples) < planned:
        return UnknownQuantile(reason=f"{len(samples)} of {planned} samples are complete")
    return quantile(samples, gate.gate.statistic)


def _ns(found: Quantile | UnknownQuantile) -> int | None:
    return found.value_ns if isinstance(found, Quantile) else None


def _state(outcome: Outcome) -> Sameness:
    if outcome is Outcome.accepted:
        return Sameness.same
    return Sameness.findings if outcome is Outcome.rejected else Sameness.not_yet_proven


def _together(states: list[Sameness]) -> Sameness:
    for state in (Sameness.findings, Sameness.not_yet_proven):
        if state in states:
            return state
    return Sameness.same if states else Sameness.not_yet_proven
