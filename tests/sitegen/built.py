"""A small site in memory, for tests that look at its files."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.errors import Problem
from sitegen.build import produce
from sitegen.sources import Site


@dataclass(slots=True)
class Held:
    """A sink that keeps every file."""

    files: dict[str, bytes] = field(default_factory=dict)

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Keep one file."""
        self.files[path] = b"".join(pieces)


@dataclass(frozen=True, slots=True)
class Built:
    """Every file by its path, how many of them are pages, and what its texts should not say."""

    site: Site
    files: dict[str, bytes]
    pages: int
    cautions: tuple[Problem, ...]


def make_site(project: Path, *, strict: bool = False) -> Built:
    """Make the site of a project in memory, and write nothing. Raises what `produce` does."""
    held = Held()
    made = produce(project, held, strict=strict)
    return Built(made.site, held.files, made.pages, made.cautions)
