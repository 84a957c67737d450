"""What the contract refuses, and how it says so.

ContractError
├── MalformedJsonError      bytes that are not canonical evidence JSON
├── InvalidRecordError      JSON or TOML that does not fit its model
└── SealMismatchError       bytes or files that the seal does not cover

Every error carries all problems of its input at once; a problem says what is wrong, where,
and what to do. Messages are lower case and have no final stop.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong with one input."""

    file: str
    """Path as the user knows it, relative to the project where it lies inside."""
    where: str
    """Key path (`caps.wall_seconds`), `line 7`, `byte 120`, or empty for the whole file."""
    what: str
    """The rule that was broken and the offending value."""
    todo: str
    """What the reader can do about it."""

    def __str__(self) -> str:
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: {self.what}; {self.todo}" if self.todo else f"{place}: {self.what}"


def printable(text: str) -> str:
    r"""The text with every character that could break a message or a terminal as `\x1b`; lines stay lines.

    Names of files may hold anything, and bytes that are not UTF-8 besides, which no stream takes.
    """
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


class ContractError(ValueError):
    """An input breaks the evidence contract."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class MalformedJsonError(ContractError):
    """Bytes that a strict reader refuses or that are not in canonical form."""


class InvalidRecordError(ContractError):
    """A document whose fields do not fit its model."""


class SealMismatchError(ContractError):
    """Files or bytes that differ from what the seal lists."""
