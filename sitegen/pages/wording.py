"""Words in one language: bilingual texts, sentences that hold linked numbers, commands as typed."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar, assert_never

from runner.contract.evidence import CommittedSource, Environment, Source, UnknownSource
from runner.contract.values import KnownUsage, NoModelUsage, Text, UnknownUsage, Usage
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Language, Link
from sitegen.pages.quotes import Bound

Phrase: TypeAlias = tuple[str | Bound | Link, ...]
"""A sentence in pieces, so that its numbers stay links without markup in a message."""

Piece = TypeVar("Piece")

_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./{}\-]+")


def choose(text: Text, language: Language) -> str:
    """The statement in the page's language."""
    match language:
        case "en":
            return text.en
        case "zh":
            return text.zh
        case _:
            assert_never(language)


def system_words(environment: Environment) -> str:
    """The operating system, its release and the machine, as the system names them."""
    return f"{environment.system} {environment.release} · {environment.machine}"


def weave(catalog: Catalog, key: str, pieces: Mapping[str, Piece]) -> tuple[str | Piece, ...]:
    """The message `key`, with `pieces` (linked values, whole phrases) where its placeholders stand."""
    said = catalog.say(key, **{name: f"\0{name}\0" for name in pieces})
    parts = said.split("\0")
    return tuple(pieces[part] if index % 2 else part for index, part in enumerate(parts) if part)


def command(argv: Sequence[str]) -> str:
    """An argument list as one would type it; placeholders in braces stay bare."""
    return " ".join(word if _PLAIN.fullmatch(word) else _quoted(word) for word in argv)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def usage(value: Usage, catalog: Catalog) -> str:
    """Model usage: known, unknown with its reason, or none because no model took part."""
    match value:
        case KnownUsage():
            return catalog.say(
                "usage.known",
                requests=figures.count(value.requests, catalog),
                prompt=figures.count(value.prompt_tokens, catalog),
                completion=figures.count(value.completion_tokens, catalog),
            )
        case UnknownUsage():
            return catalog.say("usage.unknown", reason=value.reason)
        case NoModelUsage():
            return catalog.say("usage.no-model")
        case _:
            assert_never(value)


def source_state(value: Source, catalog: Catalog) -> Mark:
    """Whether a checkout was clean, modified or of unknown origin."""
    match value:
        case CommittedSource():
            return named("source", "modified" if value.modified else "clean", catalog)
        case UnknownSource():
            return named("source", "unknown", catalog)
        case _:
            assert_never(value)
