"""The plain form of HTML that templates write, and its quick reader.

In the plain form nothing is left to the repairs of an HTML parser: attributes stand in double quotes, no value and no
text holds `<`, `>` or (text) a quotation mark, and nothing is read by rules of its own, as the inside of a script is.
Any other page is left to `parse_page`, which says the same of a plain one.
"""

import re
import sys
from html import unescape

from sitegen.check.page import Facts, Page, parse_page

_NAME = r"[A-Za-z][A-Za-z0-9:-]*+"
_VALUE = r'="[^"<>]*+"'
_APART = r"(?!(?i:script|style|title|textarea|iframe|noembed|noframes|noscript|plaintext|xmp)\b)"
"""Elements whose inside has rules of its own; those of them that pages have stand in the form below, closed at once."""
_PLAIN = re.compile(
    rf"""
    (?:<!doctype[ ]html>)?+
    (?:
        [^<>"]*+
        <(?:
            /{_NAME}
          | {_APART}{_NAME}(?:[ ]{_NAME}(?:{_VALUE})?+)*+[ ]?+/?+
          | script(?:[ ]{_NAME}(?:{_VALUE})?+)*+></script
          | title>[^<>"]*+</title
        )>
    )*+
    [^<>"]*+
    """,
    re.VERBOSE,
)
_DULL = rf"(?:[ ](?:class|title|role|tabindex|hidden|scope|aria-[a-z]+|data-[a-z-]+)(?![A-Za-z0-9:-])(?:{_VALUE})?+)"
"""What no check asks for. Most elements have nothing else, and are passed over."""
_TELLING = re.compile(rf"<([A-Za-z][A-Za-z0-9]*+){_DULL}*+([ ](?![ ]?/?>)[^>]++)>")
_WHOLE = re.compile(rf"[ ]({_NAME})(?:=\"([^\"<>]*+)\")?+")
_TITLE = re.compile("<title>([^<]*+)")
_HEADLINE = re.compile("<h1[ />]", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|[a-z]{2,6});|&", re.IGNORECASE)
"""A whole reference, or an `&` that begins none: of those parsers differ, and so do their versions."""


_QUICK = sys.version_info >= (3, 11, 5)
"""Before, such as in Debian 12's Python, `re` gets possessive quantifiers wrong: https://github.com/python/cpython/issues/106052"""


def read_page(markup: str) -> Page:
    """What `parse_page` says of the page, the quick way where it is plain."""
    return (_plain(markup) if _QUICK else None) or parse_page(markup)


def _plain(markup: str) -> Page | None:
    """The page, or None if it is not in the plain form."""
    if not _PLAIN.fullmatch(markup):
        return None
    facts = Facts(headlines=len(_HEADLINE.findall(markup)))
    line, seen = 1, 0
    for match in _TELLING.finditer(markup):
        line += markup.count("\n", seen, match.start())
        seen = match.start()
        given = {}
        for name, value in _WHOLE.findall(match[2]):
            if "&" not in value:
                given[name.lower()] = value
            elif "&" in _REFERENCE.findall(value):
                return None
            else:
                given[name.lower()] = unescape(value)
        facts.element(match[1].lower(), given, line)
    for text in _TITLE.findall(markup):
        facts.title.append(unescape(text))
    return facts.page()
