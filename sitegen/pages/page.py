"""What every page is before it is HTML: a frozen view with its place, its template and its frame.

Targets of links in views are written from the site's root (`en/studies/index.html`,
`evidence/STUDY/RUN/run.json#…`); `render` makes them relative to the page that shows them.
"""

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}
"""BCP 47 tags for `lang` and `hreflang`."""
EVIDENCE_FOLDER = "evidence"
"""Below it, outside the folders of the languages, lie the sealed files as they are."""


@dataclass(frozen=True, slots=True)
class Link:
    """Words and where they lead."""

    words: str
    target: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the rail. `section` is compared with the page's, to mark where the reader is."""

    section: str
    words: str
    target: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages of one language have in common."""

    language: Language
    other: Language
    folder: str
    """`en/`, `zh/`, or empty for the page that offers both."""
    site_title: str
    other_title: str
    base_url: str | None
    """Ends in a slash. Without one, canonical and absolute links are left out."""
    repository: str | None
    rail: tuple[Entry, ...]
    feed: str = ""
    """The place of the language's feed; empty where the site has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """One page. A page kind adds fields of its own and names the template that shows them."""

    frame: Frame
    path: str
    """Below the language's folder, such as `studies/coordination-recovery/index.html`."""
    template: str
    title: str
    description: str
    section: str
    """The entry of the rail that is marked; empty for a page outside all of them."""
    trail: tuple[Link, ...] = ()
    """The pages above this one, from the outside in."""
    beside: tuple[Link, ...] = ()
    """The other pages of the same study and run; the rail shows them below its own entries."""

    @property
    def location(self) -> str:
        """The page's place from the site's root."""
        return f"{self.frame.folder}{self.path}"
