"""What views of attempts are made of: sealed files, lines of the evidence, and numbers that come from such lines."""

from dataclasses import dataclass

from runner.contract.values import FileDigest
from sitegen import figures
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class SealedFile:
    """A published file of the attempt."""

    link: Link
    size: str
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the evidence that records the attempt, as it stands there."""

    anchor: str
    """Where numbers of this page lead to."""
    number: int
    text: str
    digest: str
    """SHA-256 of the line without its line feed."""
    file: Link
    file_digest: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the attempt, and the line that it comes from."""

    name: str
    value: str
    line: Line


def sealed_file(edition: Edition, run: RunSource, file: FileDigest) -> SealedFile:
    """A sealed file as pages list it."""
    target = place.sealed_file(run.sealed.run.study, run.id, file.path)
    return SealedFile(Link(file.path, target), figures.size(file.bytes, edition.catalog), file.sha256)
