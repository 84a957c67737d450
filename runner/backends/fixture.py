"""Replays a checked-in transcript: no model, no chance, no clock, no network, no credentials.

Whatever comes of it says that a script made it. Its times and counters are constants of the script.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.backends.backend import Acting, Backend, Brief, Commission
from runner.contract.comparison.actions import Agent, Transcript
from runner.contract.comparison.detail import Ineligibility
from runner.contract.comparison.metrics import Stream
from runner.contract.comparison.tasks import FIXTURE_BACKEND
from runner.contract.values import NoModelUsage, Usage
from runner.errors import UsageError


@dataclass(frozen=True, slots=True)
class FixtureBackend(Backend):
    """One transcript, replayed action by action, whatever becomes of each."""

    transcript: Transcript

    @property
    def name(self) -> str:
        """How records call it."""
        return FIXTURE_BACKEND

    @property
    def fixture(self) -> bool:
        """A script, and no model."""
        return True

    @property
    def agent(self) -> Agent:
        """What the transcript states, which names no real model."""
        return self.transcript.agent

    @property
    def streams(self) -> Sequence[Stream]:
        """What the transcript states."""
        return self.transcript.streams

    @property
    def usage(self) -> Usage:
        """No model takes part."""
        return NoModelUsage()

    @property
    def claimed_outcome(self) -> str | None:
        """What the transcript claims."""
        return self.transcript.claimed_outcome

    @property
    def ineligible(self) -> Sequence[Ineligibility]:
        """None: a fixture says of itself what it is."""
        return ()

    def act(self, brief: Brief) -> Acting:
        """Every action of the transcript, in order."""
        del brief  # a script reads nothing
        for action in self.transcript.actions:  # noqa: UP028 -- `yield from` would hand what is sent to the list
            yield action


def make(commission: Commission) -> FixtureBackend:
    """The backend that replays what is pinned. Raises `UsageError` if nothing is."""
    if commission.configuration is not None:
        raise UsageError("a fixture takes no configuration", "leave --config out")
    if commission.transcript is None:
        what = f"no transcript for {commission.task} in {commission.lane}"
        raise UsageError(what, "pin one, or give another --backend")
    return FixtureBackend(commission.transcript)
