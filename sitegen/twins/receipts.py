"""The receipts of a parity run for programs: what each variant of each row came to, what that rests on, what is held.

A view derived from sealed files. Every row says where it stands in them; unknown is null.
"""

from collections.abc import Sequence

from runner.contract.canonical import Json, encode
from runner.contract.holds import FindingHold, GateHold, holds_of
from runner.contract.parity.design import MUTANT, ParityDesign
from runner.contract.parity.detail import CommitFacts, HeldAgainst, VariantFacts
from runner.contract.parity.tasks import row_name
from runner.contract.plan import as_parity
from runner.contract.seal import ATTEMPTS_FILE, DECISION_FILE, PLAN_FILE, RUN_FILE, SEAL_FILE
from runner.reading.decision import SealedDecision
from sitegen.pages import place
from sitegen.pages.parity.change import change_facts
from sitegen.pages.parity.made_calls import OPERATIONS, counted
from sitegen.pages.parity.receipts import Receipt, RowReceipts, analysis_of, current, exit_of, facts_of, row_receipts
from sitegen.pages.parity.rows import entry_point, fixture_digest
from sitegen.sources import RunSource
from sitegen.twins.change import change_document

FORMAT = "sealbook.parity-receipts/1"
SAYS = "A view derived from the sealed files it names. Where the two differ, the sealed files count."
COMPARISON = (
    "Complete outputs and complete durable state are compared, and no field is removed. Raw bytes are kept in private "
    "and committed to. A difference is excused by a declared rule or is a finding. Fingerprints cover local paths: "
    "only those of one row can be compared."
)
CALLS = (
    "Calls are those that the harness makes at the program's real entry point, with digests of what each asked and "
    "answered. They are not all calls: what happens inside the program is not counted."
)


def receipts_twin(run: RunSource, decisions: Sequence[SealedDecision]) -> bytes:
    """The canonical JSON of a run's receipts; `decisions` are those on its holds, the earliest first.

    Raises ValueError for a run of another study kind.
    """
    sealed, record = run.sealed, run.sealed.run
    design, tasks = as_parity(sealed.plan)
    document: dict[str, Json] = {
        "format": FORMAT,
        "derived": SAYS,
        "study": record.study,
        "run": record.run,
        "published": run.published,
        "plan_sha256": record.plan_sha256,
        "run_sha256": sealed.file(RUN_FILE).sha256,
        "seal_sha256": sealed.seal_sha256,
        "files": {
            name: place.sealed_file(record.study, run.id, name)
            for name in (RUN_FILE, PLAN_FILE, ATTEMPTS_FILE, SEAL_FILE)
        },
        "base": design.timing.base,
        "head": design.timing.head,
        "variants": _variants(run, design),
        "fixture_sha256": fixture_digest(design, tasks),
        "harness_sha256": facts_of(run).harness,
        "entry_point": entry_point(design, tasks),
        "comparison": COMPARISON,
        "calls": CALLS,
        "disposition": analysis_of(run).disposition.value,
        "rows": [_row(run, design, row) for row in row_receipts(run)],
        "mutant": _mutant(run, design),
        "holds": [_hold(hold, decisions) for hold in holds_of(record.analysis)],
        "decisions": [_decision(item) for item in decisions],
    }
    if design.changes:
        document["changes"] = [change_document(run, index, item) for index, item in change_facts(run)]
    return encode(document)


def _variants(run: RunSource, design: ParityDesign) -> list[Json]:
    return [
        {
            "variant": item.variant,
            "revision": design.variant(item.variant).revision,
            "build": design.variant(item.variant).build.value,
            **_made_from(item),
            "tree_sha256": item.tree,
            "pointer": f"{RUN_FILE}#/facts/variants/{index}",
        }
        for index, item in enumerate(facts_of(run).variants)
    ]


def _made_from(item: VariantFacts | CommitFacts) -> dict[str, Json]:
    if isinstance(item, CommitFacts):
        return {"against": item.against, "commit": item.commit}
    return {"against": item.same_as, "artifact": item.artifact.path, "artifact_sha256": item.artifact.sha256}


def _row(run: RunSource, design: ParityDesign, row: RowReceipts) -> Json:
    return {
        "backend": row.backend,
        "scenario": row.scenario,
        "state": analysis_of(run).rows[row.index].state.value,
        "step": row.command,
        "pointer": f"{RUN_FILE}#/analysis/rows/{row.index}",
        "variants": [_receipt(design, item) for item in row.variants],
    }


def _receipt(design: ParityDesign, item: Receipt) -> Json:
    called, made = item.called, counted(item.calls)
    return {
        "variant": item.arm,
        "revision": design.variant(item.arm).revision,
        "attempt": item.attempt,
        "pointer": f"{ATTEMPTS_FILE}#{item.attempt}" if item.attempt else None,
        "line": item.line,
        "outcome": item.outcome.value,
        "command": list(called.argv) if called else None,
        "ended": called.end.end if called else None,
        "exit_status": exit_of(called) if called else None,
        "stdout_sha256": called.stdout_sha256 if called else None,
        "stderr_sha256": called.stderr_sha256 if called else None,
        "fingerprint": item.fingerprint,
        "inventory": item.inventory,
        "entries": item.entries,
        "compared": _compared(item.comparison),
        "restart": item.restarted.value if item.restarted else None,
        "operations": {operation: made[operation] for operation in OPERATIONS},
        "calls": [
            {
                "step": call.step,
                "operation": call.operation,
                "request_sha256": call.request_sha256,
                "ended": call.end.end,
                "exit_status": exit_of(call),
                "stdout_sha256": call.stdout_sha256,
                "stderr_sha256": call.stderr_sha256,
            }
            for call in item.calls
        ],
    }


def _compared(found: HeldAgainst | None) -> Json:
    if found is None:
        return None
    return {
        "against": found.against,
        "entries": found.entries,
        "equal": found.equal,
        "other_spelling": found.spelling,
        "unexplained": found.unexplained,
        "explained": {item.rule: item.places for item in found.explained},
    }


def _hold(hold: GateHold | FindingHold, decisions: Sequence[SealedDecision]) -> Json:
    """A hold and which decisions are on it. It is a hold with them as it is without."""
    on = [item.decision.decision for item in decisions if hold.name in {one.name for one in item.decision.holds}]
    return {"name": hold.name, **hold.model_dump(mode="json"), "decisions": [*on]}


def _decision(item: SealedDecision) -> Json:
    decision = item.decision
    return {
        "decision": decision.decision,
        "file": place.decision_file(decision.study, decision.decision, DECISION_FILE),
        "sha256": item.sha256,
        "seal_sha256": item.seal_sha256,
        "ruling": decision.ruling.value,
        "holds": [hold.name for hold in decision.holds],
        "owner": decision.owner.model_dump(mode="json"),
        "decided_at": decision.decided_at,
        "reason": decision.reason.model_dump(mode="json"),
    }


def _mutant(run: RunSource, design: ParityDesign) -> Json:
    mutation = design.mutation
    attempt = current(run, MUTANT, row_name(mutation.backend, mutation.scenario))
    return {
        "state": analysis_of(run).mutation.value,
        "backend": mutation.backend,
        "scenario": mutation.scenario,
        "criterion": mutation.criterion,
        "expected_exit_status": mutation.exit_status,
        "attempt": attempt.attempt if attempt else None,
        "outcome": attempt.outcome.value if attempt else None,
        "pointer": f"{ATTEMPTS_FILE}#{attempt.attempt}/detail" if attempt else None,
    }
