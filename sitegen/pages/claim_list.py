"""The claims page: every claim and every "does not establish" of every study, each beside what it rests on.

What a run says of a claim is decided in `claims`; here it is only decided which run counts.
"""

from dataclasses import dataclass

from runner.contract.seal import PLAN_FILE
from runner.contract.study import Claim
from sitegen.pages import claims, place
from sitegen.pages.decided import disposition_mark
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link, PageView
from sitegen.pages.quotes import Bound
from sitegen.pages.status import StatusView, status_view
from sitegen.sources import RunSource, StudySource


@dataclass(frozen=True, slots=True)
class Ground:
    """The run that a claim rests on, and where its sealed files say so."""

    run: Link
    disposition: Mark
    selection: str
    accepted: Bound
    planned: Bound
    file: Link
    """The sealed plan, with the place of the claim in it."""
    digest: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim as it stands now."""

    id: str
    anchor: str
    text: str
    mark: Mark
    ground: Ground | None


@dataclass(frozen=True, slots=True)
class LimitView:
    """Something that a study does not establish, whatever comes out."""

    id: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class OtherRun:
    """A sealed run on which no claim rests, and why."""

    link: Link
    why: str


@dataclass(frozen=True, slots=True)
class StudyClaims:
    """The claims and limits of one study."""

    link: Link
    anchor: str
    status: StatusView
    claims: tuple[ClaimView, ...]
    limits: tuple[LimitView, ...]
    stated: Link
    """Where the manifest that states them is listed with its digest."""
    others: tuple[OtherRun, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimListPage(PageView):
    """All claims of all studies."""

    studies: tuple[StudyClaims, ...]


def claim_list_page(edition: Edition) -> ClaimListPage:
    """The claims page."""
    return ClaimListPage(
        frame=edition.frame,
        path=place.CLAIMS,
        template="claims.html",
        title=edition.say("nav.claims"),
        description=edition.say("claim-list.description"),
        section="claims",
        trail=edition.trail("claims")[:1],
        studies=tuple(_study(edition, source) for source in edition.site.studies),
    )


def _study(edition: Edition, source: StudySource) -> StudyClaims:
    study = source.frozen.study
    return StudyClaims(
        link=edition.link(edition.words(study.title), place.study(study.id)),
        anchor=study.id,
        status=status_view(edition, source),
        claims=tuple(_claim(edition, source, claim) for claim in study.claims),
        limits=tuple(
            LimitView(limit.id, f"{study.id}.limit.{limit.id}", edition.words(limit.text)) for limit in study.limits
        ),
        stated=edition.link("study.toml", f"{place.study(study.id)}#manifest"),
        others=tuple(_others(edition, source)),
    )


def _claim(edition: Edition, source: StudySource, claim: Claim) -> ClaimView:
    run = _rested_on(edition, source, claim)
    return ClaimView(
        id=claim.id,
        anchor=f"{source.id}.claim.{claim.id}",
        text=edition.words(claim.text),
        mark=claims.standing(edition, run) if run else named("claim", "not yet", edition.catalog),
        ground=_ground(edition, run, claim) if run else None,
    )


def _rested_on(edition: Edition, source: StudySource, claim: Claim) -> RunSource | None:
    """The newest run that counts and whose plan states this claim."""
    return next((run for run in source.runs if _counts(edition, run) and claim in run.sealed.plan.study.claims), None)


def _counts(edition: Edition, run: RunSource) -> bool:
    """Whether a claim may rest on the run: it is published, and what was written about it was not all taken back."""
    return run.published and not _taken_back(edition, run)


def _taken_back(edition: Edition, run: RunSource) -> bool:
    told = [item for item in edition.site.results if (item.study, item.run) == (run.sealed.run.study, run.id)]
    return bool(told) and all(item.change and item.change.status == "withdrawn" for item in told)


def _ground(edition: Edition, run: RunSource, claim: Claim) -> Ground:
    record, quotes = run.sealed.run, edition.quotes(run)
    pointer = f"/study/claims/{run.sealed.plan.study.claims.index(claim)}"
    return Ground(
        run=edition.link(run.id, edition.run_page(run)),
        disposition=disposition_mark(edition, run),
        selection=edition.catalog.word(record.selection),
        accepted=quotes.at("/tally/accepted"),
        planned=quotes.at("/tally/planned"),
        file=Link(f"{PLAN_FILE} {pointer}", place.sealed_file(record.study, run.id, PLAN_FILE)),
        digest=record.plan_sha256,
    )


def _others(edition: Edition, source: StudySource) -> tuple[OtherRun, ...]:
    """The runs on which no claim of the study as it stands now rests."""
    wanted = set(source.frozen.study.claims)
    rested_on = {run.id for claim in wanted if (run := _rested_on(edition, source, claim))}
    found = []
    for run in source.runs:
        if not run.published:
            why = "unpublished"
        elif _taken_back(edition, run):
            why = "withdrawn"
        elif wanted.isdisjoint(run.sealed.plan.study.claims):
            why = "other-claims"
        elif run.id not in rested_on:
            why = "older"
        else:
            continue
        found.append(OtherRun(edition.link(run.id, edition.run_page(run)), edition.say(f"claim-list.not-{why}")))
    return tuple(found)
