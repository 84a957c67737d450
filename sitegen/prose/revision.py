"""The difference between two versions of a document: by passages, and inside a passage by words.

Chinese is compared by characters, code by lines. The result is a function of the two texts alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from sitegen.prose.blocks import Block, blocks
from sitegen.prose.cjk import is_cjk

Change: TypeAlias = Literal["same", "changed", "added", "removed"]
ALIKE = 0.5
"""From this share of common words on, two passages are one that was changed."""
_NEAR = 8
"""How many passages ahead a changed one is looked for."""
_WORD = re.compile(r"\s+|[^\W_]+(?:['’-][^\W_]+)*|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage."""

    change: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """What became of the part of a document below one heading."""

    title: str
    """Empty for what stands before the first heading."""
    change: Change
    was: str
    """The earlier title of a part that was renamed, else empty."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage in the order of the new version; what was removed stands where it stood."""

    change: Change
    old: Block | None
    new: Block | None
    pieces: tuple[Piece, ...]
    section: int
    """Which part of the document it belongs to, an index into `Revision.sections`."""

    @property
    def block(self) -> Block:
        """The passage as it is now, or as it was."""
        found = self.new or self.old
        if found is None:
            raise ValueError("a passage of neither version")
        return found


@dataclass(frozen=True, slots=True)
class Revision:
    """Everything that differs between two versions."""

    passages: tuple[Passage, ...]
    sections: tuple[Section, ...]

    @property
    def empty(self) -> bool:
        """Whether both versions read the same."""
        return all(passage.change == "same" for passage in self.passages)


def revision(old: str, new: str) -> Revision:
    """What was changed from the Markdown source `old` to `new`."""
    walk = _Sections()
    passages = tuple(walk.passage(before, after) for before, after in _paired(blocks(old), blocks(new)))
    return Revision(passages, tuple(Section(part.title, part.change, part.was) for part in walk.parts))


def words(before: str, after: str, *, code: bool = False) -> tuple[Piece, ...]:
    """The difference between two texts by words, Chinese characters, or lines of code."""
    ours, theirs = _tokens(before, code=code), _tokens(after, code=code)
    stretches: list[tuple[str, str]] = []
    common: list[bool] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        there, here = "".join(ours[a:b]), "".join(theirs[c:d])
        between = bool(stretches) and b < len(ours) and d < len(theirs)
        same = tag == "equal" and (code or not between or bool(here.strip()))
        if stretches and not same and not common[-1]:  # a blank between two changes belongs to them
            stretches[-1] = (stretches[-1][0] + there, stretches[-1][1] + here)
        else:
            stretches.append((there, here))
            common.append(same)
    return tuple(_pieces(stretches, common))


def _pieces(stretches: Sequence[tuple[str, str]], common: Sequence[bool]) -> Iterator[Piece]:
    for (there, here), same in zip(stretches, common, strict=True):
        if same or there == here:
            yield Piece("same", here)
            continue
        if there:
            yield Piece("removed", there)
        if here:
            yield Piece("added", here)


def _tokens(text: str, *, code: bool) -> list[str]:
    if code:
        return text.splitlines(keepends=True)
    return [part for token in _WORD.findall(text) for part in _split(token)]


def _split(token: str) -> Iterator[str]:
    """A run of letters, in which each Chinese character is a word of its own."""
    latin = ""
    for character in token:
        if is_cjk(character):
            if latin:
                yield latin
            yield character
            latin = ""
        else:
            latin += character
    if latin:
        yield latin


def _paired(old: Sequence[Block], new: Sequence[Block]) -> Iterator[tuple[Block | None, Block | None]]:
    """Passages of both versions side by side, in the order of both."""
    matcher = SequenceMatcher(None, list(map(_key, old)), list(map(_key, new)), autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(old[a:b], new[c:d], strict=True)
        else:
            yield from _replaced(old[a:b], new[c:d])


def _key(block: Block) -> tuple[str, str]:
    return block.kind, block.text


def _replaced(old: Sequence[Block], new: Sequence[Block]) -> Iterator[tuple[Block | None, Block | None]]:
    """Pair the passages that are alike; what stands between the pairs was removed and added."""
    done = 0
    waiting: list[Block] = []
    for after in new:
        near = range(done, min(done + _NEAR, len(old)))
        best = max(near, key=lambda index: (_alike(old[index], after), -index), default=None)
        if best is None or _alike(old[best], after) < ALIKE:
            waiting.append(after)
            continue
        yield from ((block, None) for block in old[done:best])
        yield from ((None, block) for block in waiting)
        waiting = []
        yield old[best], after
        done = best + 1
    yield from ((block, None) for block in old[done:])
    yield from ((None, block) for block in waiting)


def _alike(before: Block, after: Block) -> float:
    """The share of words that two passages of one kind have in common; headings must be of one level."""
    if (before.kind, before.level) != (after.kind, after.level):
        return 0
    code = before.kind == "code"
    ours, theirs = ([t for t in _tokens(block.text, code=code) if t.strip()] for block in (before, after))
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE else 0


@dataclass(slots=True)
class _Part:
    title: str = ""
    change: Change = "same"
    was: str = ""


@dataclass(slots=True)
class _Sections:
    """Follows the headings of both versions at once."""

    parts: list[_Part] = field(default_factory=lambda: [_Part()])
    old: int = 0
    new: int = 0
    """The part in which the old and the new version are."""

    def passage(self, before: Block | None, after: Block | None) -> Passage:
        """The passage that two blocks make, in its part."""
        change: Change = "removed" if after is None else "added" if before is None else "changed"
        if before is not None and after is not None and before.text == after.text:
            change = "same"
        self._head(before, after, change)
        part = self.parts[self.old if after is None else self.new]
        if change != "same" and part.change == "same":
            part.change = "changed"
        return Passage(change, before, after, _within(before, after), self.old if after is None else self.new)

    def _head(self, before: Block | None, after: Block | None, change: Change) -> None:
        """Begin a part where a passage is a heading."""
        heading = after or before
        if heading is None or heading.kind != "heading":
            return
        was = before.title if before and after and before.title != after.title else ""
        self.parts.append(_Part(heading.title, change, was))
        if before is not None:
            self.old = len(self.parts) - 1
        if after is not None:
            self.new = len(self.parts) - 1


def _within(before: Block | None, after: Block | None) -> tuple[Piece, ...]:
    match before, after:
        case Block(), Block():
            return words(before.text, after.text, code=after.kind == "code")
        case Block(), None:
            return (Piece("removed", before.text),)
        case None, Block():
            return (Piece("added", after.text),)
        case _:
            return ()
