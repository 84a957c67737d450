"""The page of a result or of a run as one JSON document: its figures with their pointers, and its seals.

The figures are those that the page itself binds, so that page and document cannot differ.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from runner.contract.canonical import Json, encode
from runner.contract.seal import ATTEMPTS_FILE, COMMITMENTS_FILE, PLAN_FILE, RUN_FILE, SEAL_FILE
from sitegen.pages import place
from sitegen.pages.page import Language
from sitegen.pages.quotes import Bound, referred
from sitegen.pages.results import ResultPage
from sitegen.sources import Change, RunSource

FORMAT = "sealbook.result-view/1"
SAYS = "A view derived from the sealed files it names. Where the two differ, the sealed files count."
SEALS = (RUN_FILE, PLAN_FILE, ATTEMPTS_FILE, COMMITMENTS_FILE)
"""The files behind a result page, beside the seal over them all."""


def result_twin(pages: Mapping[Language, ResultPage]) -> bytes:
    """The canonical JSON of one page, which `pages` shows in every language."""
    page = pages["en"]
    study = page.declared
    document: dict[str, Json] = {
        "format": FORMAT,
        "derived": SAYS,
        "pages": {language: view.location for language, view in pages.items()},
        "title": {language: view.title for language, view in pages.items()},
        "summary": {language: view.summary for language, view in pages.items()} if page.summary else None,
        "date": page.date,
        "status": page.status.name if page.status else None,
        "change": _change(page.source.change, page.source.status) if page.source and page.source.change else None,
        "study": study.id,
        "claims": [{"id": item.id, "text": {"en": item.text.en, "zh": item.text.zh}} for item in study.claims],
        "does_not_establish": [
            {"id": item.id, "text": {"en": item.text.en, "zh": item.text.zh}} for item in study.limits
        ],
        "run": {**_run(page.run), "decisions": _decisions(page)} if page.run else None,
        "values": list(_values(page, page.run)) if page.run else [],
    }
    return encode(document)


def _change(change: Change, was: str) -> Json:
    return {
        "was": was.replace(" ", "-"),
        "date": change.date,
        "reason": dict(change.reasons),
        "successor": change.successor,
    }


def _decisions(page: ResultPage) -> list[Json]:
    """The owner's decisions on holds of the page's own run, the earliest first."""
    holds = page.parity.holds if page.parity else ()
    return [
        {"file": item.record.target, "sha256": item.digest, "ruling": item.mark.name}
        for hold in holds
        if hold.own
        for item in hold.decisions
    ]


def _run(run: RunSource) -> dict[str, Json]:
    sealed = run.sealed
    digests = [sealed.file(name) for name in SEALS]
    files: list[Json] = [
        {"file": place.sealed_file(sealed.run.study, run.id, item.path), "bytes": item.bytes, "sha256": item.sha256}
        for item in digests
    ]
    seal = place.sealed_file(sealed.run.study, run.id, SEAL_FILE)
    return {
        "id": run.id,
        "published": run.published,
        "started_at": sealed.run.started_at,
        "ended_at": sealed.run.ended_at,
        "disposition": sealed.run.analysis.disposition.value,
        "commitments": len(sealed.commitments),
        "files": files,
        "seal": {"file": seal, "sha256": sealed.seal_sha256},
    }


def _values(page: ResultPage, run: RunSource) -> Iterator[Json]:
    """Each figure of the page once, by file, attempt and pointer, as it stands in the evidence."""
    own = run.sealed.file(RUN_FILE).sha256
    shown = _bounds((page.report, page.charts, page.prose, page.parity))
    # What a page says of another run, or of another file, is bound there.
    references = {bound.pointer for bound in shown if bound.digest == own}
    if page.prose:
        references.update(page.prose.bound)
    record = run.sealed.run.model_dump(mode="json")
    leading = (referred(run, reference, record) for reference in references)
    found = {(item.file, item.attempt, item.pointer): item for item in leading}
    for key in sorted(found):
        item = found[key]
        attempt: dict[str, Json] = {"attempt": item.attempt} if item.attempt else {}
        yield {"file": item.file, **attempt, "pointer": item.pointer, "value": item.value}


def _bounds(value: object) -> Iterator[Bound]:
    """Every bound figure in a view, however deep."""
    if isinstance(value, Bound):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _bounds(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _bounds(getattr(value, field.name))
