"""Result pages: the list, the dated page of a result document, the page of a run without one."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.seal import COMMITMENTS_FILE, RUN_FILE
from runner.contract.study import Study
from sitegen.pages import place
from sitegen.pages.changes import ChangeView, Replaced, change_view, replaced, result_link, status_mark
from sitegen.pages.chart_views import ChartView
from sitegen.pages.charts import charts
from sitegen.pages.compared import Compared, compared
from sitegen.pages.documents import DocumentView, document_view
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link, PageView
from sitegen.pages.parity.result import ParityResult, parity_result
from sitegen.pages.report import Report, report
from sitegen.pages.reported import ReportedLine, reported_lines
from sitegen.pages.wording import Phrase
from sitegen.sources import ResultSource, RunSource, Site


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One line of the notebook: a dated result, or a run that nobody has written about."""

    date: str
    link: Link
    summary: str
    found: Phrase
    status: Mark
    publication: Mark | None
    change: ChangeView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage(PageView):
    """A dated result, or the bare report of a run."""

    date: str
    status: Mark | None
    summary: str
    study: Link
    declared: Study
    """The study as it stood when the run was planned; without a run, as it stands now."""
    run: RunSource | None
    limits: tuple[str, ...]
    """What the study says that it does not establish."""
    data: tuple[Link, ...]
    """The same page for programs, and the sealed documents behind it."""
    report: Report | None
    compared: Compared | None
    """What a run of that study kind adds to its report."""
    parity: ParityResult | None
    """Likewise."""
    charts: tuple[ChartView, ...]
    prose: DocumentView | None
    source: ResultSource | None = None
    """The document behind the page; None for the bare report of a run."""
    change: ChangeView | None = None
    """What became of the result later."""
    replaces: tuple[Replaced, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultListPage(PageView):
    """Everything that was found, newest first."""

    results: tuple[ResultLine, ...]
    runs: tuple[ResultLine, ...]
    reported: tuple[ReportedLine, ...]
    elsewhere: Link
    """The list of what somebody else published."""


def result_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a result document, then one a run without a document."""
    yield ResultListPage(
        frame=edition.frame,
        path=place.RESULTS,
        template="results.html",
        title=edition.say("nav.results"),
        description=edition.say("results.description"),
        section="results",
        trail=edition.trail("results")[:1],
        results=tuple(result_line(edition, source) for source in edition.site.results),
        runs=tuple(run_line(edition, run) for run in unreported(edition)),
        reported=reported_lines(edition),
        elsewhere=edition.link(edition.say("reported.all"), place.REPORTED),
    )
    for source in edition.site.results:
        yield _result(edition, source)
    for run in unreported(edition):
        yield _run(edition, run)


def unreported(edition: Edition) -> tuple[RunSource, ...]:
    """The sealed runs that no result document speaks about, newest first."""
    reported = {(result.study, result.run) for result in edition.site.results}
    runs = [run for study in edition.site.studies for run in study.runs if (study.id, run.id) not in reported]
    return tuple(sorted(runs, key=lambda run: run.id, reverse=True))


def result_line(edition: Edition, source: ResultSource) -> ResultLine:
    """How lists show a dated result."""
    document = source.documents[edition.language]
    run = edition.site.run(source.study, source.run) if source.run else None
    return ResultLine(
        date=source.date,
        link=result_link(edition, source),
        summary=document.summary,
        found=report(edition, run).found if run else (),
        status=status_mark(edition, source),
        publication=edition.publication(run) if run else None,
        change=change_view(edition, source),
    )


def run_line(edition: Edition, run: RunSource) -> ResultLine:
    """How lists show a run that has no result document."""
    shown = report(edition, run)
    demonstrated = named("status", "fixture demonstration", edition.catalog) if run.fixture else None
    return ResultLine(
        date=run.sealed.run.started_at[:10],
        link=edition.link(_run_title(edition, run), edition.run_page(run)),
        summary="",
        found=shown.found,
        status=demonstrated or shown.disposition,
        publication=shown.publication,
    )


def _run_title(edition: Edition, run: RunSource) -> str:
    study = edition.words(run.sealed.plan.study.title)
    return edition.say("run.title", study=study, run=run.id)


def _result(edition: Edition, source: ResultSource) -> ResultPage:
    document = source.documents[edition.language]
    path = place.result(source.name)
    study, run = told(edition.site, source)
    return ResultPage(
        frame=edition.frame,
        path=path,
        template="result.html",
        title=document.title,
        description=document.summary,
        section="results",
        trail=edition.trail("results"),
        beside=edition.run_neighbours(run) if run else (),
        date=source.date,
        status=status_mark(edition, source),
        summary=document.summary,
        study=edition.link(edition.words(study.title), place.study(study.id)),
        declared=study,
        run=run,
        limits=_limits(edition, study),
        data=_data(edition, path, run),
        report=report(edition, run) if run else None,
        compared=compared(edition, run) if run else None,
        parity=parity_result(edition, run) if run else None,
        charts=charts(edition, run) if run else (),
        source=source,
        change=change_view(edition, source),
        replaces=replaced(edition, source),
        prose=document_view(edition, document, path, study=study, run=run),
    )


def _run(edition: Edition, run: RunSource) -> ResultPage:
    study = run.sealed.plan.study
    path = place.run(study.id, run.id)
    return ResultPage(
        frame=edition.frame,
        path=path,
        template="result.html",
        title=_run_title(edition, run),
        description=edition.words(study.question),
        section="results",
        trail=edition.trail("results"),
        beside=edition.run_neighbours(run),
        date=run.sealed.run.started_at[:10],
        status=None,
        summary="",
        study=edition.link(edition.words(study.title), place.study(study.id)),
        declared=study,
        run=run,
        limits=_limits(edition, study),
        data=_data(edition, path, run),
        report=report(edition, run),
        compared=compared(edition, run),
        parity=parity_result(edition, run),
        charts=charts(edition, run),
        prose=None,
    )


def told(site: Site, source: ResultSource) -> tuple[Study, RunSource | None]:
    """The study that a result tells of, as it stood when its run was planned, and the run, if there is one.

    Raises KeyError if the site has no such study, which reading the sources rules out.
    """
    if source.run and (run := site.run(source.study, source.run)):
        return run.sealed.plan.study, run
    study = site.study(source.study)
    if study is None:
        raise KeyError(source.study)
    return study.frozen.study, None


def _limits(edition: Edition, study: Study) -> tuple[str, ...]:
    return tuple(edition.words(limit.text) for limit in study.limits)


def _data(edition: Edition, path: str, run: RunSource | None) -> tuple[Link, ...]:
    derived = Link(edition.say("data.json"), place.result_data(path))
    if run is None:
        return (derived,)
    study = run.sealed.run.study
    sealed = (Link(name, place.sealed_file(study, run.id, name)) for name in (RUN_FILE, COMMITMENTS_FILE))
    return (derived, *sealed)
