"""Markdown to HTML, with what Chinese text needs and nothing that a page must not hold."""

from sitegen.prose.document import Bound, Heading, Prose, anchors, differences, render
from sitegen.prose.headings import heading_ids

__all__ = ["Bound", "Heading", "Prose", "anchors", "differences", "heading_ids", "render"]
