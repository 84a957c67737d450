"""From a project's sources to a checked site: gather, view, render, check, write."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.contract.errors import Problem
from runner.contract.seal import NOT_SEALED, SEAL_FILE, digest
from sitegen.catalog import Catalog, read_catalogs
from sitegen.check import check_site
from sitegen.errors import Collected, EvidenceError, OutputError, PageError
from sitegen.output import write_site
from sitegen.pages import place
from sitegen.pages.attempt_table import attempt_table
from sitegen.pages.every import feed, pages, root
from sitegen.pages.page import LANGUAGES, Language
from sitegen.pages.place import SEARCH_INDEX, sealed_file
from sitegen.pages.results import ResultPage
from sitegen.pages.schemas import schema_files
from sitegen.pages.sitemap import sitemap_documents
from sitegen.pages.translations import check_documents
from sitegen.render import renderer
from sitegen.search import search_index
from sitegen.sources import RunSource, Site, load
from sitegen.tables import rows_script
from sitegen.twins import as_csv, as_jsonl, attempt_rows, result_twin, ro_crate, table_twin

SITE = "site"
FIRST = f"{LANGUAGES[0]}/"
"""The folder of one language; the others have the same pages."""
SOURCES = ("content", "manifests", "templates", "docs", ".sealbook")
"""Folders of a project that a site may not be written into."""


@dataclass(frozen=True, slots=True)
class Built:
    """A site in memory: every file by its path, how many of them are pages, and what its texts should not say."""

    site: Site
    files: dict[str, bytes]
    pages: int
    cautions: tuple[Problem, ...]


def make_site(project: Path, *, strict: bool = False) -> Built:
    """Render and check the site of the project in the folder `project`, and write nothing.

    Raises `SiteError` with every problem of the sources, or else of the pages. If `strict`, a caution is a problem.
    """
    site = load(project)
    catalogs = read_catalogs()
    theme = renderer(project)
    cautions = _cautions(site, catalogs, strict=strict)
    found = Collected()
    files: dict[str, bytes] = {}
    indexes: dict[str, bytes] = {}
    results: dict[str, dict[Language, ResultPage]] = {}
    for language in LANGUAGES:
        with found.noting():
            made = [(view, theme.page(view, catalogs[language])) for view in pages(site, language, catalogs[language])]
            files |= {view.location: markup.encode() for view, markup in made}
            indexes[f"{language}/{SEARCH_INDEX}"] = search_index(made)
            for view, _ in made:
                if isinstance(view, ResultPage):
                    results.setdefault(view.path, {})[language] = view
    found.refuse()
    front = root(site, catalogs)
    files[front.location] = theme.page(front, catalogs[front.frame.language]).encode()
    number = len(files)
    for language in LANGUAGES:
        if told := feed(site, language, catalogs[language]):
            files[told.location] = theme.page(told, catalogs[language]).encode()
    below = [path.removeprefix(FIRST) for path in files if path.startswith(FIRST) and path.endswith(".html")]
    for listed in sitemap_documents(front.frame, below):
        files[listed.location] = theme.page(listed, catalogs[front.frame.language]).encode()
    files |= indexes
    files |= theme.assets()
    files |= schema_files()
    files |= {place.result_data(path): result_twin(views) for path, views in results.items()}
    for study in site.studies:
        for run in study.runs:
            files |= _evidence(run)
            files |= _rows(run)
            files[place.crate(study.id, run.id)] = ro_crate(study, run)
    if problems := check_site(files, base_url=site.config.base_url):
        raise PageError(*problems)
    return Built(site, files, number, cautions)


def build(project: Path, out: Path | None = None, *, strict: bool = False) -> Built:
    """Make the site of a project as `make_site` does and write it to `out`, by default `site/` of the project."""
    target = out or project / SITE
    resolved = target.resolve()
    if any(resolved.is_relative_to((project / name).resolve()) for name in SOURCES):
        raise OutputError(Problem(str(target), "", "lies among the sources", "name another folder"))
    built = make_site(project, strict=strict)
    write_site(built.files, target)
    return built


def _cautions(site: Site, catalogs: Mapping[str, Catalog], *, strict: bool) -> tuple[Problem, ...]:
    """What the documents should not say. Raises `SiteError` for what they cannot, and if `strict` for that too."""
    found = Collected()
    cautions = check_documents(site, catalogs, found)
    if strict:
        found.extend(cautions)
    found.refuse()
    return cautions


def _rows(run: RunSource) -> dict[str, bytes]:
    """The attempts of a run for programs, by place in the site."""
    study, rows = run.sealed.run.study, attempt_rows(run.sealed)
    table = attempt_table(run)
    return {
        place.attempt_data(study, run.id, "csv"): as_csv(rows),
        place.attempt_data(study, run.id, "jsonl"): as_jsonl(rows),
        place.attempt_script(study, run.id): rows_script(table),
        place.attempt_counts(study, run.id): table_twin(table, study, run.id),
    }


def _evidence(run: RunSource) -> dict[str, bytes]:
    """The files of a run, byte for byte, by their place in the site."""
    sealed = run.sealed
    study, name = sealed.run.study, sealed.run.run
    files = {sealed_file(study, name, file.path): sealed.data(file.path) for file in sealed.files}
    for path in sorted(NOT_SEALED):
        if (sealed.folder / path).is_file():
            files[sealed_file(study, name, path)] = (sealed.folder / path).read_bytes()
    if digest(files[sealed_file(study, name, SEAL_FILE)]) != sealed.seal_sha256:
        what = "changed while the site was built"
        raise EvidenceError(Problem(f"{study}/{name}/{SEAL_FILE}", "", what, "build again"))
    return files
