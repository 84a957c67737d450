"""Checks rendered pages in memory: links, anchors, resources, ids, languages and twins."""

from sitegen.check.site import check_site

__all__ = ["check_site"]
