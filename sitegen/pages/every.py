"""All pages of a site in one language, and the page above the languages."""

from collections.abc import Iterator, Mapping

from sitegen.catalog import Catalog
from sitegen.pages.attempt import attempt_pages
from sitegen.pages.attempts import attempt_table_pages
from sitegen.pages.claim_list import claim_list_page
from sitegen.pages.details import DetailPages
from sitegen.pages.edition import edition
from sitegen.pages.evidence import evidence_pages
from sitegen.pages.feed import feed_document
from sitegen.pages.glossary import glossary_page
from sitegen.pages.home import home_page, root_page
from sitegen.pages.licenses import license_page
from sitegen.pages.page import LANGUAGES, Language, PageView
from sitegen.pages.protocols import protocol_pages
from sitegen.pages.reported import reported_pages
from sitegen.pages.results import result_pages
from sitegen.pages.reviews import reviews_page
from sitegen.pages.revisions import revision_pages
from sitegen.pages.rules import rules_page
from sitegen.pages.schemas import schema_pages
from sitegen.pages.search import search_page
from sitegen.pages.studies import study_pages
from sitegen.pages.two_runs import two_runs_pages
from sitegen.sources import Site


def pages(site: Site, language: Language, catalog: Catalog) -> Iterator[PageView]:
    """Every page of `site` in `language` but those of `details`, in a fixed order, each made when it is asked for.

    Raises `ContentError` for a document with an unresolved figure or a dead link, and for a word
    that the catalog does not have.
    """
    made = edition(site, language, catalog)
    yield home_page(made)
    yield from result_pages(made)
    yield from two_runs_pages(made)
    yield from reported_pages(made)
    yield from protocol_pages(made)
    yield from revision_pages(made)
    yield from study_pages(made)
    yield from attempt_table_pages(made)
    yield from attempt_pages(made)
    yield claim_list_page(made)
    yield license_page(made)
    yield reviews_page(made)
    yield from evidence_pages(made)
    yield from schema_pages(made)
    yield rules_page(made)
    yield glossary_page(made)
    yield search_page(made)


def details(site: Site, catalogs: Mapping[str, Catalog]) -> DetailPages:
    """What makes the pages in all languages that show a hundred attempts of a large run each."""
    return DetailPages([edition(site, language, catalogs[language]) for language in LANGUAGES])


def feed(site: Site, language: Language, catalog: Catalog) -> PageView | None:
    """The feed of `site` in `language`, if it can have one."""
    return feed_document(edition(site, language, catalog))


def root(site: Site, catalogs: Mapping[str, Catalog]) -> PageView:
    """The page at the site's root, which offers every language."""
    return root_page(tuple(edition(site, language, catalogs[language]) for language in LANGUAGES))
