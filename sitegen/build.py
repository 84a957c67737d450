"""From a project's sources to a checked site: gather, view, render, check, and hand on file by file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.errors import Problem
from runner.contract.parity.design import ParityDesign
from runner.contract.seal import NOT_SEALED, SEAL_FILE, digest
from runner.reading.decision import SealedDecision
from sitegen.catalog import Catalog, read_catalogs
from sitegen.check import SiteCheck
from sitegen.errors import Collected, EvidenceError, OutputError, PageError
from sitegen.output import Digests, Sink, replacing
from sitegen.pages import place
from sitegen.pages.attempt_table import attempt_table
from sitegen.pages.decided import decisions_on
from sitegen.pages.details import blocks
from sitegen.pages.every import details, feed, pages, root
from sitegen.pages.page import LANGUAGES, Language, PageView
from sitegen.pages.place import SEARCH_INDEX, decision_file, sealed_file
from sitegen.pages.reported import ReportedPage
from sitegen.pages.results import ResultPage
from sitegen.pages.schemas import schema_files
from sitegen.pages.sitemap import sitemap_documents
from sitegen.pages.translations import check_documents
from sitegen.render import Renderer, renderer
from sitegen.search import search_index
from sitegen.sources import PAGED_FROM, RunSource, Site, load
from sitegen.tables import rows_script
from sitegen.twins import as_both, attempt_rows, receipts_twin, reported_files, result_twin, ro_crate, table_twin

SITE = "site"
SOURCES = ("content", "manifests", "templates", "docs", ".sealbook")
"""Folders of a project that a site may not be written into."""


@dataclass(frozen=True, slots=True)
class Made:
    """A site found right: how many of its files are pages, and what its texts should not say."""

    site: Site
    pages: int
    count: int
    cautions: tuple[Problem, ...]


def produce(project: Path, sink: Sink, *, strict: bool = False, paged_from: int = PAGED_FROM) -> Made:
    """Render the site of the project in the folder `project` into `sink`, file by file, and check it.

    Held is what a verified run holds of its attempts (their names, and where their lines and files stand), the columns
    of their table, and of a page its place, its ids and those links that lead to what is not there yet. Raises
    `SiteError` with every problem of the sources, or else of the pages; what the sink has by then is no site. If
    `strict`, a caution is a problem. Attempts of a run share pages if it has `paged_from` of them or more.
    """
    site = load(project, paged_from=paged_from)
    catalogs = read_catalogs()
    theme = renderer(project)
    cautions = _cautions(site, catalogs, strict=strict)
    found = Collected()
    work = _Work(site, theme, catalogs, sink, SiteCheck(base_url=site.config.base_url))
    for path, data in theme.assets().items():
        work.put(path, (data,))
        if path.endswith(".css"):
            work.check.style_sheet(path, data)
    for path, data in schema_files().items():
        work.put(path, (data,))
    for study in site.studies:
        for decision in study.decisions:
            work.decision(decision)
        for run in study.runs:
            work.evidence(run)
            work.rows(run)
            if isinstance(run.sealed.plan.study.design, ParityDesign):
                receipts = receipts_twin(run, decisions_on(study, run))
                work.put(place.receipts(study.id, run.id), (receipts,))
            work.put(place.crate(study.id, run.id), (ro_crate(study, run),))
    for language in LANGUAGES:
        with found.noting():
            index = search_index(work.edition(language))
            work.put(f"{language}/{SEARCH_INDEX}", (index,))
    found.refuse()
    work.details()
    work.beside_the_editions()
    if problems := work.check.problems():
        raise PageError(*problems)
    return Made(site, work.pages, work.count, cautions)


def measure_site(project: Path, *, strict: bool = False) -> tuple[Made, Mapping[str, bytes]]:
    """Make the site of a project and keep the SHA-256 of each file alone. Raises what `produce` does."""
    digests = Digests()
    return produce(project, digests, strict=strict), digests.files


_PIECE = 1 << 20


def build(project: Path, out: Path | None = None, *, strict: bool = False, paged_from: int = PAGED_FROM) -> Made:
    """Make the site of a project and write it to `out`, by default `site/` of the project.

    Raises what `produce` and `replacing` do; then `out` is what it was before.
    """
    target = out or project / SITE
    resolved = target.resolve()
    if any(resolved.is_relative_to((project / name).resolve()) for name in SOURCES):
        raise OutputError(Problem(str(target), "", "lies among the sources", "name another folder"))
    with replacing(target) as folder:
        return produce(project, folder, strict=strict, paged_from=paged_from)


def row_files(run: RunSource) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The files that hold the rows of a run's table, by their place; each is to be taken before the next."""
    sealed, study, table = run.sealed, run.sealed.run.study, attempt_table(run)
    sheet = bytearray()
    yield (
        place.attempt_data(study, run.id, "jsonl"),
        as_both(attempt_rows(sealed.attempts, sealed.timings, sealed.current), sheet),
    )
    view = memoryview(sheet)
    yield (
        place.attempt_data(study, run.id, "csv"),
        (bytes(view[at : at + _PIECE]) for at in range(0, len(view), _PIECE)),
    )
    yield place.attempt_script(study, run.id), (rows_script(table),)
    yield place.attempt_counts(study, run.id), (table_twin(table, study, run.id),)


