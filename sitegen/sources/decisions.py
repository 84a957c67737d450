"""Reads the decisions on the holds of a study's published runs, verified, or notes why one is not right."""

from collections.abc import Mapping
from pathlib import Path

from runner.contract.errors import InvalidRecordError
from runner.reading.decision import SealedDecision, no_run, open_decision
from runner.reading.sealed import SealedRun
from sitegen.errors import Collected


def read_decisions(
    folders: list[Path], shown: str, study: str, published: Mapping[str, SealedRun | None], found: Collected
) -> tuple[SealedDecision, ...]:
    """The decisions in `folders` in order of time; `shown` is how messages call the folder around them.

    `published` are the runs by name, None for one that does not verify and is told already. A decision is refused as a
    run is: for its bytes, its form, its place, and for what its run says of it.
    """
    decisions = []
    for folder in folders:
        with found.noting():
            decision = open_decision(folder, name=f"{shown}/{folder.name}", study=study, placed=True)
            if decision.decision.run not in published:
                raise InvalidRecordError(no_run(decision))
            run = published[decision.decision.run]
            if run is not None and (wrong := decision.against(run)):
                raise InvalidRecordError(*wrong)
            decisions.append(decision)
    return tuple(sorted(decisions, key=lambda item: item.decision.order))
