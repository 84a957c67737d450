"""What a result page puts into its text where the author asks for it: limits, claims, tables, charts.

`offered` says what can be asked for on a page, which the prose checks; `insert_view` makes it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.study import Study
from sitegen.pages import marks, place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.chart_views import ChartView
from sitegen.pages.charts import KINDS, chart
from sitegen.pages.claims import ClaimLine, claim_lines
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.matrix import Heads, Matrix, heads, matrix
from sitegen.pages.page import Link
from sitegen.pages.planned import task_words
from sitegen.pages.report import CountRow, count_rows
from sitegen.pages.wording import Phrase, weave
from sitegen.prose import Amount, Choice, Directive, Insert
from sitegen.prose.directives import Option
from sitegen.sources import RunSource

ROWS = 50
"""How many rows a table of attempts has if its author does not say."""
MOST_ROWS = 500
"""A text holds an excerpt; the page of all attempts has every row."""
REPORTED = {
    "limits": "report.limits",
    "table features": "report.features",
    "table counts": "report.counts",
    **{f"chart {kind}": f"chart.{kind}" for kind in KINDS},
}
"""What the report of a run shows by itself, with its id. Where an author places it, the report leaves it out."""
RUN = "a run, and this page has none"
STUDY = "the study of a result page, and this page has none"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertView:
    """Something between the text. Each kind adds what it shows."""

    template: str
    anchor: str
    """Its id on the page; it holds a dot, as all ids of the page around a text do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsView(InsertView):
    """The part of a report that says what the study does not establish, whatever its outcomes."""

    limits: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsView(InsertView):
    """The claims of the study, how they stand, and what that rests on."""

    claims: tuple[ClaimLine, ...]
    rests: Phrase
    """The counts behind it; empty without a run."""
    evidence: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturesView(InsertView):
    """The table of subjects and features."""

    matrix: Matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsView(InsertView):
    """The table of outcomes by denominator."""

    rows: tuple[CountRow, ...]


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One attempt in a table of a text."""

    attempt: Link
    subject: str
    check: str
    mark: Mark
    reason: str
    criteria: tuple[str, ...]
    """Those that were judged and not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptsView(InsertView):
    """Attempts that fit what the author asked for, in plan order."""

    heads: Heads
    rows: tuple[AttemptLine, ...]
    found: int
    """How many fit; the rows may be fewer."""
    every: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartInsert(InsertView):
    """A chart of the run."""

    chart: ChartView


def offered(study: Study | None, run: RunSource | None) -> Mapping[str, Directive]:
    """What can be asked for on a page about `study` and `run`, by name."""
    no_study = "" if study else STUDY
    no_run = no_study or ("" if run else RUN)
    return {
        "claims": Directive({"": {}}, no_study),
        "limits": Directive({"": {}}, no_study),
        "table": Directive(_tables(run), no_run),
        "chart": Directive({kind: {} for kind in KINDS}, no_run),
    }


def _tables(run: RunSource | None) -> Mapping[str, Mapping[str, Option]]:
    arms = tuple(subject.id for subject in run.sealed.plan.study.design.arms) if run else ()
    rows: dict[str, Option] = {"arm": Choice(arms), "limit": Amount(MOST_ROWS)}
    outcomes = Choice(tuple(outcome.value for outcome in Outcome))
    return {"features": {}, "counts": {}, "findings": rows, "attempts": {**rows, "outcome": outcomes}}


def insert_anchors(asked: Sequence[str]) -> tuple[str, ...]:
    """An id for each insert of a page, named by what it shows. One that the report would show keeps the report's id."""
    known = (REPORTED.get(name, f"insert.{name.rpartition(' ')[2]}") for name in asked)
    times: Counter[str] = Counter()
    found = []
    for anchor in known:
        times[anchor] += 1
        found.append(anchor if times[anchor] == 1 else f"{anchor}.{times[anchor]}")
    return tuple(found)


