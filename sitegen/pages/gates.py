"""Gates and their verdicts in words, whoever declared them."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.parity.gate import AtMost, Held, Passed, StrictlyBelow, Unjudged
from sitegen import figures
from sitegen.figures import NO_BREAK
from sitegen.pages import marks
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class VerdictView:
    """What a gate says of a row."""

    mark: Mark
    reason: str


def gate_words(edition: Edition, gate: AtMost | StrictlyBelow) -> str:
    """A gate as one sentence."""
    match gate:
        case StrictlyBelow():
            span = _span(edition, gate.bound_ns)
            return edition.say("gate.strictly-below", statistic=edition.catalog.word(gate.statistic), span=span)
        case AtMost():
            parts = {}
            if gate.percent_millionths is not None:
                percent = figures.in_units(gate.percent_millionths, _MILLION, edition.catalog)
                parts["percent"] = f"{percent}{NO_BREAK}%"
            if gate.difference_ns is not None:
                parts["span"] = _span(edition, gate.difference_ns)
            form = "both" if len(parts) == 2 else "percent" if "percent" in parts else "difference"
            return edition.say(f"gate.at-most-{form}", statistic=edition.catalog.word(gate.statistic), **parts)
        case _:
            assert_never(gate)


def verdict_view(edition: Edition, judged: Passed | Held | Unjudged) -> VerdictView:
    """A verdict with its reason in words."""
    reason = edition.catalog.word(judged.reason) if isinstance(judged, Held | Unjudged) else ""
    return VerdictView(marks.judgement(judged, edition.catalog), reason)


def _span(edition: Edition, nanoseconds: int) -> str:
    return f"{figures.in_units(nanoseconds, _MILLION, edition.catalog)}{NO_BREAK}ms"
