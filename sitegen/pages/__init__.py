"""Sources -> page views, in one language: pure, one module a page kind.

`pages.every` holds the entry points that a build calls.
"""
