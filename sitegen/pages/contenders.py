"""Processes that one step set off together: one entry of the time line that says first what came of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from runner.contract.events import Event, ProcessEvent, RacedEvent
from sitegen.catalog import Catalog
from sitegen.pages.happenings import Happening, ending
from sitegen.pages.told import Told

FEWEST = 4
"""Fewer processes stand in the time line one by one."""


def gathered(events: Sequence[Event], entries: Sequence[Happening], catalog: Catalog) -> tuple[Happening, ...]:
    """The entries of `events`, with the processes of a race inside the entry that says how it was decided.

    `entries` has one entry an event, in the same order. Where a race was not decided, an entry of
    its own says how many processes there were. No process is left out.
    """
    found: list[Happening] = []
    at = 0
    while at < len(entries):
        after = _end_of_crowd(events, at)
        if after - at < FEWEST:
            found.append(entries[at])
            at += 1
            continue
        crowd = tuple(entries[at:after])
        ends = Counter(ending(event.end, catalog) for event in events[at:after] if isinstance(event, ProcessEvent))
        told = catalog.say("list.comma").join(
            catalog.say("event.ends", ending=words, n=count) for words, count in ends.items()
        )
        unfold = catalog.say("event.contenders", n=len(crowd), ends=told)
        decision = events[after] if after < len(events) else None
        if isinstance(decision, RacedEvent) and decision.step == crowd[0].told.step:
            found.append(replace(entries[after], contenders=crowd, unfold=unfold))
            after += 1
        else:
            title = catalog.say("event.undecided")
            found.append(Happening(crowd[0].offset, Told(crowd[0].told.step, title), contenders=crowd, unfold=unfold))
        at = after
    return tuple(found)


def _end_of_crowd(events: Sequence[Event], start: int) -> int:
    """The index after the numbered processes of one step that follow each other from `start` on."""
    at = start
    while at < len(events):
        event, first = events[at], events[start]
        if not isinstance(event, ProcessEvent) or not isinstance(first, ProcessEvent):
            break
        if event.instance == 0 or event.step != first.step:
            break
        at += 1
    return at
