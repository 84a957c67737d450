"""The gates of two runs of a parity study, one beside the other: both verdicts stay, and no figure is averaged."""

from dataclasses import dataclass

from runner.contract.analysis.parity import ParityAnalysis
from sitegen.pages.edition import Edition
from sitegen.pages.parity.timings import GateView, gate_views
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class GatePair:
    """One gate on one row in both runs."""

    row: str
    title: str
    older: GateView | None
    """None where that run had no such gate, or measured nothing."""
    newer: GateView | None

    @property
    def changed(self) -> bool:
        """Whether the verdict, or its reason, is another."""
        return self.older is None or self.newer is None or self.older.verdict != self.newer.verdict


def gate_pairs(edition: Edition, older: RunSource, newer: RunSource) -> tuple[GatePair, ...]:
    """Every gate of either run, those with another verdict first; none for another study kind."""
    sides = []
    for run in (older, newer):
        if not isinstance(run.sealed.run.analysis, ParityAnalysis):
            return ()
        sides.append({(gate.anchor, gate.title): gate for gate in gate_views(edition, run)})
    before, after = sides
    pairs = [
        GatePair(gate.row, gate.title, before.get(key), after.get(key)) for key, gate in {**before, **after}.items()
    ]
    return tuple(sorted(pairs, key=lambda pair: not pair.changed))
