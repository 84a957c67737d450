"""Why nothing may be concluded from an attempt of a live agent, as far as the attempt itself can tell. Pure.

One attempt alone is never eligible: review, pairing and the matrix come after it, and no attempt can vouch for them.
"""

from collections.abc import Iterable, Sequence

from runner.contract.comparison.detail import Ineligibility
from runner.contract.comparison.detail import IneligibleBecause as Because
from runner.contract.comparison.metrics import Stream


def ineligible(
    *, scripted: bool, streams: Sequence[Stream], why_unwatched: dict[Stream, str], flaws: Iterable[str]
) -> tuple[Ineligibility, ...]:
    """Every reason, in a fixed order. `flaws` say why a record is not whole."""
    found: list[Ineligibility] = []
    if scripted:
        found.append(_because(Because.scripted_model, "a script stood in for the model: this shows no model"))
    found.append(_because(Because.no_blinded_review, "no blinded review of the candidate exists"))
    if missing := [stream for stream in Stream if stream not in streams]:
        told = "; ".join(f"{stream.value}: {why_unwatched[stream]}" for stream in missing)
        found.append(_because(Because.metrics_not_mapped, f"not watched: {told}"))
    if wrong := [*flaws]:
        found.append(_because(Because.record_not_whole, "; ".join(wrong)[:3900]))
    found.append(_because(Because.other_lane_missing, "an attempt cannot tell that the other lane was run"))
    found.append(_because(Because.matrix_missing, "an attempt cannot tell that the whole matrix was run"))
    return tuple(found)


def _because(because: Because, text: str) -> Ineligibility:
    return Ineligibility(because=because, text=text)
