"""The field reference: one page for each kind of record that evidence consists of, made from its JSON Schema."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.schemas import schemas
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link, PageView
from sitegen.pages.schema_fields import Reader, RecordView

FILES = {
    "attempt": "attempts.jsonl",
    "commitment": "commitments.jsonl",
    "comparison-ledger": "artifacts/*/ledger.json",
    "comparison-observation": "artifacts/*/observation.json",
    "parity-scenarios": "tasks/*.toml",
    "parity-inventory": "artifacts/*/inventory.json",
    "parity-comparison": "artifacts/*/comparison.json",
    "parity-samples": "artifacts/*/samples.json",
    "parity-overlap": "tasks/*.toml",
    "comparison-replay": "artifacts/*/transcript.json",
    "comparison-task": "tasks/*.toml",
    "comparison-transcript": "tasks/transcripts/*.toml",
    "decision": "decisions/*/decision.json",
    "event": "events/*.jsonl",
    "licenses": "licenses.toml",
    "plan": "plan.json",
    "reported": "content/reported/*.toml",
    "run": "run.json",
    "study": "study.toml",
    "tasks": "tasks/*.toml",
    "timing": "timings.jsonl",
}
"""What each schema describes: a sealed file, a line of one, or a file of a manifest."""


@dataclass(frozen=True, slots=True)
class SchemaLine:
    """One line of the list."""

    link: Link
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaListPage(PageView):
    """All schemas."""

    lines: tuple[SchemaLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaPage(PageView):
    """One schema."""

    what: str
    schema: Link
    records: tuple[RecordView, ...]


def schema_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a schema. Raises KeyError for a schema that `FILES` does not name."""
    found = {file.removesuffix(".json"): data for file, data in schemas().items()}
    title = edition.say("schemas.title")
    yield SchemaListPage(
        frame=edition.frame,
        path=place.SCHEMAS,
        template="schemas.html",
        title=title,
        description=edition.say("schemas.description"),
        section="evidence",
        trail=edition.trail("evidence"),
        lines=tuple(SchemaLine(edition.link(name, place.schema(name)), _what(edition, name)) for name in found),
    )
    for name, data in found.items():
        path = place.schema(name)
        read = Reader(json.loads(data), edition.frame.folder + path, edition.catalog)
        yield SchemaPage(
            frame=edition.frame,
            path=path,
            template="schema.html",
            title=edition.say("schemas.page-title", name=name),
            description=_what(edition, name),
            section="evidence",
            trail=edition.trail("evidence", edition.link(title, place.SCHEMAS)),
            what=_what(edition, name),
            schema=Link(f"{name}.json", place.schema_data(name)),
            records=read.records(name),
        )


def schema_files() -> dict[str, bytes]:
    """The schemas themselves, by their place in the site."""
    return {place.schema_data(file.removesuffix(".json")): data for file, data in schemas().items()}


def _what(edition: Edition, name: str) -> str:
    file = FILES[name]
    return edition.say("schemas.line" if file.endswith(".jsonl") else "schemas.file", file=file)
