"""The first page of a language, and the page above both that offers them."""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.decided import held_runs
from sitegen.pages.edition import Edition
from sitegen.pages.page import Frame, Link, PageView
from sitegen.pages.planned import NotRun
from sitegen.pages.reported import ReportedLine, reported_lines
from sitegen.pages.results import ResultLine, result_line, run_line, unreported
from sitegen.pages.status import StatusView, holds, status_view

SHOWN = 6
"""How many results the first page shows; the list has them all."""


@dataclass(frozen=True, slots=True)
class StudyStanding:
    """A study and its status."""

    link: Link
    status: StatusView


@dataclass(frozen=True, slots=True)
class UnrunStudy:
    """A study that is declared and has not been run."""

    link: Link
    question: str
    command: str


@dataclass(frozen=True, slots=True)
class UnrunSubject:
    """A subject that belongs to a question and cannot be run."""

    study: Link
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(PageView):
    """What was found lately, what is held, what was not run, what is not published, and where each study stands."""

    results: tuple[ResultLine, ...]
    changed: int
    """How many results were withdrawn or superseded: none of them is a latest result."""
    held: tuple[ResultLine, ...]
    unpublished: tuple[ResultLine, ...]
    reported: tuple[ReportedLine, ...]
    """What somebody else published: beside the results, never among them."""
    studies: tuple[StudyStanding, ...]
    unrun: tuple[UnrunStudy, ...]
    gated: tuple[UnrunSubject, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """One language on the root page."""

    language: str
    name: str
    title: str
    description: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RootPage(PageView):
    """Offers both languages."""

    offers: tuple[Offer, ...]


def home_page(edition: Edition) -> HomePage:
    """The first page of a language."""
    site = edition.site
    runs = unreported(edition)
    published = [run_line(edition, run) for run in runs if run.published]
    standing = [source for source in site.results if source.change is None]
    lines = [*(result_line(edition, source) for source in standing), *published]
    lines.sort(key=lambda line: line.date, reverse=True)
    unrun = tuple(
        UnrunStudy(
            link=edition.link(edition.words(source.frozen.study.title), place.study(source.id)),
            question=edition.words(source.frozen.study.question),
            command=f"sealbook prepare {source.id}\nsealbook run {source.id}",
        )
        for source in site.studies
        if not source.runs
    )
    gated = tuple(
        UnrunSubject(
            study=edition.link(edition.words(source.frozen.study.title), place.study(source.id)),
            subject=edition.words(subject.title),
            reason=edition.words(subject.reason),
        )
        for source in site.studies
        for subject in source.frozen.study.design.arms
        if isinstance(subject, NotRun)
    )
    return HomePage(
        frame=edition.frame,
        path=place.HOME,
        template="home.html",
        title=edition.frame.site_title,
        description=edition.words(site.config.description),
        section="",
        results=tuple(lines[:SHOWN]),
        changed=len(site.results) - len(standing),
        held=(
            *(result_line(edition, source) for source in holds(site)),
            *(run_line(edition, run) for run in held_runs(site)),
        ),
        studies=tuple(
            StudyStanding(
                edition.link(edition.words(source.frozen.study.title), place.study(source.id)),
                status_view(edition, source),
            )
            for source in site.studies
        ),
        unpublished=tuple(run_line(edition, run) for run in runs if not run.published),
        reported=reported_lines(edition),
        unrun=unrun,
        gated=gated,
    )


def root_page(editions: tuple[Edition, ...]) -> RootPage:
    """The page that offers both languages; its own words are in the first one."""
    first = editions[0]
    offers = tuple(
        Offer(
            language=edition.language,
            name=edition.say("language.name"),
            title=edition.frame.site_title,
            description=edition.words(edition.site.config.description),
            target=f"{edition.frame.folder}{place.HOME}",
        )
        for edition in editions
    )
    frame = Frame(
        language=first.frame.language,
        other=first.frame.other,
        folder="",
        site_title=first.frame.site_title,
        other_title=first.frame.other_title,
        base_url=first.frame.base_url,
        repository=first.frame.repository,
        rail=(),
    )
    return RootPage(
        frame=frame,
        path="index.html",
        template="root.html",
        title=" · ".join(dict.fromkeys(offer.title for offer in offers)),
        description=first.words(first.site.config.description),
        section="",
        offers=offers,
    )
