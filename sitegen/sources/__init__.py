"""The only reader of a site: content, manifests and sealed evidence, as frozen values.

Evidence comes verified through `runner.reading` or not at all. What is wrong in any file is
told together with what is wrong in all others.
"""

from pathlib import Path

from sitegen.errors import Collected, SiteError
from sitegen.sources.changes import check_successors
from sitegen.sources.content import SITE_FILE, read_config, read_protocols, read_results
from sitegen.sources.evidence import read_studies
from sitegen.sources.reported import read_reported_records
from sitegen.sources.reviews import refuse_reviews
from sitegen.sources.rules import read_rules
from sitegen.sources.values import (
    LANGUAGES,
    PAGED_FROM,
    Change,
    Document,
    Protocol,
    ReportedSource,
    ResultSource,
    RuleProof,
    RulesRecord,
    RuleStanding,
    RunSource,
    Site,
    SiteConfig,
    StudySource,
    once_a_run,
)

__all__ = [
    "LANGUAGES",
    "PAGED_FROM",
    "SITE_FILE",
    "Change",
    "Document",
    "Protocol",
    "ReportedSource",
    "ResultSource",
    "RuleProof",
    "RuleStanding",
    "RulesRecord",
    "RunSource",
    "Site",
    "SiteConfig",
    "StudySource",
    "load",
    "once_a_run",
]


def load(root: Path, *, include_unpublished: bool = True, paged_from: int = PAGED_FROM) -> Site:
    """Read and verify everything below `root`; from `paged_from` attempts on, those of a run share pages.

    Raises `SiteError` with every problem found.
    """
    found = Collected()
    protocols = read_protocols(root, found)
    results = read_results(root, found)
    reported = read_reported_records(root, found)
    refuse_reviews(root, found)
    studies = read_studies(root, found, include_unpublished=include_unpublished, paged_from=paged_from)
    if not found.problems:  # what could not be read is not missing as well
        _refer_to_what_exists(protocols, results, studies, found)
    config, rules = None, None
    with found.noting():
        config = read_config(root)
    with found.noting():
        rules = read_rules(root)
    if config is None or found.problems:
        raise SiteError(*found.problems)
    return Site(root, config, protocols, results, studies, rules, reported)


def _refer_to_what_exists(
    protocols: tuple[Protocol, ...],
    results: tuple[ResultSource, ...],
    studies: tuple[StudySource, ...],
    found: Collected,
) -> None:
    """Note studies without their protocol, and results without their study, run or successor."""
    versions = {(protocol.id, protocol.version) for protocol in protocols}
    for source in studies:
        wanted = source.frozen.study.protocol
        if (wanted.id, wanted.version) not in versions:
            what = f"no protocol {wanted.id} {wanted.version} in {' and '.join(LANGUAGES)}"
            todo = f"write content/protocols/{wanted.id}/{wanted.version}.LANGUAGE.md"
            found.add(f"manifests/{source.id}/study.toml", "protocol", what, todo)
    check_successors(results, found)
    runs = {source.id: {run.id: run for run in source.runs} for source in studies}
    for result in results:
        for document in result.documents.values():
            if result.study not in runs:
                what = f"no study {result.study!r} in manifests"
                found.add(document.path, "study", what, "name an existing study")
            elif result.run is not None and result.run not in runs[result.study]:
                known = ", ".join(runs[result.study]) or "none"
                what = f"no sealed run {result.run!r} of {result.study} (there are: {known})"
                found.add(document.path, "run", what, "name a sealed run, or publish it first")
            elif result.run is not None:
                _check_status(result, runs[result.study][result.run], document.path, found)


def _check_status(result: ResultSource, run: RunSource, path: str, found: Collected) -> None:
    """Note a result whose status denies what its run says of itself."""
    demonstrated = result.status == "fixture demonstration"
    if run.fixture and result.status == "qualification":
        what = f"{run.id} says that a script stood in for what is studied"
        found.add(path, "status", what, 'write "fixture demonstration"')
    elif run.fixture is False and demonstrated:
        what = f"{run.id} says that no script stood in for what is studied"
        found.add(path, "status", what, 'write "qualification"')
