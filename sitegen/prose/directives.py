"""Directives: what a page offers to put into a text, and how an author asks for it.

Source of the form: MyST Markdown, <https://mystmd.org/guide/syntax-overview>. A colon fence, or a
fence of backticks, with the name in braces, an argument behind it, and `:option: value` lines:

    :::{table} attempts
    :outcome: rejected
    :::
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from sitegen.prose.parts import Insert

_OPENING = re.compile(r"\{(?P<name>[A-Za-z0-9_-]*)\}\s*(?P<argument>.*)")
_OPTION = re.compile(r":(?P<name>[A-Za-z0-9_-]+):\s*(?P<value>.*)")

Refuse = Callable[[int, str, str], None]
"""Notes a line of the file, what is wrong in it, and what to do."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that takes one of a few words."""

    words: tuple[str, ...]

    def fault(self, value: str) -> str:
        """What to write instead of `value`, or nothing if it fits."""
        return "" if value in self.words else f"write {listed(self.words)}"


@dataclass(frozen=True, slots=True)
class Amount:
    """An option that takes a whole number from 1 to `most`."""

    most: int

    def fault(self, value: str) -> str:
        """What to write instead of `value`, or nothing if it fits."""
        fits = re.fullmatch(r"[1-9][0-9]{0,8}", value) is not None and int(value) <= self.most
        return "" if fits else f"write a whole number from 1 to {self.most}"


Option = Choice | Amount


@dataclass(frozen=True, slots=True)
class Directive:
    """What one directive takes on one page."""

    arguments: Mapping[str, Mapping[str, Option]]
    """The options that go with each argument. An empty argument is none."""
    missing: str = ""
    """What the page would need and does not have; empty where the directive can be used."""


def is_directive(token: Token) -> bool:
    """Whether a block asks for something of the page. A fence of backticks does so by a name in braces."""
    return token.type == "colon_fence" or (token.type == "fence" and token.info.strip().startswith("{"))


def read_insert(token: Token, line: int, offered: Mapping[str, Directive], refuse: Refuse) -> Insert | None:
    """The insert that a block of the file asks for, which begins in `line`, or None with all its faults noted."""
    faults: list[tuple[int, str, str]] = []
    asked = _asked(token, line, faults)
    match = _OPENING.fullmatch(token.info.strip())
    name = match["name"] if match else next(iter(token.info.split()), "")
    argument = match["argument"] if match else ""
    directive = offered.get(name)
    if match is None or directive is None:
        shown = f"{{{name}}}"
        faults.clear()  # what stands in it may be right for whatever its author meant
        faults.append((line, f"no directive {shown!r}", f"there are {listed(f':::{{{item}}}' for item in offered)}"))
    elif directive.missing:
        faults.append((line, f"{{{name}}} needs {directive.missing}", "take it out, or give the page what it needs"))
    elif argument not in directive.arguments:
        faults.append((line, *_wrong_argument(name, argument, directive)))
    else:
        _check_options(f"{{{name}}} {argument}".rstrip(), asked, directive.arguments[argument], faults)
    for fault in faults:
        refuse(*fault)
    if faults:
        return None
    return Insert(name, argument, tuple(sorted((key, value) for key, (_, value) in asked.items())), line)


def listed(words: Iterable[str]) -> str:
    """`a, b or c`; `none` for no word at all."""
    *most, last = list(words) or ["none"]
    return f"{', '.join(most)} or {last}" if most else last


def _asked(token: Token, line: int, faults: list[tuple[int, str, str]]) -> dict[str, tuple[int, str]]:
    """The options in the block with their lines."""
    asked: dict[str, tuple[int, str]] = {}
    for number, text in enumerate(token.content.split("\n"), line + 1):
        if not text.strip():
            continue
        match = _OPTION.fullmatch(text.strip())
        if match is None:
            fence = token.markup
            faults.append((number, f"text inside a directive: {text.strip()!r}", f"close it above with {fence}"))
            break
        if match["name"] in asked:
            faults.append((number, f"the option {match['name']!r} twice", "keep one of them"))
        asked.setdefault(match["name"], (number, match["value"].strip()))
    return asked


def _wrong_argument(name: str, argument: str, directive: Directive) -> tuple[str, str]:
    known = [item for item in directive.arguments if item]
    if not known:
        return f"{{{name}}} takes no argument, not {argument!r}", "take it out"
    what = f"{{{name}}} of {argument!r}" if argument else f"{{{name}}} of what"
    return what, f"write {listed(known)} behind it"


def _check_options(
    shown: str,
    asked: Mapping[str, tuple[int, str]],
    options: Mapping[str, Option],
    faults: list[tuple[int, str, str]],
) -> None:
    for key, (number, value) in asked.items():
        if key not in options:
            todo = f"there are {listed(options)}" if options else "take it out: there are none"
            faults.append((number, f"{shown} has no option {key!r}", todo))
        elif todo := options[key].fault(value):
            faults.append((number, f"the option {key!r} of {shown} is {value!r}", todo))
