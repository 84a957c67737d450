"""Checks rendered pages as they are made: links, anchors, resources, ids, languages and twins."""

from sitegen.check.site import SiteCheck

__all__ = ["SiteCheck"]