def insert_view(
    edition: Edition, insert: Insert, *, study: Study, run: RunSource | None, anchor: str
) -> InsertView | None:
    """What a checked directive of the text shows; None if the run has nothing for it.

    Raises KeyError for one that is not offered.
    """
    match insert.directive, run:
        case "limits", _:
            limits = tuple(edition.words(limit.text) for limit in study.limits)
            return LimitsView(template="insert-limits.html", anchor=anchor, limits=limits)
        case "claims", _:
            return _claims(edition, study, run, anchor)
        case "table", RunSource():
            return _table(edition, insert, run, anchor)
        case "chart", RunSource():
            drawn = chart(edition, run, insert.argument)
            return ChartInsert(template="insert-chart.html", anchor=anchor, chart=drawn) if drawn else None
        case _:
            raise KeyError(insert.directive)


def _claims(edition: Edition, study: Study, run: RunSource | None, anchor: str) -> ClaimsView:
    rests: Phrase = ()
    evidence: tuple[Link, ...] = ()
    if run is not None:
        quotes = edition.quotes(run)
        rests = weave(
            edition.catalog,
            "claims.rest-on",
            {name: quotes.at(f"/tally/{name}") for name in ("planned", "accepted", "rejected")},
        )
        evidence = (
            edition.link(edition.say("report.all-attempts"), place.attempts(study.id, run.id)),
            edition.link(edition.say("report.evidence"), place.evidence(study.id, run.id)),
        )
    return ClaimsView(
        template="insert-claims.html",
        anchor=anchor,
        claims=claim_lines(edition, study, run),
        rests=rests,
        evidence=evidence,
    )


def _table(edition: Edition, insert: Insert, run: RunSource, anchor: str) -> InsertView:
    match insert.argument:
        case "features":
            return FeaturesView(template="insert-features.html", anchor=anchor, matrix=matrix(edition, run))
        case "counts":
            return CountsView(template="insert-counts.html", anchor=anchor, rows=count_rows(edition, run))
        case "findings":
            return _attempts(edition, run, {**dict(insert.options), "outcome": Outcome.rejected.value}, anchor)
        case "attempts":
            return _attempts(edition, run, dict(insert.options), anchor)
        case _:
            raise KeyError(insert.argument)


def _attempts(edition: Edition, run: RunSource, asked: Mapping[str, str], anchor: str) -> AttemptsView:
    """Attempts that count, so that the rows are as many as the tallies say. Only those in a row are kept."""
    sealed = run.sealed
    counting = sealed.current
    arm, outcome = asked.get("arm"), asked.get("outcome")
    fitting = (
        attempt
        for attempt in sealed.attempts
        if attempt.attempt in counting and arm in (None, attempt.arm) and outcome in (None, attempt.outcome.value)
    )
    titles = edition.subjects(run)
    shown = [*islice(fitting, int(asked.get("limit", ROWS)))]
    found = len(shown) + sum(1 for _ in fitting)
    return AttemptsView(
        template="insert-attempts.html",
        anchor=anchor,
        heads=heads(edition, run),
        rows=tuple(_line(edition, run, titles[attempt.arm], attempt) for attempt in shown),
        found=found,
        every=edition.link(edition.say("report.all-attempts"), place.attempts(sealed.run.study, run.id)),
    )


def _line(edition: Edition, run: RunSource, subject: str, attempt: Attempt) -> AttemptLine:
    return AttemptLine(
        attempt=edition.link(attempt.attempt, attempt_place(run, attempt.attempt)),
        subject=subject,
        check=task_words(edition, run.sealed.plan, attempt.arm, attempt.task),
        mark=marks.outcome(attempt.outcome, edition.catalog),
        reason=edition.catalog.word(attempt.reason.code) if attempt.reason else "",
        criteria=tuple(item.id for item in attempt.criteria if item.verdict is Verdict.not_met),
    )
