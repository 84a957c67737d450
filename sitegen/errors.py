"""What a site is refused for, and how all problems of a build come together.

SiteError
├── ContentError       protocols, results, site.toml, catalogs: what an author wrote
├── EvidenceError      a run that does not verify, or that a page names and nobody has
├── PageError          a rendered page with a dead link, a remote resource, a missing twin
└── OutputError        a folder that may not be written, a port that is taken (exit code 3)

Each carries every problem of its kind at once, as the contract's errors do.
"""

import re
from types import TracebackType

from runner.contract.errors import ContractError, Problem


class SiteError(ValueError):
    """The site cannot be built, or what was checked of it is bad."""

    code = "bad-site"
    exit_code = 1

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
    """A folder that the site may not be written to, or a port that is taken: nothing is bad, but nothing was done."""

    code = "not-written"
    exit_code = 3


class Collected:
    """Problems of many inputs, so that one bad file does not hide nine others."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def noting(self) -> "_Noting":
        """A block whose refusal is noted; what follows the block goes on."""
        return _Noting(self)

    def add(self, file: str, where: str, what: str, todo: str) -> None:
        """Note one problem."""
        self._problems.append(Problem(file, where, what, todo))

    def extend(self, problems: tuple[Problem, ...]) -> None:
        """Note several problems."""
        self._problems.extend(problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem once, by file, and by line as a number."""
        return tuple(sorted(set(self._problems), key=_place))

    def refuse(self, kind: type[SiteError] = SiteError) -> None:
        """Raise `kind` with every problem noted so far, if there is one."""
        if self._problems:
            raise kind(*self.problems)


def _place(problem: Problem) -> tuple[str, list[tuple[int, str]], Problem]:
    parts = re.findall(r"\d+|\D+", problem.where)
    return problem.file, [(int(part), "") if part.isdecimal() else (0, part) for part in parts], problem


class _Noting:
    """Ends a block on a refusal and keeps the problems; other exceptions pass."""

    def __init__(self, found: Collected) -> None:
        self._found = found

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if isinstance(error, SiteError | ContractError):
            self._found.extend(error.problems)
            return True
        return False
