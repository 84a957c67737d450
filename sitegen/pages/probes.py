"""What an independent probe said in one attempt: its binary, and each command on the start and on the candidate."""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.contract.attempt import Verdict
from runner.contract.comparison.detail import ProbeFound
from runner.contract.comparison.happenings import ProbedEvent, ProbedTree, probe_step
from runner.contract.comparison.tasks import PROBE_COMMANDS, ProbeProfile
from runner.contract.events import Event, Exited, ProcessEvent
from runner.contract.evidence import ComparisonFacts
from sitegen.catalog import Catalog
from sitegen.pages import marks
from sitegen.pages.acted import before_and_after
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import ending, streams
from sitegen.pages.marks import Mark
from sitegen.pages.told import Digest, Stream
from sitegen.pages.wording import command
from sitegen.sources import RunSource

_SAME = "acted.probe-same"
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


def probe_view(edition: Edition, run: RunSource, profile: ProbeProfile, events: Sequence[Event]) -> ProbeView:
    """What the events of an attempt say about the probe of its task."""
    catalog = edition.catalog
    asked = next((event for event in events if isinstance(event, ProbedEvent)), None)
    processes = {event.step: event for event in events if isinstance(event, ProcessEvent)}
    known = _known(run, profile.tool)
    steps = {probe_step(name, tree) for name in PROBE_COMMANDS for tree in _TREES}
    said = _said(asked, known, begun=not steps.isdisjoint(processes))
    return ProbeView(
        tool=profile.tool,
        binary=marks.verdict(Verdict.met if said == _SAME else Verdict.not_met, catalog) if asked else None,
        said=catalog.say(said),
        digests=before_and_after(asked, catalog) if asked else (),
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


def _known(run: RunSource, tool: str) -> str:
    """The digest of the binary that the run began with; empty if it was given none."""
    facts = run.sealed.run.facts
    probes = facts.probes if isinstance(facts, ComparisonFacts) else ()
    return next((it.file.sha256 for it in probes if isinstance(it, ProbeFound) and it.tool == tool), "")


def _said(asked: ProbedEvent | None, known: str, *, begun: bool) -> str:
    """The key of what is said of the binary."""
    if asked is None:
        return "fact.probe-absent" if not known else "acted.probe-unread" if begun else "probe.not-asked"
    if asked.before_sha256 != asked.after_sha256:
        return "acted.probe-changed"
    return _SAME if asked.before_sha256 == known else "acted.probe-other"


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
