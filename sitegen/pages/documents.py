"""Authors' documents on a page: figures bound to the page's run, links to other pages, and what a page puts between."""

import re
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from runner.contract.seal import DECISION_FILE, SEAL_FILE
from runner.contract.study import Study
from sitegen import prose
from sitegen.errors import Collected, ContentError
from sitegen.pages import place
from sitegen.pages.claims import citations
from sitegen.pages.edition import Edition
from sitegen.pages.inserts import InsertView, insert_anchors, insert_view, offered
from sitegen.prose import Heading, Prose
from sitegen.sources import Document, RunSource

_PROTOCOL = re.compile(r"content/protocols/(?P<id>[^/]+)/(?P<version>[0-9.]+)\.[a-z]+\.md")
_RESULT = re.compile(r"content/results/(?P<name>[^/]+)\.[a-z]+\.md")
_REPORTED = re.compile(r"content/reported/(?P<name>[^/]+)\.toml")
_EVIDENCE = re.compile(r"manifests/(?P<study>[^/]+)/evidence/(?P<run>[^/]+)(?:/(?P<path>.+))?")
_DECISION = re.compile(r"manifests/(?P<study>[^/]+)/decisions/(?P<decision>[^/]+)/(?P<path>[^/]+)")
_STUDY = re.compile(r"manifests/(?P<study>[^/]+)(?:/(?:study\.toml)?)?")


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as its page shows it."""

    parts: tuple[str | InsertView, ...]
    """Safe markup, and what the page puts between."""
    headings: tuple[Heading, ...]
    bound: tuple[str, ...]
    """The figures of the text, as `Quotes.refer` takes them."""
    placed: frozenset[str]
    """What the author placed, as `table findings`: the page need not show it again."""


def document_view(
    edition: Edition, document: Document, page: str, *, study: Study | None = None, run: RunSource | None = None
) -> DocumentView:
    """`document` with everything it asks for, for the page at `page`. Raises as `document_prose` does."""
    text = document_prose(edition, document, page, study=study, run=run)
    asked = [f"{insert.directive} {insert.argument}".rstrip() for insert in text.inserts]
    anchors = iter(insert_anchors(asked))
    parts: list[str | InsertView] = []
    found = Collected()
    for part in text.parts:
        if isinstance(part, str):
            parts.append(part)
        elif study is not None and (view := insert_view(edition, part, study=study, run=run, anchor=next(anchors))):
            parts.append(view)
        else:
            what = f"{{{part.directive}}} {part.argument}: the run has nothing to show there"
            found.add(document.path, f"line {part.line}", what, "take it out")
    found.refuse(ContentError)
    return DocumentView(tuple(parts), text.headings, text.bound, frozenset(asked))


def document_prose(
    edition: Edition, document: Document, page: str, *, study: Study | None = None, run: RunSource | None = None
) -> Prose:
    """`document` as markup for the page at `page` (below the language's folder).

    With a `study`, it tells a result of it: every number has to be bound, and claims can be cited.
    Raises `ContentError` with every unresolved figure, dead link, unknown claim and wrong directive.
    """
    origin = edition.frame.folder + page

    quotes = edition.quotes(run) if run else None

    def resolve(reference: str) -> prose.Bound | None:
        if quotes is None:
            return None
        try:
            bound = quotes.refer(reference)
        except KeyError:
            return None
        return prose.Bound(bound.text, place.relative(origin, bound.target), f"{bound.file} {bound.pointer}")

    def link(target: str) -> str | None:
        path, hash_sign, fragment = target.partition("#")
        named = normpath(join(dirname(document.path), path))
        found = _target(edition, named)
        if found is None or not _has(edition, named, unquote(fragment)):
            return None
        return place.relative(origin, found) + hash_sign + fragment

    return prose.render(
        document,
        resolve=resolve if run else None,
        link=link,
        claims=citations(edition, study, run, origin) if study else {},
        directives=offered(study, run),
        numbers=study is not None,
    )


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
    elif match := _REPORTED.fullmatch(path):
        if match["name"] in {source.id for source in site.reported}:
            page = place.reported(match["name"])
    elif match := _EVIDENCE.fullmatch(path):
        return _evidence(edition, match["study"], match["run"], match["path"])
    elif match := _DECISION.fullmatch(path):
        return _decision(edition, match["study"], match["decision"], match["path"])
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


def _decision(edition: Edition, study: str, name: str, path: str) -> str | None:
    source = edition.site.study(study)
    known = {item.decision.decision for item in source.decisions} if source else set()
    return place.decision_file(study, name, path) if name in known and path in (DECISION_FILE, SEAL_FILE) else None
