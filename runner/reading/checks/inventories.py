"""Whether the documents of a variant's attempt are what its calls wrote, and what both attempts and the rules give."""

from collections.abc import Iterator, Mapping, Sequence

from runner.contract.attempt import Attempt, ReasonCode
from runner.contract.errors import ContractError, Problem
from runner.contract.events import Event, JudgedEvent, Output, ProcessEvent
from runner.contract.parity.detail import HeldAgainst, NotCompared, VariantDetail
from runner.contract.parity.difference import COMPARISON_FILE, Compared, disagreements
from runner.contract.parity.documents import Read, read_compared, read_inventory
from runner.contract.parity.inventory import CALLS, INVENTORY_FILE, Entry, Form, Inventory, entry_of
from runner.contract.parity.rules import Side
from runner.contract.parity.sameness import judge_sameness, summary
from runner.contract.parity.tasks import COMPARED, DAEMON_STOPPED
from runner.contract.parity.variant import AnyVariant
from runner.contract.plan import Slot
from runner.contract.values import FileDigest
from runner.reading.checks.calls import Calls, are_performed
from runner.reading.checks.published import is_verbatim
from runner.reading.checks.replayed import differences, is_whole

_REMEDY = "do not rely on this run"
Sealed = Mapping[str, FileDigest]


def documents(attempt: Attempt, variant: AnyVariant, events: Sequence[Event], calls: Calls) -> tuple[str, ...]:
    """The names of the documents that an attempt of a variant must have, and no others."""
    if not are_performed(calls, events):
        return ()
    missing = attempt.reason is not None and attempt.reason.code is ReasonCode.reference_missing
    compared = variant.against is not None and not missing
    return (COMPARISON_FILE, INVENTORY_FILE) if compared else (INVENTORY_FILE,)


def check_documents(
    attempt: Attempt, variant: AnyVariant, events: Sequence[Event], calls: Calls, sealed: Sealed, data: Read
) -> Iterator[Problem]:
    """Problems of the documents that are there; `data` reads a sealed file."""
    what = attempt.detail.what if attempt.detail.kind == "parity" else None
    stated = what.comparison if isinstance(what, VariantDetail) else NotCompared()
    folder = f"artifacts/{attempt.attempt}"
    there = set(attempt.artifacts) & set(sealed)
    given: NotCompared | HeldAgainst = NotCompared()
    try:
        inventory = _inventory(attempt.attempt, data) if f"{folder}/{INVENTORY_FILE}" in there else None
        if inventory is not None:
            yield from _of_inventory(attempt, inventory, events)
        compared = None
        if (file := f"{folder}/{COMPARISON_FILE}") in there:
            compared = read_compared(data, file)
    except ContractError as error:
        yield from error.problems
        return
    if compared is not None and variant.against is not None:
        given = summary(compared, variant.against, calls.design.rules_for(variant.id, calls.scenario.id))
        if inventory is not None:
            yield from _of_comparison(attempt, compared, variant, inventory, calls, sealed, data)
    if stated != given:
        what_is_wrong = f"states as its comparison {_told(stated)}, the documents give {_told(given)}"
        yield Problem("attempts.jsonl", "", f"{attempt.attempt} {what_is_wrong}", _REMEDY)
    yield from _of_verdicts(attempt, events, compared)


def _inventory(attempt: str, data: Read) -> Inventory:
    return read_inventory(data, f"artifacts/{attempt}/{INVENTORY_FILE}")


def _of_inventory(attempt: Attempt, inventory: Inventory, events: Sequence[Event]) -> Iterator[Problem]:
    """Whether it is of this attempt, and holds what the calls wrote."""
    file = f"artifacts/{attempt.attempt}/{INVENTORY_FILE}"
    if inventory.attempt != attempt.attempt:
        yield Problem(file, "attempt", f"is of {inventory.attempt}", _REMEDY)
    entries = inventory.by_path
    written = {
        f"{CALLS}/{event.step}/{name}": output
        for event in events
        if isinstance(event, ProcessEvent) and event.step != DAEMON_STOPPED  # that one comes after all was observed
        for name, output in (("stdout", event.stdout), ("stderr", event.stderr))
    }
    for path, output in written.items():
        entry = entries.get(path)
        if entry is None:
            yield Problem(file, path, "is not there, and the call was made", _REMEDY)
        elif what := _otherwise(entry, output):
            yield Problem(file, path, what, _REMEDY)
    streams = {path for path in entries if path.startswith(f"{CALLS}/") and path.endswith(("/stdout", "/stderr"))}
    for path in sorted(streams - written.keys()):
        yield Problem(file, path, "is of no call that the events tell of", _REMEDY)


