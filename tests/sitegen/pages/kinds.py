"""The kinds of page a site has, as the program itself lists them: a new kind is in what uses this by itself."""

from pathlib import Path

from sitegen.catalog import read_catalogs
from sitegen.pages.every import pages, root
from sitegen.sources import load
from tests.bench.synthetic_study import RUN, STUDY
from tests.sitegen.pages.sample import PAGES

DETAILS = "attempt-details"
DETAIL_PAGE = f"details/{STUDY}/{RUN}/0002.html"
"""The kind of page that many attempts share, and where the last of them are in the fixture `paged_site`."""
ROOT = "root"
"""The kind of the page above the languages."""


def kinds(project: Path) -> dict[str, str]:
    """One page of each kind in the site of `project`, below the folder of a language.

    The pages of the sample come first, under its names; then the first page of every template that they leave out.
    """
    views = {view.path: view.template for view in pages(load(project), "en", read_catalogs()["en"])}
    found = {kind: path for kind, path in PAGES.items() if path in views}
    shown = {views[path] for path in found.values()}
    for path, template in views.items():
        if template not in shown:
            shown.add(template)
            found[template.removesuffix(".html")] = path
    return found


def places(project: Path) -> dict[str, str]:
    """One page of each kind in each language, from the root of the site, and the page above the languages."""
    front = root(load(project), read_catalogs()).location
    below = {
        f"{kind}.{language}": f"{language}/{path}" for kind, path in kinds(project).items() for language in ("en", "zh")
    }
    return {ROOT: front} | below
