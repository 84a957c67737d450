"""Where a study stands: implemented, fixture demonstration, not run or held. The one place that decides it.

Nothing states it by hand. It follows from the study's sealed runs and from its dated results (ADR 0012), and from the
holds of published runs (ADR 0035).
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sitegen.pages.changes import result_link
from sitegen.pages.decided import held_runs, how_far
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link
from sitegen.sources import ResultSource, Site, StudySource

Status: TypeAlias = Literal["implemented", "fixture demonstration", "not run", "held"]


@dataclass(frozen=True, slots=True)
class StatusView:
    """The standing of a study in words, and why."""

    mark: Mark
    why: str
    holds: tuple[Link, ...]
    """The results that hold it and the published runs that do, newest first; with a decision on all of them, these."""


def holds(site: Site, study: str | None = None) -> tuple[ResultSource, ...]:
    """The results that hold a study, or any study, newest first.

    A hold ends when its own page is withdrawn or superseded. A later run does not end it.
    """
    return tuple(
        result
        for result in site.results
        if result.status == "held" and result.change is None and study in (None, result.study)
    )


def status(site: Site, source: StudySource) -> Status:
    """The one status of a study.

    A run that says itself whether a script stood in decides, and one that was made for real is enough. Of the others
    only an author can say it, in a result about them; a withdrawn one still tells, since what a run is does not change
    with the page about it.
    """
    if holds(site, source.id) or held_runs(site, source.id):
        return "held"
    if not source.runs:
        return "not run"
    stated = {run.fixture for run in source.runs}
    if stated == {True}:
        return "fixture demonstration"
    if False in stated:
        return "implemented"
    told = {result.status for result in site.results if result.study == source.id and result.run is not None}
    return "fixture demonstration" if told == {"fixture demonstration"} else "implemented"


def status_view(edition: Edition, source: StudySource) -> StatusView:
    """The status of a study with the facts that it follows from."""
    now = status(edition.site, source)
    mark = named("status", now, edition.catalog)
    published = sum(run.published for run in source.runs)
    why = edition.say(f"status.{mark.name}.why", n=len(source.runs), published=published)
    results, runs = holds(edition.site, source.id), held_runs(edition.site, source.id)
    undecided = tuple(run for run in runs if how_far(source, run) != "decided")
    if runs and not results and not undecided:  # still held, and nobody is waited for
        mark, undecided = replace(mark, word=edition.say("status.held-decided")), runs
        why = edition.say("status.held-decided.why")
    return StatusView(
        mark=mark,
        why=why,
        holds=(
            *(result_link(edition, result) for result in results),
            *(edition.link(run.id, edition.run_page(run)) for run in undecided),
        ),
    )