def _cautions(site: Site, catalogs: Mapping[str, Catalog], *, strict: bool) -> tuple[Problem, ...]:
    """What the documents should not say. Raises `SiteError` for what they cannot, and if `strict` for that too."""
    found = Collected()
    cautions = check_documents(site, catalogs, found)
    if strict:
        found.extend(cautions)
    found.refuse()
    return cautions


@dataclass(slots=True)
class _Work:
    """A site under way: what it is made of, where its files go, and what was made so far."""

    site: Site
    theme: Renderer
    catalogs: Mapping[str, Catalog]
    sink: Sink
    check: SiteCheck
    pages: int = 0
    count: int = 0
    paths: list[str] = field(default_factory=list)
    """Every page of the first language, below its folder."""
    results: dict[str, dict[Language, ResultPage]] = field(default_factory=dict)
    reported: dict[str, dict[Language, ReportedPage]] = field(default_factory=dict)

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Hand one file on."""
        self.sink.put(path, pieces)
        self.check.file(path)
        self.count += 1

    def page(self, view: PageView, language: Language) -> str:
        """Render one page, hand it on and check it."""
        markup = self.theme.page(view, self.catalogs[language])
        self.sink.put(view.location, (markup.encode(),))
        self.count += 1
        if view.location.endswith(".html"):
            self.check.page(view.location, markup)
            self.pages += 1
        else:
            self.check.file(view.location)
        return markup

    def edition(self, language: Language) -> Iterator[tuple[PageView, str]]:
        """Every page of one language with its markup, once it was handed on."""
        for view in pages(self.site, language, self.catalogs[language]):
            yield view, self.page(view, language)
            if language == LANGUAGES[0]:
                self.paths.append(view.path)
            if isinstance(view, ResultPage):
                self.results.setdefault(view.path, {})[language] = view
            elif isinstance(view, ReportedPage):
                self.reported.setdefault(view.path, {})[language] = view

    def details(self) -> None:
        """The pages that show a hundred attempts of a large run each."""
        made = details(self.site, self.catalogs)
        for block in blocks(self.site):
            for view in made.pages(block):
                self.page(view, view.frame.language)
            self.paths.append(view.path)

    def beside_the_editions(self) -> None:
        """The page above the languages, and what is made from the pages of all of them."""
        front = root(self.site, self.catalogs)
        self.page(front, front.frame.language)
        for language in LANGUAGES:
            if told := feed(self.site, language, self.catalogs[language]):
                self.page(told, language)
        for listed in sitemap_documents(front.frame, self.paths):
            self.page(listed, front.frame.language)
        for path, views in self.results.items():
            self.put(place.result_data(path), (result_twin(views),))
        for shown in self.reported.values():
            for path, data in reported_files(shown):
                self.put(path, (data,))

    def rows(self, run: RunSource) -> None:
        """The attempts of a run for programs."""
        for path, pieces in row_files(run):
            self.put(path, pieces)

    def decision(self, decision: SealedDecision) -> None:
        """The files of a decision, byte for byte, compared with the seal once more as they are copied."""
        sealed, named = decision.sealed, decision.decision
        for file in sealed.files:
            self.put(decision_file(named.study, named.decision, file), sealed.file(file).pieces())
        data = (sealed.path / SEAL_FILE).read_bytes()
        if digest(data) != sealed.seal_sha256:
            what = "changed while the site was built"
            raise EvidenceError(Problem(f"{sealed.shown}/{SEAL_FILE}", "", what, "build again"))
        self.put(decision_file(named.study, named.decision, SEAL_FILE), (data,))

    def evidence(self, run: RunSource) -> None:
        """The files of a run, byte for byte, compared with the seal once more as they are copied."""
        sealed = run.sealed
        study, name = sealed.run.study, sealed.run.run
        for file in sealed.files:
            self.put(sealed_file(study, name, file.path), sealed.sealed.file(file.path).pieces())
        for path in sorted(NOT_SEALED):
            if (sealed.folder / path).is_file():
                data = (sealed.folder / path).read_bytes()
                if path == SEAL_FILE and digest(data) != sealed.seal_sha256:
                    what = "changed while the site was built"
                    raise EvidenceError(Problem(f"{study}/{name}/{SEAL_FILE}", "", what, "build again"))
                self.put(sealed_file(study, name, path), (data,))
