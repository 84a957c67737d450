"""What a site is refused for, and how all problems of a build come together.

SiteError
├── ContentError       protocols, results, site.toml, catalogs: what an author wrote
├── EvidenceError      a run that does not verify, or that a page names and nobody has
├── PageError          a rendered page with a dead link, a remote resource, a missing twin
└── OutputError        a folder that may not be written

Each carries every problem of its kind at once, as the contract's errors do.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from runner.contract.errors import ContractError, Problem


class SiteError(ValueError):
    """The site cannot be built, or what was checked of it is bad."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class ContentError(SiteError):
    """Something an author wrote: front matter, Markdown, site.toml, a catalog."""


class EvidenceError(SiteError):
    """Evidence that does not verify, or that a page names and nobody has."""


class PageError(SiteError):
    """A rendered page that breaks a rule of the site."""


class OutputError(SiteError):
    """A folder that the site may not be written to."""


class Collected:
    """Problems of many inputs, so that one bad file does not hide nine others."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note the problems of a refusal inside the block, and go on after it."""
        try:
            yield
        except (SiteError, ContractError) as error:
            self._problems.extend(error.problems)

    def add(self, file: str, where: str, what: str, todo: str) -> None:
        """Note one problem."""
        self._problems.append(Problem(file, where, what, todo))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem once, sorted."""
        return tuple(sorted(set(self._problems)))

    def refuse(self, kind: type[SiteError] = SiteError) -> None:
        """Raise `kind` with every problem noted so far, if there is one."""
        if self._problems:
            raise kind(*self.problems)
