"""Reads what authors write: site.toml, and the Markdown of protocols and results."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Generic, Literal, NoReturn, TypeVar

from pydantic import Field, with_config

from runner.contract.errors import Problem
from runner.contract.values import Day, Line, RunId, Slug
from sitegen.errors import Collected, ContentError
from sitegen.sources.changes import read_change
from sitegen.sources.values import LANGUAGES, STRICT, Document, Protocol, ResultSource, SiteConfig
from sitegen.sources.wanted import read_written

SITE_FILE = "content/site.toml"
PROTOCOLS = "content/protocols"
RESULTS = "content/results"
FENCE = "+++"
SITE_FIELDS = {
    "title": 'title = { en = "…", zh = "…" }',
    "description": 'description = { en = "…", zh = "…" }',
    "base_url": 'base_url = "https://example.org/sealbook", without a slash at the end',
    "repository": 'repository = "https://example.org/source", without a slash at the end',
}
"""What to write for each field of site.toml."""
SHARED_FIELDS = ("version", "date", "status", "study", "run", "was", "changed", "successor")
"""Front matter that says the same in every language."""
RUN_WANTED = {"qualification": True, "fixture demonstration": True, "not run": False}
"""Whether a status needs a run or has none; what is held may wait for one."""
_PROTOCOL_KEY = re.compile(r"[0-9]+\.[0-9]+")
_RESULT_KEY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9]+(?:-[a-z0-9]+)*")


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class ProtocolFront:
    """What stands above the text of a protocol."""

    title: Line
    version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$")]
    date: Day
    status: Literal["draft", "active", "superseded"]
    summary: Line


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class ResultFront:
    """What stands above the text of a result."""

    title: Line
    date: Day
    study: Slug
    status: Literal["qualification", "fixture demonstration", "not run", "held", "withdrawn", "superseded"]
    summary: Line
    run: RunId | None = None
    was: Literal["qualification", "fixture demonstration", "not run", "held"] | None = None
    changed: Day | None = None
    reason: Line | None = None
    successor: Line | None = None


Front = TypeVar("Front", ProtocolFront, ResultFront)


@dataclass(frozen=True, slots=True)
class _Page(Generic[Front]):
    """One page in all languages, and the front matter that they share."""

    key: str
    documents: Mapping[str, Document]
    front: Front


def read_config(root: Path) -> SiteConfig:
    """content/site.toml. Raises `ContentError` for what does not fit."""
    data = _read(root / SITE_FILE, SITE_FILE)
    return read_written(SiteConfig, data.encode(), file=SITE_FILE, write=SITE_FIELDS)


def read_protocols(root: Path, found: Collected) -> tuple[Protocol, ...]:
    """Every protocol that is whole in all languages; what is not is noted in `found`."""
    protocols = []
    for folder in _entries(root / PROTOCOLS):
        shown = f"{PROTOCOLS}/{folder.name}"
        if not folder.is_dir():
            found.add(shown, "", "a file among folders", "move it into the folder of its protocol")
            continue
        for page in _pages(folder, shown, _PROTOCOL_KEY, ProtocolFront, found):
            front = page.front
            if front.version != page.key:
                _note(found, page, "version", f"{front.version!r} differs from the name of the file")
            protocols.append(Protocol(folder.name, front.version, front.date, front.status, page.documents))
    protocols.sort(key=lambda item: [int(part) for part in item.version.split(".")], reverse=True)
    return tuple(sorted(protocols, key=lambda item: item.id))


def read_results(root: Path, found: Collected) -> tuple[ResultSource, ...]:
    """Every result that is whole in all languages; what is not is noted in `found`."""
    results = []
    for page in _pages(root / RESULTS, RESULTS, _RESULT_KEY, ResultFront, found):
        front = page.front
        date, slug = page.key[:10], page.key[11:]
        if front.date != date:
            _note(found, page, "date", f"{front.date!r} differs from the name of the file")
        status = front.was or front.status
        if RUN_WANTED.get(status, front.run is not None) != (front.run is not None):
            _note(found, page, "run", f"status {status!r} {'with' if front.run else 'without'} a run")
        change = read_change(page.documents, found)
        results.append(ResultSource(slug, date, front.study, front.run, status, page.documents, change))
    return tuple(sorted(results, key=lambda item: item.name, reverse=True))


def _pages(folder: Path, shown: str, keys: re.Pattern[str], model: type[Front], found: Collected) -> list[_Page[Front]]:
    """The pages in `folder`, named KEY.LANGUAGE.md, that are there and agree in every language."""
    fronts: dict[str, dict[str, Front]] = defaultdict(dict)
    documents: dict[str, dict[str, Document]] = defaultdict(dict)
    named: dict[str, set[str]] = defaultdict(set)
    for path in _entries(folder):
        file = f"{shown}/{path.name}"
        key, _, language = path.name.removesuffix(".md").rpartition(".")
        if path.suffix != ".md" or language not in LANGUAGES or keys.fullmatch(key) is None:
            wanted = " and ".join(f"{language}.md" for language in LANGUAGES)
            found.add(file, "", f"no page is named so here ({keys.pattern})", f"end names in {wanted}")
            continue
        named[key].add(language)
        with found.noting():
            documents[key][language], fronts[key][language] = _document(path, file, language, model)
    pages = []
    for key in sorted(named):
        for language in LANGUAGES:
            if language not in named[key]:
                there = f"{shown}/{key}.{min(named[key])}.md"
                found.add(f"{shown}/{key}.{language}.md", "", "is missing", f"translate {there}")
        if len(documents[key]) < len(LANGUAGES):
            continue
        page = _Page(key, documents[key], fronts[key][LANGUAGES[0]])
        _same_front(page, fronts[key], found)
        pages.append(page)
    return pages


def _same_front(page: _Page[Front], fronts: Mapping[str, Front], found: Collected) -> None:
    """Note every field that must be the same in all languages and is not."""
    first, *others = LANGUAGES
    for language in others:
        here, there = asdict(fronts[language]), asdict(fronts[first])
        for field in SHARED_FIELDS:
            if here.get(field) != there.get(field):
                other = page.documents[first].path
                what = f"{here[field]!r}, but {there[field]!r} in {other}"
                found.add(page.documents[language].path, field, what, "let both files say the same")


def _note(found: Collected, page: _Page[Front], field: str, what: str) -> None:
    for document in page.documents.values():
        if document.front[field] == getattr(page.front, field):
            found.add(document.path, field, what, "correct the one that is wrong")


def _document(path: Path, file: str, language: str, model: type[Front]) -> tuple[Document, Front]:
    """One Markdown file and its front matter, which is TOML between two `+++` lines."""
    lines: list[str] = _read(path, file).split("\n")
    if lines[0] != FENCE:
        _fail(file, "line 1", f"no front matter, which begins with a line {FENCE}", "put TOML between two such lines")
    if FENCE not in lines[1:]:
        _fail(file, "line 1", "front matter without end", f"close it with a line {FENCE}")
    end: int = lines.index(FENCE, 1)
    # An empty first line stands for the fence, so that TOML's own line numbers are those of the file.
    front: Front = read_written(model, "\n".join(["", *lines[1:end]]).encode(), file=file)
    body = "\n".join(lines[end + 1 :])
    return Document(file, language, front.title, front.summary, asdict(front), body, end + 2), front


def _read(path: Path, file: str) -> str:
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        _fail(file, "", why, "create it or correct its name")
    except UnicodeDecodeError as error:
        _fail(file, f"byte {error.start}", "not UTF-8", "save the file as UTF-8")


def _fail(file: str, where: str, what: str, todo: str) -> NoReturn:
    raise ContentError(Problem(file, where, what, todo))


def _entries(folder: Path) -> list[Path]:
    """The visible entries of `folder` by name; none if it does not exist."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
