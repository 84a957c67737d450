"""A finished process as a sealed run tells of it, for judging it again by the rules it was judged by."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.attempt import Verdict
from runner.contract.events import End, JudgedEvent, Output, ProcessEvent
from runner.contract.parity.happenings import MutantJudgedEvent
from runner.contract.qualification.judge import Judgement
from runner.reading.checks.published import fits, has_placeholder


@dataclass(frozen=True, slots=True)
class Stream:
    """One output stream, as far as it was kept."""

    kept: bytes
    complete: bool

    @property
    def text(self) -> str:
        """The kept bytes as text."""
        return self.kept.decode()


UNREAD = Stream(b"", complete=False)
"""Stands for an output where the end alone is judged."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that has ended, and what it wrote."""

    end: End
    stdout: Stream
    stderr: Stream


def is_whole(output: Output) -> bool:
    """Whether every byte that the process wrote was kept."""
    return output.kept_bytes == output.total_bytes


def stream(output: Output) -> Stream:
    """A stream whose kept text is verbatim, as `published.is_verbatim` says."""
    return Stream(output.text.encode(), is_whole(output))


def finished(event: ProcessEvent) -> Finished:
    """A process both streams of which are verbatim so far as they were kept."""
    return Finished(event.end, stream(event.stdout), stream(event.stderr))


def is_met(event: JudgedEvent | MutantJudgedEvent) -> bool:
    """Whether the criterion is said to be met."""
    return event.met if isinstance(event, MutantJudgedEvent) else event.verdict is Verdict.met


def differences(
    event: JudgedEvent | MutantJudgedEvent, said: Judgement, by: str = "what the process wrote"
) -> Iterator[str]:
    """Where an event says otherwise than the same criterion judged again, in words; `by` is what that was judged by."""
    if is_met(event) is not said.met:
        verdict = event.verdict if isinstance(event, JudgedEvent) else Verdict.met if event.met else Verdict.not_met
        yield f"{event.criterion} is judged as {verdict.value}, {by} says otherwise"
    for name, stated, known in (
        ("expected", event.expected, said.expected),
        ("observed", event.observed, said.observed),
    ):
        if not (fits(stated, known) or has_placeholder(known)):
            yield f"{event.criterion} states as {name} {stated!r}, judged again it is {known!r}"
