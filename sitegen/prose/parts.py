"""What a rendered document is made of, and what of it a page or another language needs to know."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runner.contract.errors import Problem


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure in the text and the place that proves it."""

    text: str
    href: str
    """From the page that shows it to the anchor that quotes the evidence."""
    title: str = ""
    """The file and the pointer, for who rests on the figure."""


@dataclass(frozen=True, slots=True)
class Citation:
    """How a claim of the study is named in the text, and whether the page's run supports it."""

    text: str
    href: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading with the id that links to it."""

    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """A place in a document where its page shows something that it knows: a directive, checked."""

    directive: str
    argument: str
    """What stands behind the name, or nothing."""
    options: tuple[tuple[str, str], ...]
    """By name, so that two languages may write them in any order."""
    line: int
    """Of the file, from 1."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Where the things that languages must have in common stand in the file: a line each, from 1."""

    headings: tuple[int, ...]
    code: tuple[int, ...]
    bound: tuple[int, ...]
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """A rendered document and what of it must agree between languages."""

    parts: tuple[str | Insert, ...]
    """Safe markup, in which every character of the source that is not Markdown is escaped, and what the page
    puts between."""
    headings: tuple[Heading, ...]
    code_blocks: tuple[str, ...]
    bound: tuple[str, ...]
    """The figures as they are referred to, in order: a pointer into run.json, or `FILE#` and a pointer."""
    cited: tuple[str, ...]
    """The claims that the text names, in order."""
    links: tuple[str, ...]
    """Targets as they stand in the HTML, in order."""
    lines: Lines
    cautions: tuple[Problem, ...]
    """What can be shown and should not be said like that: unbound numbers, claims without support."""

    @property
    def html(self) -> str:
        """The document's own markup, without what the page puts between."""
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def inserts(self) -> tuple[Insert, ...]:
        """What the page puts between, in order."""
        return tuple(part for part in self.parts if isinstance(part, Insert))


Resolve = Callable[[str], Bound | None]
"""A reference into the evidence to its figure."""
FindTarget = Callable[[str], str | None]
Claims = Mapping[str, Citation]
