"""The receipt of a change for programs: its eight fields, what they were counted from, and what else was open."""

from runner.contract.canonical import Json
from runner.contract.parity.detail import CommitFacts
from runner.contract.parity.economics import Counted, NotSupplied, Stated
from runner.contract.parity.numstat import Lines, sums
from runner.contract.parity.overlap import shared
from runner.contract.plan import as_parity
from runner.contract.seal import PLAN_FILE, RUN_FILE
from runner.reading.overlap import read_overlap
from sitegen.pages.parity.receipts import analysis_of
from sitegen.sources import RunSource


def change_document(run: RunSource, index: int, found: CommitFacts) -> Json:
    """The change to the variant that stands at `index` in run.json. What was not supplied says so and is never null."""
    design, _ = as_parity(run.sealed.plan)
    declared, analysis = design.changes[found.variant], analysis_of(run)
    added_up = sums(declared, found.changes)
    place = next(number for number, item in enumerate(design.variants) if item.id == found.variant)
    return {
        "variant": found.variant,
        "base_commit": design.commits[found.against or ""],
        "head_commit": found.commit,
        "pointer": f"{RUN_FILE}#/facts/variants/{index}/changes",
        "declared": f"{PLAN_FILE}#/study/design/variants/{place}/change",
        "fields": {
            "canonical_owner": _field(declared.canonical_owner, None),
            "legacy_deleted": _field(declared.legacy_deleted, added_up.legacy_deleted),
            "bridge_added": _field(declared.bridge_added, added_up.bridge_added),
            "cross_runtime_calls": _field(declared.cross_runtime_calls, None),
            "product_net": {"known": "counted", "counted": _lines(added_up.product)},
            "scaffolding": _field(declared.scaffolding, added_up.scaffolding),
            "facade_exit": _field(declared.facade_exit, None),
            "correctness_and_performance": {
                "known": "run",
                "correctness": analysis.correctness.value,
                "performance": analysis.performance.value,
            },
        },
        "by_class": {name.value: _lines(lines) for name, lines in added_up.by_class},
        "whole": _lines(added_up.whole),
        "later_main_qualified": False,
        "overlap": _overlap(run, found),
    }


def _field(field: Stated | Counted | NotSupplied, lines: Lines | None) -> Json:
    if isinstance(field, NotSupplied):
        return {"known": field.known}
    text: Json = {"en": field.text.en, "zh": field.text.zh}
    if isinstance(field, Stated):
        return {"known": field.known, "text": text}
    return {"known": field.known, "text": text, "paths": list(field.paths), "counted": _lines(lines) if lines else None}


def _lines(lines: Lines) -> Json:
    return {
        "files": lines.files,
        "files_without_lines": lines.binary,
        "added": lines.added,
        "deleted": lines.deleted,
        "net": lines.net,
        "gross": lines.gross,
    }


def _overlap(run: RunSource, found: CommitFacts) -> Json:
    design, tasks = as_parity(run.sealed.plan)
    path = design.overlaps.get(found.variant)
    if path is None:
        return {"known": "not-supplied"}
    inventory = read_overlap(tasks, path)
    paths = [item.path for item in found.changes]
    changes: list[Json] = []
    for item in inventory.changes:
        both = shared(item, paths)
        touches: Json = {"known": "not-supplied"} if both is None else {"known": "listed", "shared": list(both)}
        commit: Json = {"known": "not-supplied"} if item.commit is None else {"known": "stated", "id": item.commit}
        changes.append({"name": item.name, "title": item.title, "commit": commit, "touches": touches})
    return {
        "known": "supplied",
        "file": path,
        "observed_at": inventory.observed_at,
        "source": {"en": inventory.source.en, "zh": inventory.source.zh},
        "changes": changes,
    }
