"""What two languages of one document must have in common: structure, code, figures, claims, directives."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from runner.contract.errors import Problem
from sitegen.prose.parts import Prose
from sitegen.sources import Document


def differences(first: tuple[Document, Prose], second: tuple[Document, Prose]) -> Iterator[Problem]:
    """What two languages of one page do not have in common and must have."""
    (one, here), (two, there) = first, second
    for (name, ours, our_lines), (_, theirs, their_lines) in zip(_shared(here), _shared(there), strict=True):
        if ours == theirs:
            continue
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
        where = f"line {their_lines[same]}" if same < len(theirs) else ""
        what = f"{len(theirs)} {name}, {one.path} has {len(ours)}; they differ from number {same + 1} on"
        there_line = f", line {our_lines[same]}" if same < len(ours) else ""
        yield Problem(two.path, where, what, f"compare {one.path}{there_line}")


def _shared(prose: Prose) -> tuple[tuple[str, Sequence[object], Sequence[int]], ...]:
    """Everything that must be the same, by its name in a message, with the lines it stands in."""
    asked = [(item.directive, item.argument, item.options) for item in prose.inserts]
    return (
        ("headings", [item.level for item in prose.headings], prose.lines.headings),
        ("code blocks", prose.code_blocks, prose.lines.code),
        ("bound figures", prose.bound, prose.lines.bound),
        ("cited claims", prose.cited, prose.lines.cited),
        ("directives", asked, [item.line for item in prose.inserts]),
    )
