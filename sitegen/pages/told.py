"""What pages say of one event."""

from dataclasses import dataclass

from sitegen.pages.marks import Mark


@dataclass(frozen=True, slots=True)
class Digest:
    """A SHA-256 and what it is of."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Stream:
    """One output stream as kept, and what is said of the whole."""

    name: str
    text: str
    said: str
    """Bytes in total, and how many of them are kept if not all."""
    truncated: bool
    digest: str
    folded: bool
    unfold: str
    """What opens the fold, with the number of lines behind it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one event, whenever it happened: trials of one check say much the same."""

    step: str
    title: str
    mark: Mark | None = None
    argv: str = ""
    notes: tuple[str, ...] = ()
    shift: str = ""
    """The declared clock shift in words, or empty."""
    streams: tuple[Stream, ...] = ()
    digests: tuple[Digest, ...] = ()
    tone: str = "plain"
