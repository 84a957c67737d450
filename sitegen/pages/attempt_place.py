"""Where an attempt is shown: on a page of its own, or in a large run among a hundred. Nothing else decides it.

And which attempt it is that stands for a planned slot.
"""

from runner.contract.plan import Slot
from sitegen.pages import place
from sitegen.sources import RunSource

PER_PAGE = 100


def paged(run: RunSource) -> bool:
    """Whether the run's attempts share pages."""
    return len(run.sealed.attempts) >= run.paged_from


def counting(run: RunSource, slot: Slot) -> str | None:
    """The attempt of a planned slot that counts, which is the last one; None if none began."""
    if not run.sealed.began(slot):
        return None
    retry = 0
    while slot.attempt_id(retry + 1) in run.sealed.lines:
        retry += 1
    return slot.attempt_id(retry)


def attempt_place(run: RunSource, name: str) -> str:
    """Where the attempt of this name is shown, below a language's folder; an anchor in a large run.

    `place.part` names the places inside. Raises KeyError if the run has no such attempt.
    """
    study = run.sealed.run.study
    line = run.sealed.line_of(name)
    if not paged(run):
        return place.attempt(study, run.id, name)
    return f"{place.details(study, run.id, 1 + (line - 1) // PER_PAGE)}#{name}"
