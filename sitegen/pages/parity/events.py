"""What happened in attempts of parity studies and nowhere else, in words."""

from typing import assert_never

from runner.contract.attempt import Verdict
from runner.contract.parity.happenings import MutantJudgedEvent, SampledEvent
from sitegen.catalog import Catalog
from sitegen.pages import marks
from sitegen.pages.told import Told


def held_alike(event: MutantJudgedEvent | SampledEvent, catalog: Catalog) -> Told:
    """What is said of an event of a parity study."""
    say = catalog.say
    match event:
        case MutantJudgedEvent():
            mark = marks.verdict(Verdict.met if event.met else Verdict.not_met, catalog)
            return Told(
                step=event.step,
                title=say("event.mutant-judged", criterion=event.criterion),
                mark=mark,
                notes=(say("event.expected", text=event.expected), say("event.observed", text=event.observed)),
                tone=mark.tone,
            )
        case SampledEvent():
            whole = event.taken == event.planned
            return Told(
                step="",
                title=say("event.sampled", measure=catalog.word(event.measure), variant=event.variant),
                notes=(say("event.samples", taken=event.taken, planned=event.planned),),
                tone="plain" if whole else "broken",
            )
        case _:
            assert_never(event)
