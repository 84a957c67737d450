"""Whether the changed copy was rejected, and for the reason that the manifest states. Pure."""

from collections.abc import Iterator

from runner.contract.events import End
from runner.contract.parity.detail import MutantDetail
from runner.contract.parity.judge import status
from runner.contract.parity.mutation import Mutation
from runner.contract.parity.tasks import (
    MUTANT_REJECTED,
    MUTANT_STATUS,
    NOTHING_ELSE,
    ORIGINAL_UNCHANGED,
    TARGET_ONCE,
)
from runner.contract.qualification.judge import Judgement


def is_mutated(mutation: Mutation, changed: MutantDetail) -> bool:
    """Whether there is a mutant to try: the pinned file, in which the declared text stands exactly once."""
    return changed.matches == 1 and changed.original_sha256 == mutation.sha256


def judge_mutant(mutation: Mutation, changed: MutantDetail, end: End | None) -> Iterator[tuple[str, Judgement]]:
    """Every verdict but that on the original, by criterion; of what was not mutated only why.

    `end` is how the call that the stated criterion judges ended, None where it was not reached.
    """
    once = Judgement(changed.matches == 1, "the declared text stands there once", f"{changed.matches} times")
    if changed.original_sha256 != mutation.sha256:
        once = Judgement(False, f"the file has the SHA-256 {mutation.sha256}", changed.original_sha256)
    yield TARGET_ONCE, once
    if not is_mutated(mutation, changed):
        return
    told = ", ".join(changed.failed) or "it met every criterion"
    met = mutation.criterion in changed.failed
    yield MUTANT_REJECTED, Judgement(met, f"{mutation.criterion} is not met", told)
    seen = status(end) if end else "the call was not reached"
    wanted = f"exit {mutation.exit_status}"
    yield MUTANT_STATUS, Judgement(seen == wanted, wanted, seen)
    # A failure of the harness, or one that came before, may be why the stated criterion was missed: no proof then.
    ours = any("." not in name for name in changed.failed)
    met = not ours and changed.failed[:1] in ((), (mutation.criterion,))
    wanted = f"{mutation.criterion} is what fails first, and nothing of the harness fails"
    yield NOTHING_ELSE, Judgement(met, wanted, told)


def judge_original(mutation: Mutation, found_sha256: str) -> Iterator[tuple[str, Judgement]]:
    """Whether the original is, after the attempt, what it was before."""
    wanted = f"the original has the SHA-256 {mutation.sha256}"
    yield ORIGINAL_UNCHANGED, Judgement(found_sha256 == mutation.sha256, wanted, found_sha256)
