"""Rendered pages of one language -> the script file that its search page loads: a pure function.

Latin text is found by the beginnings of words, Chinese by overlapping pairs of characters. Every
section keeps its text, so that the reader's browser checks longer strings against it. The file
assigns one global, because from disk a browser loads scripts and fetches nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sitegen.pages.attempt import AttemptPage
from sitegen.pages.page import PageView
from sitegen.render import visible
from sitegen.search.sections import Section, sections

WHOLE = frozenset(
    {"result.html", "protocol.html", "study.html", "glossary.html", "rules.html", "licenses.html", "reported.html"}
)
"""Templates of pages whose text is searched. Of attempts, which show recorded output, only the titles are."""
HAN = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters that are written without blanks between words, as the inside of a character class."""
_WORDS = re.compile(f"(?P<han>[{HAN}]+)|[^\\W_{HAN}]+")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def fold(text: str) -> str:
    """`text` without the difference of large and small letters, of the same length.

    The search script folds in the same way; a letter that would grow stays as it is.
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    return lower.replace("ς", "σ")


def terms(text: str) -> Iterator[str]:
    """Every term of `text`, as often as it occurs.

    A run of Chinese gives each pair of neighbours and its last character, so that the terms that
    begin with a character occur exactly as often as the character does.
    """
    for match in _WORDS.finditer(fold(text)):
        word = match[0]
        if match["han"] is None:
            yield word
        else:
            yield from (word[start : start + 2] for start in range(len(word)))


def index(pages: Iterable[tuple[PageView, str]]) -> bytes:
    """The index of `pages`, each a view with its markup, as a script.

    It holds `pages` (title, place below the language's folder, how many of the following sections
    are its own), for each section a line of `anchors`, `headings` and `texts`, `terms` by UTF-16
    order, and for each term a line of `postings`: the sections that hold it as differences in
    base 36, with a count after a colon unless it is 1. Few long strings load faster than many short ones.
    """
    listed: list[tuple[str, str, int]] = []
    found: list[Section] = []
    for view, markup in pages:
        parts = _parts(view, markup)
        if parts:
            found += parts
            listed.append((_shown(view.title), view.path, len(parts)))
    postings = _postings(found)
    order = sorted(postings, key=lambda term: term.encode("utf-16-be"))
    holding = {
        "pages": listed,
        "anchors": "\n".join(part.anchor for part in found),
        "headings": "\n".join(part.heading for part in found),
        "texts": "\n".join(part.text for part in found),
        "terms": "\n".join(order),
        "postings": "\n".join(postings[term] for term in order),
    }
    # Nothing in the file may look like markup, wherever somebody puts it.
    data = json.dumps(holding, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"window.sealbookIndex={data};\n".encode()


def _parts(view: PageView, markup: str) -> tuple[Section, ...]:
    if isinstance(view, AttemptPage):
        return (Section("", _shown(view.title), _shown(view.attempt.task.check.words)),)
    return sections(markup) if view.template in WHOLE else ()


def _shown(text: str) -> str:
    """A statement as its page shows it, without the marks of code."""
    return str(visible(text)).replace("`", "")


def _postings(parts: Sequence[Section]) -> dict[str, str]:
    """For each term the sections that hold it, coded."""
    coded: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    for number, part in enumerate(parts):
        counts = Counter(terms(part.heading))
        counts.update(terms(part.text))
        for term, count in counts.items():
            step = _base36(number - last.get(term, 0))
            coded.setdefault(term, []).append(step if count == 1 else f"{step}:{_base36(count)}")
            last[term] = number
    return {term: " ".join(steps) for term, steps in coded.items()}


def _base36(number: int) -> str:
    digits = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return _DIGITS[number] + digits
