"""One language's edition of a site: its frame, its words, and the links between its pages.

Every page kind is a function of an edition.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from runner.contract.plan import Planned
from runner.contract.values import Text
from sitegen.catalog import Catalog
from sitegen.pages import place
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Entry, Frame, Language, Link
from sitegen.pages.quotes import Quotes, quotes
from sitegen.pages.run_order import before
from sitegen.pages.wording import choose
from sitegen.sources import RunSource, Site

RAIL = (
    ("results", place.RESULTS),
    ("protocols", place.PROTOCOLS),
    ("studies", place.STUDIES),
    ("attempts", place.ATTEMPTS),
    ("claims", place.CLAIMS),
    ("licenses", place.LICENSES),
    ("reviews", place.REVIEWS),
    ("evidence", place.EVIDENCE),
    ("rules", place.RULES),
)


def frame(site: Site, language: Language, catalog: Catalog) -> Frame:
    """The frame of every page in `language`."""
    folder = f"{language}/"
    other: Language = "zh" if language == "en" else "en"
    base = site.config.base_url
    return Frame(
        language=language,
        other=other,
        folder=folder,
        site_title=choose(site.config.title, language),
        other_title=choose(site.config.title, other),
        base_url=f"{base.rstrip('/')}/" if base else None,
        repository=site.config.repository,
        rail=tuple(Entry(name, catalog.say(f"nav.{name}"), folder + target) for name, target in RAIL),
        feed=folder + place.FEED if base and site.results else "",
    )


@dataclass(frozen=True, slots=True)
class Edition:
    """One language's edition of a site: what every page kind is made from."""

    site: Site
    language: Language
    catalog: Catalog
    frame: Frame

    def words(self, text: Text) -> str:
        """A bilingual statement in the edition's language."""
        return choose(text, self.language)

    def say(self, key: str, **values: object) -> str:
        """A message of the edition's catalog."""
        return self.catalog.say(key, **values)

    def link(self, words: str, target: str) -> Link:
        """A link to a page of the same language."""
        return Link(words, self.frame.folder + target)

    def trail(self, section: str, *further: Link) -> tuple[Link, ...]:
        """The way from home to a page below the section's first page."""
        top = next(entry for entry in self.frame.rail if entry.section == section)
        return (self.link(self.say("nav.home"), place.HOME), Link(top.words, top.target), *further)

    def subjects(self, run: RunSource) -> Mapping[str, str]:
        """The subjects of a run by id, in their order: what each is called."""
        return self.arms(run.sealed.plan)

    def arms(self, planned: Planned) -> Mapping[str, str]:
        """The arms of a plan or a manifest by id, in their order: what each is called."""
        return {arm.id: self.words(arm.title) for arm in planned.study.design.arms}

    def quotes(self, run: RunSource) -> Quotes:
        """The numbers of a sealed run."""
        return quotes(run, self.frame.folder, self.catalog)

    def run_page(self, run: RunSource) -> str:
        """The page that reports a run: its newest result that stands, else its newest, else a page of its own."""
        study, name = run.sealed.run.study, run.id
        told = [result for result in self.site.results if (result.study, result.run) == (study, name)]
        newest = next((result for result in told if result.change is None), told[0] if told else None)
        return place.result(newest.name) if newest else place.run(study, name)

    def run_neighbours(self, run: RunSource) -> tuple[Link, ...]:
        """The pages that belong to one run."""
        study, name = run.sealed.run.study, run.id
        return (
            self.link(self.say("beside.study"), place.study(study)),
            self.link(self.say("beside.report"), self.run_page(run)),
            self.link(self.say("beside.attempts"), place.attempts(study, name)),
            self.link(self.say("beside.evidence"), place.evidence(study, name)),
            *self.beside_before(run),
        )

    def beside_before(self, run: RunSource) -> tuple[Link, ...]:
        """The page that shows a run beside the one before it; none for the first of its study."""
        if (earlier := before(self.site, run)) is None:
            return ()
        return (self.link(self.say("beside.before"), place.two_runs(run.sealed.run.study, earlier.id, run.id)),)

    def publication(self, run: RunSource) -> Mark:
        """Whether a run is published; on every page that speaks of it."""
        return named("publication", "published" if run.published else "unpublished", self.catalog)


def edition(site: Site, language: Language, catalog: Catalog) -> Edition:
    """The edition of `site` in `language`."""
    return Edition(site, language, catalog, frame(site, language, catalog))
