"""Sources -> page views, in one language: pure, one module a page kind.

A build calls `pages` once a language and `root` once.
"""

from sitegen.pages.every import pages, root

__all__ = ["pages", "root"]
