"""The step `race`: many processes wait at one gate, and exactly so many of them must win."""

from runner.contract.attempt import ReasonCode, Verdict
from runner.contract.events import CappedByClock, FaultEvent, NotSpawned, RacedEvent
from runner.contract.qualification.judge import Judgement, judge_all
from runner.contract.qualification.steps import RaceStep
from runner.kinds.classify import Halt
from runner.kinds.qualification.context import NANOSECONDS, Context, Launch, failure
from runner.sandbox.gate import Gate
from runner.sandbox.process import Finished, Running

_ASSEMBLY_SECONDS = 30.0
"""How long the contenders may take to come to the gate; they race after it."""


def perform_race(context: Context, step: RaceStep) -> Halt | None:
    """Let the contenders go at once, wait for all, and count those that meet every expectation."""
    if context.seconds_left <= 0:
        return Halt(ReasonCode.wall_cap, step.id)
    gate = Gate(context.workspace.control, step.id)
    try:
        launches = [context.launch(step, number, gate=gate) for number in range(1, step.contenders + 1)]
        runners = sum(isinstance(launch.process, Running) for launch in launches)
        here = gate.wait_for(runners, min(_ASSEMBLY_SECONDS, context.seconds_left))
        gate.open()
        ends = _ends(context, step, launches)
    finally:
        gate.close()
    halt: Halt | None = None
    if here < runners and context.seconds_left > 0:
        # Who comes late does not race: the count would say nothing about being first.
        context.journal.note(FaultEvent(message=f"only {here} of {runners} contenders came to the gate in time"))
        halt = Halt(ReasonCode.runner_fault, step.id)
    winners = 0
    for number, (launch, finished) in enumerate(zip(launches, ends, strict=True), 1):
        context.note_process(step, number, launch, finished)
        if isinstance(finished.end, NotSpawned):
            halt = halt or Halt(ReasonCode.process_not_started, step.id)
        elif isinstance(finished.end, CappedByClock):
            halt = halt or Halt(ReasonCode.wall_cap, step.id)
        else:
            halt = halt or context.unheard(step, launch)
            values = {**context.values, "i": str(number)}
            winners += all(said.met for said in judge_all(step.winner, finished, values))
    if halt is not None:
        return halt
    context.journal.note(
        RacedEvent(step=step.id, contenders=step.contenders, winners=winners, expected_winners=step.winners)
    )
    met = winners == step.winners
    criterion = f"{step.id}.winners"
    said = Judgement(
        met=met,
        expected=f"{step.winners} of {step.contenders} contenders win",
        observed=f"{winners} of {step.contenders} won",
    )
    context.judged(step.id, criterion, Verdict.met if met else Verdict.not_met, said)
    return None if met else failure(step, criterion)


def _ends(context: Context, step: RaceStep, launches: list[Launch]) -> list[Finished]:
    """How each contender ended; all share one wall cap from the moment the gate opened."""
    until = context.bench.now_ns() + int(context.seconds_for(step) * NANOSECONDS)
    ends = []
    for launch in launches:
        if isinstance(launch.process, NotSpawned):
            ends.append(Finished(launch.process))
        else:
            left = (until - context.bench.now_ns()) / NANOSECONDS
            ends.append(launch.process.wait(left) or launch.process.kill(capped=True))
    return ends
