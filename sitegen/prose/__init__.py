"""Markdown to HTML, with what Chinese text needs, what evidence proves, and nothing that a page must not hold."""

from sitegen.prose.differences import differences
from sitegen.prose.directives import Amount, Choice, Directive, listed
from sitegen.prose.document import anchors, render
from sitegen.prose.headings import heading_ids
from sitegen.prose.parts import Bound, Citation, Heading, Insert, Prose

__all__ = [
    "Amount",
    "Bound",
    "Choice",
    "Citation",
    "Directive",
    "Heading",
    "Insert",
    "Prose",
    "anchors",
    "differences",
    "heading_ids",
    "listed",
    "render",
]
