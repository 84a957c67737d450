"""Numbers that come from sealed documents, most of them from run.json, each with the place that quotes it.

A number reaches a page only through a pointer into the sealed document, so that what the page
says and what it links to cannot differ.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from runner.contract.attempt import Attempt
from runner.contract.canonical import Json, parse
from runner.contract.seal import ATTEMPTS_FILE, PLAN_FILE, RUN_FILE
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages import place
from sitegen.pages.attempt_place import attempt_place
from sitegen.sources import RunSource

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_NANOSECONDS = ("_ns", "/ns")
"""How every member that is a time is called, in all sealed documents."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A value of the evidence in words, and where it is quoted."""

    text: str
    target: str
    """The anchor on the run's evidence page, from the site's root."""
    file: str
    pointer: str
    digest: str
    """SHA-256 of the file."""
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Quotes:
    """Reads run.json by JSON pointer, in the words of one language."""

    run: RunSource
    folder: str
    """The language's folder, with its final slash."""
    catalog: Catalog
    document: Json = field(repr=False)
    digest: str

    def at(self, pointer: str, words: Callable[[Any], str] | None = None) -> Bound:
        """The value at an RFC 6901 pointer, in `words` if any. Raises KeyError if the document has none there."""
        sealed = self.run.sealed
        page = f"{self.folder}{place.evidence(sealed.run.study, sealed.run.run)}"
        target = f"{page}#{place.anchor(RUN_FILE, pointer)}"
        value = self.value(pointer)
        bound = self._bound(value, target, RUN_FILE, pointer, self.digest)
        return replace(bound, text=words(value)) if words else bound

    def refer(self, reference: str) -> Bound:
        """What an author refers to: a pointer into run.json, or `FILE#` and a pointer.

        The other files are plan.json, and attempts.jsonl, where the attempt's name stands before the pointer.
        A time, which the evidence keeps in nanoseconds, is told in milliseconds, exactly and with its unit.
        Raises KeyError if nothing stands there, or an object: a figure is one value, or the length of a list.
        """
        found = referred(self.run, reference, self.document)
        if isinstance(found.value, dict):
            raise KeyError(reference)
        bound = self.at(found.pointer) if found.file == RUN_FILE else self._elsewhere(found)
        if isinstance(found.value, int) and found.pointer.endswith(_NANOSECONDS):
            return replace(bound, text=figures.exact_duration(found.value, self.catalog))
        return bound

    def in_attempt(self, attempt: Attempt, pointer: str) -> Bound:
        """The value at a pointer into one line of attempts.jsonl. Raises KeyError if there is none."""
        value = pointed(attempt.model_dump(mode="json"), pointer)
        return self._elsewhere(Referred(ATTEMPTS_FILE, attempt.attempt, pointer, value))

    def in_file(self, path: str, pointer: str, words: Callable[[Any], str] | None = None) -> Bound:
        """The value at a pointer into a sealed JSON document, as `at` gives it. Raises KeyError as `at` does."""
        value = pointed(_document(self.run, path), pointer)
        bound = self._elsewhere(Referred(path, "", pointer, value))
        return replace(bound, text=words(value)) if words else bound

    def _elsewhere(self, found: "Referred") -> Bound:
        """A value of another file than run.json."""
        target = place.sealed_file(self.run.sealed.run.study, self.run.id, found.file)
        if found.attempt:
            target = self.folder + place.part(attempt_place(self.run, found.attempt), "line")
        digest = self.run.sealed.file(found.file).sha256
        return self._bound(found.value, target, found.file, found.pointer, digest)

    def _bound(self, value: Json, target: str, file: str, pointer: str, digest: str) -> Bound:
        match value:
            case bool() | None:
                text = self.catalog.say("value.yes" if value else "value.no")
            case int():
                text = figures.count(value, self.catalog)
            case str():
                text = value
            case list() | dict():
                text = figures.count(len(value), self.catalog)
        return Bound(text=text, target=target, file=file, pointer=pointer, digest=digest, zero=value == 0)

    def value(self, pointer: str) -> Json:
        """The JSON value at a pointer. Raises KeyError if there is none."""
        return pointed(self.document, pointer)


@dataclass(frozen=True, slots=True)
class Referred:
    """What a reference leads to."""

    file: str
    attempt: str
    """The attempt whose line it is; empty outside attempts.jsonl."""
    pointer: str
    value: Json


def referred(run: RunSource, reference: str, record: Json) -> Referred:
    """The value that a reference of an author leads to; `record` is run.json. Raises KeyError if it leads nowhere."""
    file, hash_sign, rest = reference.partition("#")
    if not hash_sign:
        return Referred(RUN_FILE, "", reference, pointed(record, reference))
    if file == RUN_FILE:
        return Referred(RUN_FILE, "", rest, pointed(record, rest))
    if file == PLAN_FILE:
        return Referred(PLAN_FILE, "", rest, pointed(_plan(run), rest))
    if file == ATTEMPTS_FILE:
        name, slash, inside = rest.partition("/")
        attempt = run.sealed.attempt(name).model_dump(mode="json")
        return Referred(ATTEMPTS_FILE, name, slash + inside, pointed(attempt, slash + inside))
    raise KeyError(reference)


@lru_cache(1)
def _plan(run: RunSource) -> Json:
    """The plan as it stands in the file. A document refers to one run, as a rule, and a plan may be long."""
    return parse(run.sealed.data(PLAN_FILE))


@lru_cache(1)
def _document(run: RunSource, path: str) -> Json:
    """A sealed document; a page says several values of one before it goes on to the next."""
    return parse(run.sealed.data(path))


def pointed(document: Json, pointer: str) -> Json:
    """The value at an RFC 6901 pointer into `document`. Raises KeyError if there is none."""
    if pointer and not pointer.startswith("/"):
        raise KeyError(pointer)
    value = document
    for part in pointer.split("/")[1:]:
        match value:
            case dict() if part in value:
                value = value[part]
            case list() if _INDEX.fullmatch(part) and int(part) < len(value):
                value = value[int(part)]
            case _:
                raise KeyError(pointer)
    return value


def quotes(run: RunSource, folder: str, catalog: Catalog) -> Quotes:
    """The quotes of a sealed run."""
    return Quotes(run, folder, catalog, run.sealed.run.model_dump(mode="json"), run.sealed.file(RUN_FILE).sha256)
