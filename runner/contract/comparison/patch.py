"""A unified diff with one hunk over one file: read strictly and applied exactly, or not at all. Pure.

The form is that of `diff -u` and `git diff`; line ends are LF, and both sides end in one.
"""

import re
from dataclasses import dataclass

_FROM = re.compile(r"^--- a/(\S+)$")
_TO = re.compile(r"^\+\+\+ b/(\S+)$")
_HUNK = re.compile(r"^@@ -([1-9][0-9]*)(?:,([0-9]+))? \+([1-9][0-9]*)(?:,([0-9]+))? @@.*$")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change at one place of one file."""

    path: str
    line: int
    """Where it begins in the file, from 1."""
    before: tuple[str, ...]
    after: tuple[str, ...]

    def applied(self, text: str) -> str:
        """The text after the change. Raises ValueError unless the file holds exactly what the hunk expects there."""
        lines = text.split("\n")
        start = self.line - 1
        if tuple(lines[start : start + len(self.before)]) != self.before:
            raise ValueError(f"{self.path} does not hold at line {self.line} what the patch expects")
        return "\n".join([*lines[:start], *self.after, *lines[start + len(self.before) :]])


def parse_hunk(text: str) -> Hunk:
    """The one hunk of a patch. Raises ValueError for any other form, and for more or fewer hunks than one."""
    if not text.endswith("\n") or "\r" in text:
        raise ValueError("a patch ends in a line feed and holds no carriage return")
    lines = text.split("\n")[:-1]
    old, new, head = (
        pattern.match(line) for pattern, line in zip((_FROM, _TO, _HUNK), [*lines, "", "", ""], strict=False)
    )
    if old is None or new is None or head is None or old[1] != new[1]:
        raise ValueError("a patch begins with `--- a/FILE`, `+++ b/FILE` of one file, and one `@@` line")
    body = lines[3:]
    if any(line[:1] not in (" ", "+", "-") for line in body):
        raise ValueError("a patch holds one hunk, whose lines begin with a blank, `+` or `-`")
    before = tuple(line[1:] for line in body if line[0] in " -")
    after = tuple(line[1:] for line in body if line[0] in " +")
    if (len(before), len(after)) != (int(head[2] or 1), int(head[4] or 1)):
        raise ValueError("the hunk has other numbers of lines than its `@@` line says")
    if before == after:
        raise ValueError("the hunk changes nothing")
    return Hunk(old[1], int(head[1]), before, after)