def _otherwise(entry: Entry, output: Output) -> str:
    """What an entry says otherwise than the stream it is of; empty if nothing."""
    if (entry.sha256, entry.bytes) != (output.sha256, output.total_bytes):
        return "has another length or digest than the call's event"
    if not is_whole(output):
        return "" if entry.form is Form.data else "is a cut output, and more than its bytes are said to be known"
    if entry.form is not Form.container and is_verbatim(output):
        try:
            again = entry_of(entry.path, output.text.encode())
        except RecursionError:  # nested deeper than can be read here
            return ""
        if entry != again:
            return "has another form or value than what the call wrote"
    return ""


def _of_comparison(
    attempt: Attempt,
    compared: Compared,
    variant: AnyVariant,
    inventory: Inventory,
    calls: Calls,
    sealed: Sealed,
    data: Read,
) -> Iterator[Problem]:
    """Whether it is what both inventories and the rules give."""
    file = f"artifacts/{attempt.attempt}/{COMPARISON_FILE}"
    if compared.right != attempt.attempt:
        yield Problem(file, "right", f"is of {compared.right}", _REMEDY)
    against = variant.against or ""
    first = Slot(arm=against, task=attempt.task, trial=attempt.trial).attempt_id(0)
    # Only the last attempt of a slot can have been performed to its end: what was interrupted has no inventory.
    is_of_slot = compared.left == first or compared.left.startswith(f"{first}.r")
    if not is_of_slot or f"artifacts/{compared.left}/{INVENTORY_FILE}" not in sealed:
        what = f"is {compared.left}, {variant.id} is held against the last attempt of {against} at its row"
        yield Problem(file, "left", what, _REMEDY)
        return
    try:
        other = _inventory(compared.left, data)
    except ContractError:
        return  # told where that attempt is checked
    sides = (
        Side(calls.design.variant(against).revision, frozenset(other.processes)),
        Side(variant.revision, frozenset(inventory.processes)),
    )
    rules = calls.design.rules_for(variant.id, calls.scenario.id)
    try:
        for what in disagreements(compared, other, inventory, rules, sides):
            yield Problem(file, "differences", what, _REMEDY)
    except (ValueError, RecursionError):
        yield Problem(file, "differences", "one side of a difference is told as what is no JSON", _REMEDY)


def _of_verdicts(attempt: Attempt, events: Sequence[Event], compared: Compared | None) -> Iterator[Problem]:
    """Whether what is judged of sameness is what the comparison gives."""
    file = attempt.events or "attempts.jsonl"
    given = dict(judge_sameness(compared)) if compared else {}
    judged = [event for event in events if isinstance(event, JudgedEvent) and event.criterion in COMPARED]
    if [event.criterion for event in judged] != list(given):
        what = f"judges {', '.join(event.criterion for event in judged) or 'nothing'} of what {COMPARISON_FILE} gives"
        yield Problem(file, "", f"{what}: {', '.join(given) or 'nothing'}", _REMEDY)
        return
    for event in judged:
        for what in differences(event, given[event.criterion], COMPARISON_FILE):
            yield Problem(file, "", what, _REMEDY)


def _told(comparison: NotCompared | HeldAgainst) -> str:
    if isinstance(comparison, NotCompared):
        return "none"
    explained = sum(item.places for item in comparison.explained)
    return (
        f"{comparison.equal} of {comparison.entries} entries equal to those of {comparison.against}, "
        f"{comparison.spelling} in another spelling, {explained} places explained, {comparison.unexplained} findings"
    )
