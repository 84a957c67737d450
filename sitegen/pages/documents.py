"""Authors' documents on a page: figures bound to the page's run, links to other pages."""

import re
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from runner.contract.seal import SEAL_FILE
from sitegen import prose
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.prose import Prose
from sitegen.sources import Document, RunSource

_PROTOCOL = re.compile(r"content/protocols/(?P<id>[^/]+)/(?P<version>[0-9.]+)\.[a-z]+\.md")
_RESULT = re.compile(r"content/results/(?P<name>[^/]+)\.[a-z]+\.md")
_EVIDENCE = re.compile(r"manifests/(?P<study>[^/]+)/evidence/(?P<run>[^/]+)(?:/(?P<path>.+))?")
_STUDY = re.compile(r"manifests/(?P<study>[^/]+)(?:/(?:study\.toml)?)?")


def document_prose(edition: Edition, document: Document, page: str, run: RunSource | None) -> Prose:
    """`document` as markup for the page at `page` (below the language's folder).

    Raises `ContentError` with every unresolved figure and dead link.
    """
    origin = edition.frame.folder + page

    def resolve(pointer: str) -> prose.Bound | None:
        if run is None:
            return None
        try:
            bound = edition.quotes(run).at(pointer)
        except KeyError:
            return None
        return prose.Bound(bound.text, place.relative(origin, bound.target))

    def link(target: str) -> str | None:
        path, hash_sign, fragment = target.partition("#")
        named = normpath(join(dirname(document.path), path))
        found = _target(edition, named)
        if found is None or not _has(edition, named, unquote(fragment)):
            return None
        return place.relative(origin, found) + hash_sign + fragment

    return prose.render(document, resolve=resolve, link=link)


def _has(edition: Edition, path: str, fragment: str) -> bool:
    """Whether the document at `path` has a heading of this id; other places are left to the check of all pages.

    Ids of the page around a document hold a dot.
    """
    if not fragment or "." in fragment:
        return True
    if match := _PROTOCOL.fullmatch(path):
        protocol = edition.site.protocol(match["id"], match["version"])
        return protocol is None or fragment in prose.anchors(protocol.documents[edition.language])
    if match := _RESULT.fullmatch(path):
        results = (result for result in edition.site.results if result.name == match["name"])
        return all(fragment in prose.anchors(result.documents[edition.language]) for result in results)
    return True


def _target(edition: Edition, path: str) -> str | None:
    """The place in the site of a file of the project, or None if the site does not show it."""
    site, folder = edition.site, edition.frame.folder
    page: str | None = None
    if match := _PROTOCOL.fullmatch(path):
        if site.protocol(match["id"], match["version"]):
            page = place.protocol(match["id"], match["version"])
    elif match := _RESULT.fullmatch(path):
        if match["name"] in {result.name for result in site.results}:
            page = place.result(match["name"])
    elif match := _EVIDENCE.fullmatch(path):
        return _evidence(edition, match["study"], match["run"], match["path"])
    elif (match := _STUDY.fullmatch(path)) and site.study(match["study"]):
        page = place.study(match["study"])
    return folder + page if page else None


def _evidence(edition: Edition, study: str, name: str, path: str | None) -> str | None:
    run = edition.site.run(study, name)
    if run is None:
        return None
    if path is None:
        return edition.frame.folder + place.evidence(study, name)
    known = {file.path for file in run.sealed.files} | {SEAL_FILE}
    return place.sealed_file(study, name, path) if path in known else None
