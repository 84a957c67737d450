"""Whether every document can be shown, and its languages show the same things in the same order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen.catalog import Catalog
from sitegen.errors import Collected
from sitegen.pages import place
from sitegen.pages.documents import document_prose
from sitegen.pages.edition import edition
from sitegen.pages.page import LANGUAGES
from sitegen.prose import Prose, differences
from sitegen.sources import Document, RunSource, Site


@dataclass(frozen=True, slots=True)
class _Written:
    """One document in all languages, with the page and the run it belongs to."""

    documents: Mapping[str, Document]
    page: str
    run: RunSource | None


def check_documents(site: Site, catalogs: Mapping[str, Catalog], found: Collected) -> None:
    """Note what is wrong with each document by itself, so that one hides none of the others.

    Where all languages of one can be shown, their headings, code blocks and figures are compared.
    """
    editions = {language: edition(site, language, catalogs[language]) for language in LANGUAGES}
    for written in _documents(site):
        shown: dict[str, Prose] = {}
        for language in LANGUAGES:
            with found.noting():
                shown[language] = document_prose(
                    editions[language], written.documents[language], written.page, written.run
                )
        if len(shown) == len(LANGUAGES):
            first, *others = ((written.documents[language], shown[language]) for language in LANGUAGES)
            for other in others:
                found.extend(tuple(differences(first, other)))


def _documents(site: Site) -> Iterator[_Written]:
    for protocol in site.protocols:
        yield _Written(protocol.documents, place.protocol(protocol.id, protocol.version), None)
    for result in site.results:
        run = site.run(result.study, result.run) if result.run else None
        yield _Written(result.documents, place.result(result.name), run)
