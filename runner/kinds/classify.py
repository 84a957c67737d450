"""What an attempt came to, from its facts. Pure and total.

| the first line that holds                                   | outcome       | reason               |
| ------------------------------------------------------------ | ------------- | -------------------- |
| the runner failed, or an order to a subject found no ear      | failed-to-run | runner-fault         |
| a process could not be started                                | failed-to-run | process-not-started  |
| a set-up step did not meet an expectation                     | failed-to-run | setup-step-failed    |
| a boundary, a service's port or a live victim was not reached | failed-to-run | boundary-not-reached |
| what it is held against was not performed to its end          | failed-to-run | reference-missing    |
| the clock ran out during a step                               | timed-out     | wall-cap             |
| a criterion was judged and not met (leftovers included)       | rejected      | criterion-not-met    |
| all criteria met, and the last one after the cap              | timed-out     | wall-cap             |
| all criteria met                                              | accepted      | none                 |

The line before the last one alone has `passed_after_cap`. A criterion that was never judged
although nothing halted the attempt would be an error of ours, and is said to be one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.contract.attempt import Criterion, Outcome, Reason, ReasonCode, Verdict

_NOT_RUN = frozenset(
    {
        ReasonCode.runner_fault,
        ReasonCode.process_not_started,
        ReasonCode.setup_step_failed,
        ReasonCode.boundary_not_reached,
        ReasonCode.reference_missing,
    }
)


@dataclass(frozen=True, slots=True)
class Halt:
    """Why no further step of an attempt was performed."""

    code: ReasonCode
    at: str
    """The step or criterion."""


@dataclass(frozen=True, slots=True)
class Classified:
    """An attempt's outcome and why it is not accepted."""

    outcome: Outcome
    reason: Reason | None
    passed_after_cap: bool = False


def classify(criteria: Sequence[Criterion], halt: Halt | None, *, over_cap: bool) -> Classified:
    """Decide the outcome from the verdicts, what halted the attempt, and whether the cap had passed."""
    if halt is not None and halt.code in _NOT_RUN:
        return Classified(Outcome.failed_to_run, Reason(code=halt.code, at=halt.at))
    if halt is not None and halt.code is ReasonCode.wall_cap:
        return Classified(Outcome.timed_out, Reason(code=halt.code, at=halt.at))
    for criterion in criteria:
        if criterion.verdict is Verdict.not_met:
            reason = Reason(code=ReasonCode.criterion_not_met, at=criterion.id)
            return Classified(Outcome.rejected, reason)
    for criterion in criteria:
        if criterion.verdict is Verdict.not_reached:
            reason = Reason(code=ReasonCode.runner_fault, at=criterion.id)
            return Classified(Outcome.failed_to_run, reason)
    if over_cap:
        reason = Reason(code=ReasonCode.wall_cap, at=None)
        return Classified(Outcome.timed_out, reason, passed_after_cap=True)
    return Classified(Outcome.accepted, None)
