"""Markdown to HTML, with what Chinese text needs and nothing that a page must not hold."""

from sitegen.prose.document import Bound, Heading, Prose, differences, render
from sitegen.prose.headings import heading_ids

__all__ = ["Bound", "Heading", "Prose", "differences", "heading_ids", "render"]
