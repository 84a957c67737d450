"""What a site is made of: frozen values, with the checks that their own fields allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from weakref import WeakKeyDictionary

from pydantic import ConfigDict, Field, with_config

from runner.contract.evidence import ComparisonFacts
from runner.contract.reported.recompute import Recomputed
from runner.contract.reported.record import Reported
from runner.contract.seal import digest
from runner.contract.values import CommitId, Instant, Text
from runner.reading.decision import SealedDecision
from runner.reading.manifest import FrozenStudy
from runner.reading.sealed import SealedRun

Gathered = TypeVar("Gathered")
LANGUAGES = ("en", "zh")
STRICT = ConfigDict(strict=True, extra="forbid")
"""How a file becomes one of these values: nothing is converted, nothing unknown is let through."""

WebAddress = Annotated[
    str, Field(pattern=r"^https?://[A-Za-z0-9._~:@!$&()*+,;=%\[\]-]+(?:/[A-Za-z0-9._~:@!$&()*+,;=%?-]+)*$")
]
"""An address without a final slash, in the characters of RFC 3986; any other one is percent-encoded."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class SiteConfig:
    """content/site.toml."""

    title: Text
    description: Text
    base_url: WebAddress | None = None
    """Where the site will be published, without a final slash; None leaves out absolute links."""
    repository: WebAddress | None = None
    """Where the source of the project can be read, such as an https address."""


@dataclass(frozen=True, slots=True)
class Document:
    """One Markdown file in one language."""

    path: str
    """Relative to the project."""
    language: str
    title: str
    summary: str
    front: Mapping[str, Any]
    body: str
    body_line: int
    """The line of the file on which `body` begins, from 1."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """One version of a protocol, in every language."""

    id: str
    version: str
    date: str
    status: str
    """`draft`, `active` or `superseded`."""
    documents: Mapping[str, Document]


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a dated result later. Its page stays as it was written."""

    status: str
    """`withdrawn` or `superseded`."""
    date: str
    reasons: Mapping[str, str]
    """By language."""
    successor: str | None
    """The name of the result to read instead; a withdrawn one may have none."""


@dataclass(frozen=True, slots=True)
class ResultSource:
    """One dated result page, in every language."""

    slug: str
    """The name of the page without its date."""
    date: str
    study: str
    run: str | None
    """The run that its figures are bound to; None where the status is `not run`, or `held` before any run."""
    status: str
    """`qualification`, `fixture demonstration`, `not run` or `held`: what it said on its date, whatever came later."""
    documents: Mapping[str, Document]
    change: Change | None = None
    """None as long as the result stands."""

    @property
    def name(self) -> str:
        """`DATE-SLUG`: unique, and the stem of its page."""
        return f"{self.date}-{self.slug}"


PAGED_FROM = 2_000
"""From so many attempts in a run on, a page shows many of them: a folder of 200,000 small files helps nobody."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RunSource:
    """One sealed run, verified. Equal to itself alone, so that what is gathered from it can be remembered by it."""

    sealed: SealedRun
    published: bool
    """Whether it lies under its study, or still in the private folder of runs."""
    paged_from: int = PAGED_FROM
    """From so many attempts on, they share pages."""

    @property
    def id(self) -> str:
        """The run's name."""
        return self.sealed.run.run

    @property
    def fixture(self) -> bool | None:
        """Whether a script stood in for what is studied, as the run says; None for a kind whose runs say nothing."""
        facts = self.sealed.run.facts
        return facts.fixture if isinstance(facts, ComparisonFacts) else None


def once_a_run(gather: Callable[[RunSource], Gathered]) -> Callable[[RunSource], Gathered]:
    """`gather`, which reads all lines of a run, done once for all pages and languages.

    What it gives is kept as long as the run, so it must be small beside the names that a run holds of its attempts, and
    must not hold the run.
    """
    kept: WeakKeyDictionary[RunSource, Gathered] = WeakKeyDictionary()

    @wraps(gather)
    def gathered(run: RunSource) -> Gathered:
        if run not in kept:
            kept[run] = gather(run)
        return kept[run]

    return gathered


@dataclass(frozen=True, slots=True)
class StudySource:
    """One study and its sealed runs, newest first."""

    frozen: FrozenStudy
    runs: tuple[RunSource, ...]
    decisions: tuple[SealedDecision, ...] = ()
    """On holds of its published runs, the earliest first."""

    @property
    def id(self) -> str:
        """The study's name."""
        return self.frozen.study.id


@dataclass(frozen=True, slots=True)
class ReportedSource:
    """What somebody else published, and what follows from its own figures."""

    record: Reported
    found: Recomputed

    @property
    def id(self) -> str:
        """The name of its file and of its page."""
        return self.record.id

    @property
    def data(self) -> bytes:
        """The record as RFC 8785 JSON, which the site publishes."""
        return self.record.canonical()

    @property
    def sha256(self) -> str:
        """Of `data`."""
        return digest(self.data)


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class RuleProof:
    """One test function and how its cases ended."""

    test: str
    outcome: str
    cases: Mapping[str, int]


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class RuleStanding:
    """One rule or field report with the tests that prove it."""

    id: Annotated[str, Field(pattern=r"^[A-Z][0-9]+$")]
    """It is the anchor of its row too."""
    text: str
    status: str
    """`proved`, `failed`, `skipped`, `not run` or `no test`."""
    tests: tuple[RuleProof, ...]


@with_config(STRICT)
@dataclass(frozen=True, slots=True)
class RulesRecord:
    """docs/rules-record.json: what the tests that prove rules came to, at one commit."""

    format: Literal[1]
    commit: CommitId
    dirty: bool
    """Whether the checkout differed from the commit."""
    recorded_at: Instant
    rules: tuple[RuleStanding, ...]
    reports: tuple[RuleStanding, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that pages are made from."""

    root: Path
    config: SiteConfig
    protocols: tuple[Protocol, ...]
    """By id, then newest version first."""
    results: tuple[ResultSource, ...]
    """Newest first."""
    studies: tuple[StudySource, ...]
    """By id."""
    rules: RulesRecord | None
    """None while nothing was recorded: the page says *not run*."""
    reported: tuple[ReportedSource, ...] = ()
    """By id."""

    def study(self, study: str) -> StudySource | None:
        """The study of this name."""
        return next((source for source in self.studies if source.id == study), None)

    def run(self, study: str, run: str) -> RunSource | None:
        """The sealed run of this name."""
        source = self.study(study)
        return next((found for found in source.runs if found.id == run), None) if source else None

    def result(self, name: str) -> ResultSource | None:
        """The dated result of this name."""
        return next((result for result in self.results if result.name == name), None)

    def protocol(self, protocol: str, version: str) -> Protocol | None:
        """The protocol of this name and version."""
        named = (item for item in self.protocols if (item.id, item.version) == (protocol, version))
        return next(named, None)
