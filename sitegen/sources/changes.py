"""What became of a dated result later: withdrawn, or superseded by another one. Its page stays.

The front matter says so: `status` becomes `withdrawn` or `superseded`, `was` keeps the word that stood there, `changed`
the day, `reason` why (each file in its own language), `successor` the result to read instead.
"""

from collections.abc import Iterable, Mapping

from sitegen.errors import Collected
from sitegen.sources.values import Change, Document, ResultSource
from sitegen.sources.wanted import WRITE

CHANGED = ("withdrawn", "superseded")
"""The statuses that a result takes after its date."""
FIELDS = ("was", "changed", "reason", "successor")
"""Front matter that belongs to them alone."""


def read_change(documents: Mapping[str, Document], found: Collected) -> Change | None:
    """What became of the result that `documents` tell in every language, or None; what does not fit is noted."""
    for document in documents.values():
        _check_fields(document, found)
    fronts = {language: document.front for language, document in documents.items()}
    front = next(iter(fronts.values()))
    if front["status"] not in CHANGED:
        return None
    reasons = {language: str(item["reason"]) for language, item in fronts.items()}
    return Change(front["status"], str(front["changed"]), reasons, front["successor"])


def _check_fields(document: Document, found: Collected) -> None:
    """Note each field that is missing, or that stands beside a status it does not belong to."""
    front, status = document.front, document.front["status"]
    if status not in CHANGED:
        for field in FIELDS:
            if front[field] is not None:
                what = f"stands beside the status {status!r}"
                found.add(document.path, field, what, f"remove it, or write status = {' or '.join(CHANGED)}")
        return
    wanted = FIELDS if status == "superseded" else FIELDS[:-1]
    for field in wanted:
        if front[field] is None:
            found.add(document.path, field, f"is missing beside the status {status!r}", f"write {WRITE[field]}")
    if front["changed"] is not None and front["changed"] < front["date"]:
        what = f"{front['changed']} lies before the result, which is of {front['date']}"
        found.add(document.path, "changed", what, f"write the day on which it was {status}")


def check_successors(results: Iterable[ResultSource], found: Collected) -> None:
    """Note every successor that does not exist, is older than what it replaces, or leads back to it."""
    named = {result.name: result for result in results}
    for result in named.values():
        successor = result.change.successor if result.change else None
        if successor is None:
            continue
        if successor not in named:
            what, todo = f"no result {successor!r}", f"name one of content/results: {_others(named, result.name)}"
        elif successor == result.name:
            what, todo = "is the result itself", f"name another result: {_others(named, result.name)}"
        elif named[successor].date < result.date:
            what, todo = f"{successor!r} is older than this result", "name a result of the same day or later"
        elif circle := _circle(named, result.name):
            what, todo = f"leads back to this result: {' → '.join(circle)}", "let one of them have no successor"
        else:
            continue
        for document in result.documents.values():
            found.add(document.path, "successor", what, todo)


def _circle(named: Mapping[str, ResultSource], name: str) -> list[str]:
    """The way along successors from `name` back to it, or nothing if there is no such way."""
    way = [name]
    while True:
        here = named.get(way[-1])
        after = here.change.successor if here and here.change else None
        if after is None:
            return []
        way.append(after)
        if after == name:
            return way
        if after in way[:-1]:  # a circle further on, which its own results are told
            return []


def _others(named: Mapping[str, ResultSource], name: str) -> str:
    return ", ".join(sorted(named.keys() - {name})) or "there is none yet"
