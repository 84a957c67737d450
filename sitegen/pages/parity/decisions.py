"""The owner's decisions on the holds of a run: each whole, and in short beside every hold that it is on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runner.contract.seal import DECISION_FILE, SEAL_FILE
from runner.reading.decision import SealedDecision
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link


@dataclass(frozen=True, slots=True)
class DecisionView:
    """One recorded decision."""

    anchor: str
    mark: Mark
    when: str
    owner: str
    """As stated."""
    role: str
    reason: str
    holds: tuple[str, ...]
    """What it is on, in words."""
    after: str
    """When the earlier decision on one of the same holds was made; empty for the first."""
    record: Link
    digest: str
    """SHA-256 of decision.json."""
    seal: Link
    seal_digest: str


@dataclass(frozen=True, slots=True)
class DecidedView:
    """The same in short, beside one hold."""

    mark: Mark
    when: str
    owner: str
    role: str
    anchor: str
    """Where the whole decision stands on the same page."""
    later: bool
    """Whether another decision on this hold stands before it."""


def decision_views(
    edition: Edition, decisions: Sequence[SealedDecision], words: Mapping[str, str]
) -> tuple[DecisionView, ...]:
    """Decisions in order of time; `words` says what each hold is called on the page, by its name."""
    last: dict[str, str] = {}
    found = []
    for item in decisions:
        decision = item.decision
        names = [hold.name for hold in decision.holds]
        before = [last[name] for name in names if name in last]
        last.update(dict.fromkeys(names, figures.instant(decision.decided_at)))
        found.append(
            DecisionView(
                anchor=_anchor(item),
                mark=marks.ruling(decision.ruling, edition.catalog),
                when=figures.instant(decision.decided_at),
                owner=decision.owner.name,
                role=decision.owner.role,
                reason=edition.words(decision.reason),
                holds=tuple(words[name] for name in names),
                after=max(before, default=""),
                record=Link(DECISION_FILE, _file(item, DECISION_FILE)),
                digest=item.sha256,
                seal=Link(SEAL_FILE, _file(item, SEAL_FILE)),
                seal_digest=item.seal_sha256,
            )
        )
    return tuple(found)


def decided(edition: Edition, decisions: Iterable[SealedDecision], name: str) -> tuple[DecidedView, ...]:
    """The decisions on the hold of this name, the earliest first."""
    mine = [item for item in decisions if name in {hold.name for hold in item.decision.holds}]
    return tuple(
        DecidedView(
            mark=marks.ruling(item.decision.ruling, edition.catalog),
            when=figures.instant(item.decision.decided_at),
            owner=item.decision.owner.name,
            role=item.decision.owner.role,
            anchor=_anchor(item),
            later=number > 0,
        )
        for number, item in enumerate(mine)
    )


def _anchor(item: SealedDecision) -> str:
    return f"decision.{item.decision.decision}"


def _file(item: SealedDecision, path: str) -> str:
    return place.decision_file(item.decision.study, item.decision.decision, path)
