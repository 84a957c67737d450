"""A unified diff over any number of files: what an agent changed, written by the judge and read by whoever shows it.

The form is that of `git diff`: two heads a file, then hunks whose `@@` lines say how many lines follow. Pure.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

_HUNK = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@.*")
_ABSENT = "/dev/null"
_GIT = "diff --git "
_NEW, _DELETED = "new file mode 100644", "deleted file mode 100644"
_RETURN = re.compile(r"\r(?!\Z)")
FIXTURE_LINE = "fixture: a script made this difference, and no model\n"
"""What stands before a difference that a fixture made; a program that applies patches passes over it."""
_NO_LAST_LINE_FEED = "\\ No newline at end of file"


class LineChange(Enum):
    """What became of one line, or of one file."""

    same = "same"
    removed = "removed"
    added = "added"


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of a hunk."""

    change: LineChange
    number: int
    """Its number in the file, from 1: in the earlier one if it was removed, else in the later one."""
    text: str
    """Without its line feed."""
    ends: bool = True
    """Whether it has a line feed, as every line but the last one of a file must."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """What changed in one file."""

    path: str
    change: LineChange
    """`same` for a file that was there before and is there still, with other content."""
    hunks: tuple[tuple[ChangedLine, ...], ...]

    def count(self, change: LineChange) -> int:
        """How many of its lines were added, or removed."""
        return sum(line.change is change for hunk in self.hunks for line in hunk)


def unified(base: Mapping[str, str], files: Mapping[str, str]) -> str:
    """The difference between two sets of files by path, as `git diff` writes it; `read_difference` reads it."""
    parts: list[str] = []
    for path in sorted({*base, *files}):
        old, new = base.get(path), files.get(path)
        if old != new and not old and not new:  # an empty file came or went: there is no line that could tell
            what = _NEW if old is None else _DELETED
            parts.append(f"{_GIT}{_named(f'a/{path}')} {_named(f'b/{path}')}\n{what}\n")
        elif old != new:
            parts += difflib.unified_diff(
                _lines(old or ""),
                _lines(new or ""),
                _named(f"a/{path}") if old is not None else _ABSENT,
                _named(f"b/{path}") if new is not None else _ABSENT,
            )
    return "".join(parts)


def read_difference(text: str) -> tuple[ChangedFile, ...]:
    """The files that a difference changes, in its order. Raises ValueError for text of another form."""
    lines = text.split("\n")
    if lines.pop():
        raise ValueError("a difference ends in a line feed")
    if lines[:1] == [FIXTURE_LINE.rstrip("\n")]:
        lines = lines[1:]
    return tuple(_files(lines))


def changed_lines(difference: str) -> int:
    """How many lines a difference adds or removes. Raises ValueError as `read_difference` does."""
    changed = (
        line
        for file in read_difference(difference)
        for hunk in file.hunks
        for line in hunk
        if line.change is not LineChange.same
    )
    # Python ends a line at a carriage return as well, which here is one letter of a line among others.
    return sum(1 + len(_RETURN.findall(line.text)) for line in changed)


def _files(lines: list[str]) -> Iterator[ChangedFile]:
    at = 0
    while at < len(lines):
        if lines[at].startswith(_GIT):
            yield _empty(lines, at)
            at += 2
            continue
        old, new = (_head(lines, at + offset, sign) for offset, sign in enumerate(("--- ", "+++ ")))
        at += 2
        hunks = []
        while at < len(lines) and lines[at].startswith("@@"):
            hunk, at = _hunk(lines, at)
            hunks.append(hunk)
        if not hunks:
            raise ValueError(f"line {at + 1}: a file of a difference has a hunk")
        if old == _ABSENT:
            yield ChangedFile(_path(new, "b/"), LineChange.added, tuple(hunks))
        else:
            yield ChangedFile(_path(old, "a/"), LineChange.removed if new == _ABSENT else LineChange.same, tuple(hunks))


def _empty(lines: list[str], at: int) -> ChangedFile:
    """An empty file that came or went, whose two lines begin at `at`."""
    change = {_NEW: LineChange.added, _DELETED: LineChange.removed}.get("".join(lines[at + 1 : at + 2]))
    names = lines[at].removeprefix(_GIT)
    half = (len(names) - 1) // 2  # the two names differ in one letter
    path = _path(names[:half], "a/")
    if change is None or _path(names[half + 1 :], "b/") != path:
        raise ValueError(f"line {at + 1}: here stands an empty file that came or went")
    return ChangedFile(path, change, ())


def _head(lines: list[str], at: int, sign: str) -> str:
    if at >= len(lines) or not lines[at].startswith(sign):
        raise ValueError(f"line {at + 1}: here stands `{sign}` and a path")
    return lines[at].removeprefix(sign)


def _hunk(lines: list[str], at: int) -> tuple[tuple[ChangedLine, ...], int]:
    """The hunk whose `@@` line is that at `at`, and where the text goes on."""
    head = _HUNK.fullmatch(lines[at])
    if head is None:
        raise ValueError(f"line {at + 1}: `@@ -LINE,COUNT +LINE,COUNT @@` begins a hunk")
    old, new = int(head[1]), int(head[3])
    olds, news = int(head[2] or 1), int(head[4] or 1)
    found: list[ChangedLine] = []
    while olds or news or lines[at + 1 : at + 2] == [_NO_LAST_LINE_FEED]:
        at += 1
        sign, text = (lines[at][:1], lines[at][1:]) if at < len(lines) else ("", "")
        if sign == "-" and olds:
            found.append(ChangedLine(LineChange.removed, old, text))
            old, olds = old + 1, olds - 1
        elif sign == "+" and news:
            found.append(ChangedLine(LineChange.added, new, text))
            new, news = new + 1, news - 1
        elif sign == " " and olds and news:
            found.append(ChangedLine(LineChange.same, new, text))
            old, olds, new, news = old + 1, olds - 1, new + 1, news - 1
        elif found and lines[at : at + 1] == [_NO_LAST_LINE_FEED]:
            last = found.pop()
            found.append(ChangedLine(last.change, last.number, last.text, ends=False))
        else:
            raise ValueError(f"line {at + 1}: the hunk has other lines than its `@@` line says")
    return tuple(found), at + 1


def _named(path: str) -> str:
    """A path as heads name it: one that a line cannot hold stands as a JSON string, much as git quotes it."""
    return path if path.isprintable() and not path.startswith('"') else json.dumps(path)


def _path(head: str, side: str) -> str:
    try:
        path = json.loads(head) if head.startswith('"') else head
    except ValueError:
        path = ""
    if not isinstance(path, str) or not path.startswith(side):
        raise ValueError(f"`{head[:80]}` names no file of a difference")
    return path.removeprefix(side)


def _lines(text: str) -> list[str]:
    """The lines of a file with their line feeds, which alone end a line."""
    *lines, rest = text.split("\n")
    last = [f"{rest}\n{_NO_LAST_LINE_FEED}\n"] if rest else []
    return [f"{line}\n" for line in lines] + last
