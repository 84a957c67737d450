"""The page that searches the site; the index it loads is made from the other pages."""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.attempt_place import paged
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link, PageView


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(PageView):
    """A field, and the places to look at for a reader without scripts."""

    index: str
    """The script with the index, from the site's root."""
    left_out: tuple[Link, ...]
    """The tables of runs whose attempts are too many for the index, and can be filtered there."""


def search_page(edition: Edition) -> SearchPage:
    """The search page in the edition's language."""
    return SearchPage(
        frame=edition.frame,
        path=place.SEARCH,
        template="search.html",
        title=edition.say("search.title"),
        description=edition.say("search.description"),
        section="search",
        trail=(edition.link(edition.say("nav.home"), place.HOME),),
        index=edition.frame.folder + place.SEARCH_INDEX,
        left_out=tuple(
            edition.link(f"{edition.words(study.frozen.study.title)} · {run.id}", place.attempts(study.id, run.id))
            for study in edition.site.studies
            for run in study.runs
            if paged(run)
        ),
    )
