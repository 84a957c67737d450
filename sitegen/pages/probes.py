"""What an independent probe said in one attempt: its binary, and each command on the start and on the candidate."""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.contract.attempt import Verdict
from runner.contract.comparison.happenings import ProbedEvent, ProbedTree, probe_step
from runner.contract.comparison.tasks import PROBE_COMMANDS, ProbeProfile
from runner.contract.events import Event, Exited, ProcessEvent
from sitegen.catalog import Catalog
from sitegen.pages import marks
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import ending, streams
from sitegen.pages.marks import Mark
from sitegen.pages.told import Digest, Stream
from sitegen.pages.wording import command

_TREES: tuple[ProbedTree, ...] = ("start", "candidate")


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one command on one of the two trees."""

    mark: Mark
    ended: str
    streams: tuple[Stream, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One command of the probe."""

    name: str
    argv: str
    answers: tuple[Answer | None, ...]
    """On the start and on the candidate; None where it was not asked."""


@dataclass(frozen=True, slots=True)
class ProbeView:
    """The probe of one attempt."""

    tool: str
    binary: Mark | None
    """Whether it was the same before and after; None where none was asked."""
    said: str
    digests: tuple[Digest, ...]
    questions: tuple[Question, ...]
    limits: str
    """What the projection does not show."""


def probe_view(edition: Edition, profile: ProbeProfile, events: Sequence[Event]) -> ProbeView:
    """What the events of an attempt say about the probe of its task."""
    catalog = edition.catalog
    asked = next((event for event in events if isinstance(event, ProbedEvent)), None)
    processes = {event.step: event for event in events if isinstance(event, ProcessEvent)}
    same = asked is not None and asked.before_sha256 == asked.after_sha256
    return ProbeView(
        tool=profile.tool,
        binary=marks.verdict(Verdict.met if same else Verdict.not_met, catalog) if asked else None,
        said=catalog.say(f"acted.probe-{'same' if same else 'changed'}" if asked else "fact.probe-absent"),
        digests=(
            (
                Digest(catalog.say("acted.before"), asked.before_sha256),
                Digest(catalog.say("acted.after"), asked.after_sha256),
            )
            if asked
            else ()
        ),
        questions=tuple(
            Question(
                catalog.say(f"probe.{name}"),
                command(profile.command(name)),
                tuple(_answer(processes.get(probe_step(name, tree)), catalog) for tree in _TREES),
            )
            for name in PROBE_COMMANDS
        ),
        limits=edition.words(profile.limits),
    )


def _answer(event: ProcessEvent | None, catalog: Catalog) -> Answer | None:
    """How a command ended; one whose output was cut off has failed, whatever its exit code."""
    if event is None:
        return None
    whole = all(output.kept_bytes == output.total_bytes for output in (event.stdout, event.stderr))
    succeeded = isinstance(event.end, Exited) and event.end.code == 0 and whole
    return Answer(
        marks.verdict(Verdict.met if succeeded else Verdict.not_met, catalog),
        ending(event.end, catalog),
        streams(event.stdout, event.stderr, catalog),
    )
