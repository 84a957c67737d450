"""What a parity study adds to the report of a run: its parts said apart, gates, measurements, receipts and holds."""

from dataclasses import dataclass, replace

from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.plan import Selection, as_parity
from sitegen.pages import marks, place
from sitegen.pages.decided import disposition_mark, how_far
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.change import ChangeView, counted_changes
from sitegen.pages.parity.holds import RunHolds, study_holds
from sitegen.pages.parity.measured import MeasuredRow, measured_rows
from sitegen.pages.parity.mutant import MutantProof, mutant_proof
from sitegen.pages.parity.replay import Replay, replay
from sitegen.pages.parity.rows import Ground, RowView, grounds, row_views
from sitegen.pages.parity.timings import DeclaredView, GateView, declared_views, gate_views
from sitegen.pages.parity.uses import Uses, uses
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource, StudySource


@dataclass(frozen=True, slots=True)
class PartView:
    """One part of the disposition: none stands in for another."""

    name: str
    mark: Mark
    bound: Bound
    text: str
    """What it says, and what it does not."""


@dataclass(frozen=True, slots=True)
class ParityResult:
    """One run of a parity study."""

    whole: PartView
    parts: tuple[PartView, ...]
    declared: tuple[DeclaredView, ...]
    gates: tuple[GateView, ...]
    reduced: bool
    """Whether fewer samples were taken than the gates were frozen for, so that none of them judges."""
    inadmissible: int
    """Rows whose timings are no part of a claim."""
    measured: tuple[MeasuredRow, ...]
    rows: tuple[RowView, ...]
    grounds: tuple[Ground, ...]
    receipts: Link
    """The same for programs."""
    mutant: MutantProof
    uses: Uses
    changes: tuple[ChangeView, ...]
    """From commit to commit; none in a study of packages."""
    daemon: bool
    """Whether the study has one, so that there is anything to say of it."""
    holds: tuple[RunHolds, ...]
    replay: Replay


def parity_result(edition: Edition, run: RunSource) -> ParityResult | None:
    """What a run shows; None for a run of another study kind."""
    analysis = run.sealed.run.analysis
    if not isinstance(analysis, ParityAnalysis):
        return None
    study = edition.site.study(run.sealed.run.study)
    reduced = run.sealed.run.selection is Selection.reduced_timings
    measured = measured_rows(edition, run)
    return ParityResult(
        whole=_whole(edition, run, study),
        parts=(
            _part(edition, run, "correctness", marks.of_parity(analysis.correctness, edition.catalog)),
            _part(edition, run, "mutation", marks.of_parity(analysis.mutation, edition.catalog)),
            _part(
                edition,
                run,
                "performance",
                marks.of_parity(analysis.performance, edition.catalog),
                Selection.reduced_timings if reduced else "",
            ),
        ),
        declared=declared_views(edition, run),
        gates=gate_views(edition, run),
        reduced=reduced,
        inadmissible=sum(not row.admissible for row in measured),
        measured=measured,
        rows=row_views(edition, run),
        grounds=grounds(edition, run),
        receipts=Link("receipts.json", place.receipts(run.sealed.run.study, run.id)),
        mutant=mutant_proof(edition, run),
        uses=uses(edition, run),
        changes=counted_changes(edition, run),
        daemon=as_parity(run.sealed.plan)[0].daemon is not None,
        holds=study_holds(edition, study, run) if study else (),
        replay=replay(edition, run),
    )


def _whole(edition: Edition, run: RunSource, study: StudySource | None) -> PartView:
    part = _part(edition, run, "disposition", disposition_mark(edition, run))
    found = how_far(study, run)
    return replace(part, text=edition.say(f"hold-state.{found}.text")) if found in ("partly", "decided") else part


def _part(edition: Edition, run: RunSource, name: str, mark: Mark, says: str = "") -> PartView:
    """One part; `says` names its text where it is not the one of its state."""
    bound = edition.quotes(run).at(f"/analysis/{name}")
    return PartView(edition.say(f"part.{name}"), mark, bound, edition.say(f"part.{name}.{says or mark.name}"))
