"""Renders the pages that a test looks at, out of the whole site of a project: most tests look at one."""

from pathlib import Path

from sitegen.catalog import read_catalogs
from sitegen.pages.every import pages
from sitegen.pages.page import LANGUAGES
from sitegen.render import renderer
from sitegen.sources import load


def rendered(project: Path, *starts: str) -> dict[str, str]:
    """Every page whose place, below the folder of a language, begins with one of `starts`; by its place in the site.

    The others are never rendered, and nothing is checked. Raises `SiteError` for what no view can be made of.
    """
    site, catalogs, theme = load(project), read_catalogs(), renderer(project)
    return {
        view.location: theme.page(view, catalogs[language])
        for language in LANGUAGES
        for view in pages(site, language, catalogs[language])
        if view.path.startswith(starts)
    }
