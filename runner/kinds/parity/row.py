"""One row as it is measured: base and head in turn on the stage, the same prepared state before each sample."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from runner.contract.parity.design import Daemon
from runner.contract.parity.happenings import SampledEvent
from runner.contract.parity.measurement import step_of
from runner.contract.parity.samples import Failed, Taken, taken
from runner.contract.parity.tasks import AskStep, CallStep
from runner.contract.parity.timing import AnyTiming, Measure, TimingProtocol
from runner.contract.parity.variant import AnyVariant
from runner.kinds.parity.daemon import running, stop
from runner.kinds.parity.exchange import Exchange
from runner.kinds.parity.stage import Stage
from runner.sandbox.abandoned import Leftover

LATE = Failed(why="not begun: the wall clock of the measurement had run out")
NO_DAEMON = Failed(why="no daemon of this attempt was running")


@dataclass(slots=True, kw_only=True)
class Row:
    """What all samples of a row need. Nothing is tried again, and no sample is left out."""

    stage: Stage
    protocol: AnyTiming
    """How many samples this run takes."""
    exchange: Exchange
    backend: str
    base: AnyVariant
    head: AnyVariant
    command: CallStep
    leftovers: list[Leftover] = field(default_factory=list)
    """What outlived a sample, and was ended before the next one."""

    @property
    def variants(self) -> tuple[AnyVariant, AnyVariant]:
        """Base and head."""
        return self.base, self.head

    def begin(self, variant: AnyVariant) -> bool:
        """Lay out a variant with what is prepared for it; False if the wall clock has run out."""
        if self.stage.seconds_left <= 0:
            return False
        self.exchange.lay_out(variant)
        return True

    def end(self) -> None:
        """Leave no process to the next sample."""
        self.leftovers += self.stage.custody.empty()

    def tell(self, measure: Measure, variant: AnyVariant, samples: Sequence[Taken | Failed]) -> None:
        """Record how many samples were taken, out of how many."""
        count = len(taken(samples))
        self.stage.journal.note(
            SampledEvent(measure=measure, variant=variant.id, planned=self.protocol.count(measure), taken=count)
        )


@dataclass(slots=True, kw_only=True)
class DaemonRow:
    """A row whose daemon is measured beside the command."""

    row: Row
    timing: TimingProtocol
    daemon: Daemon
    ask: AskStep
    """States what a freshly started daemon answers, and it must answer the same to every later request."""

    def process(self) -> int | None:
        """The process of the daemon that runs now, or None."""
        return running(self.row.stage, self.daemon)

    def end(self, variant: AnyVariant) -> None:
        """Stop the daemon by its own command, and leave no process to the next sample.

        A daemon that does not stop is ended as everything else that should not be there, and the measurement goes on.
        """
        stop(self.row.stage, self.daemon, step_of(variant.id, "stop"), self.row.backend, record_if_met=False)
        self.row.end()
