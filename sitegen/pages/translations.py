"""Whether every document can be shown, and its languages show the same things in the same order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from runner.contract.errors import Problem
from runner.contract.study import Study
from sitegen.catalog import Catalog
from sitegen.errors import Collected
from sitegen.pages import place
from sitegen.pages.documents import document_prose
from sitegen.pages.edition import edition
from sitegen.pages.page import LANGUAGES
from sitegen.pages.results import told
from sitegen.prose import Prose, differences
from sitegen.sources import Document, RunSource, Site


@dataclass(frozen=True, slots=True)
class _Written:
    """One document in all languages, with the page and the run it belongs to."""

    documents: Mapping[str, Document]
    page: str
    study: Study | None = None
    """The study that a result tells of."""
    run: RunSource | None = None


def check_documents(site: Site, catalogs: Mapping[str, Catalog], found: Collected) -> tuple[Problem, ...]:
    """Note what is wrong with each document by itself, so that one hides none of the others; its cautions are returned.

    Where all languages of one can be shown, what they must have in common is compared.
    """
    cautions = Collected()
    editions = {language: edition(site, language, catalogs[language]) for language in LANGUAGES}
    for written in _documents(site):
        shown: dict[str, Prose] = {}
        for language in LANGUAGES:
            with found.noting():
                shown[language] = document_prose(
                    editions[language],
                    written.documents[language],
                    written.page,
                    study=written.study,
                    run=written.run,
                )
                cautions.extend(shown[language].cautions)
        if len(shown) == len(LANGUAGES):
            first, *others = ((written.documents[language], shown[language]) for language in LANGUAGES)
            for other in others:
                found.extend(tuple(differences(first, other)))
    return cautions.problems


def _documents(site: Site) -> Iterator[_Written]:
    for protocol in site.protocols:
        yield _Written(protocol.documents, place.protocol(protocol.id, protocol.version))
    for result in site.results:
        study, run = told(site, result)
        yield _Written(result.documents, place.result(result.name), study, run)
