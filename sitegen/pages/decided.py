"""How far the holds of a run are decided, and how its disposition is therefore called. The one place that decides it.

A decision takes no hold away: a run that is held stays held, and is called held and decided.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from runner.contract.holds import holds_of
from runner.reading.decision import SealedDecision
from sitegen.pages import marks
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.sources import RunSource, Site, StudySource

Decided: TypeAlias = Literal["nothing held", "open", "partly", "decided"]


def decisions_on(source: StudySource | None, run: RunSource) -> tuple[SealedDecision, ...]:
    """The decisions on holds of a run, the earliest first. They are on a published run or on none."""
    if source is None or not run.published:
        return ()
    return tuple(item for item in source.decisions if item.decision.run == run.id)


def how_far(source: StudySource | None, run: RunSource) -> Decided:
    """Whether the run holds something, and whether each hold has a decision."""
    held = {hold.name for hold in holds_of(run.sealed.run.analysis)}
    if not held:
        return "nothing held"
    decided = {hold.name for item in decisions_on(source, run) for hold in item.decision.holds}
    return "decided" if held <= decided else "partly" if decided else "open"


def held_runs(site: Site, study: str | None = None) -> tuple[RunSource, ...]:
    """The published runs that hold something, of one study or of all, newest first; decided ones too.

    On a run that is not published nobody can decide, so it holds nothing but its own page.
    """
    runs = [run for source in site.studies if study in (None, source.id) for run in source.runs if run.published]
    held = [run for run in runs if holds_of(run.sealed.run.analysis)]
    return tuple(sorted(held, key=lambda run: run.id, reverse=True))


def disposition_mark(edition: Edition, run: RunSource) -> Mark:
    """What a run amounts to, with the word for decided holds where its holds are."""
    mark = marks.disposition(run.sealed.run.analysis.disposition, edition.catalog)
    found = how_far(edition.site.study(run.sealed.run.study), run)
    return replace(mark, word=edition.say(f"hold-state.{found}")) if found in ("partly", "decided") else mark
