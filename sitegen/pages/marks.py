"""How every state looks: a glyph, a word, and only then a tone. The one place that decides it."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.analysis.comparison import Completeness
from runner.contract.analysis.parity import Performance, Sameness, Sensitivity
from runner.contract.analysis.qualification import Disposition, FeatureState
from runner.contract.attempt import Outcome, Verdict
from runner.contract.decision import Ruling
from runner.contract.license import LicenseState
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.gate import Held, Passed, Unjudged
from runner.contract.plan import ExclusionReason
from runner.contract.tally import Tally
from sitegen.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Mark:
    """One state as a reader sees it. `tone` is the class that colours it, `fill` the one that hatches it in a chart."""

    glyph: str
    word: str
    tone: str
    name: str
    fill: str = "solid"


def outcome(value: Outcome, catalog: Catalog) -> Mark:
    """How an attempt ended."""
    match value:
        case Outcome.accepted:
            glyph, tone, fill = "✓", "accepted", "solid"
        case Outcome.rejected:
            glyph, tone, fill = "✕", "rejected", "line"
        case Outcome.failed_to_run:
            glyph, tone, fill = "⚠", "broken", "stripes"
        case Outcome.timed_out:
            glyph, tone, fill = "◷", "broken", "bars"
        case Outcome.refused:
            glyph, tone, fill = "⊘", "set-aside", "dots"
        case Outcome.interrupted:
            glyph, tone, fill = "↛", "broken", "dashes"
        case Outcome.not_started:
            glyph, tone, fill = "○", "set-aside", "open"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value, fill)


def verdict(value: Verdict, catalog: Catalog) -> Mark:
    """What became of a criterion."""
    match value:
        case Verdict.met:
            glyph, tone = "✓", "accepted"
        case Verdict.not_met:
            glyph, tone = "✕", "rejected"
        case Verdict.not_reached:
            glyph, tone = "○", "unknown"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def feature(value: FeatureState, catalog: Catalog) -> Mark:
    """What a run shows of one feature of one subject."""
    match value:
        case FeatureState.accepted:
            glyph, tone = "✓", "accepted"
        case FeatureState.finding:
            glyph, tone = "✕", "rejected"
        case FeatureState.unproven:
            glyph, tone = "?", "unknown"
        case FeatureState.not_offered | FeatureState.access_gated | FeatureState.left_out:
            glyph, tone = "⊘", "set-aside"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def disposition(value: Disposition | Completeness | GateDisposition, catalog: Catalog) -> Mark:
    """What a whole run amounts to."""
    match value:
        case Disposition.qualified | Completeness.complete:
            glyph, tone = "✓", "accepted"
        case Disposition.findings:
            glyph, tone = "✕", "rejected"
        case Disposition.not_yet_proven | Completeness.partial:
            glyph, tone = "?", "unknown"
        case GateDisposition():
            return gate_disposition(value, catalog)
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def gate_disposition(value: GateDisposition, catalog: Catalog) -> Mark:
    """What the gated rows of one version, or of all, amount to."""
    match value:
        case GateDisposition.passed:
            glyph, tone = "✓", "accepted"
        case GateDisposition.owner_review_hold:
            glyph, tone = "‖", "hold"
        case GateDisposition.not_yet_proven:
            glyph, tone = "?", "unknown"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def of_parity(value: Sameness | Sensitivity | Performance, catalog: Catalog) -> Mark:
    """What a parity run shows of outputs and state, of the mutant, or of the gates."""
    match value:
        case Sameness.same | Sensitivity.rejected | Performance.passed:
            glyph, tone = "✓", "accepted"
        case Sameness.findings | Sensitivity.survived:
            glyph, tone = "✕", "rejected"
        case Performance.owner_review_hold:
            glyph, tone = "‖", "hold"
        case Sameness.not_yet_proven | Sensitivity.not_yet_proven | Performance.not_yet_proven:
            glyph, tone = "?", "unknown"
        case Performance.not_measured:
            glyph, tone = "○", "set-aside"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def ruling(value: Ruling, catalog: Catalog) -> Mark:
    """What the owner decided on a hold. It looks like no verdict, since it changes none."""
    match value:
        case Ruling.accepted_as_it_is:
            glyph, tone = "◆", "plain"
        case Ruling.not_taken:
            glyph, tone = "⊖", "set-aside"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def judgement(value: Passed | Held | Unjudged, catalog: Catalog) -> Mark:
    """The verdict of a gate on one row."""
    match value:
        case Passed():
            glyph, tone = "✓", "accepted"
        case Held():
            glyph, tone = "‖", "hold"
        case Unjudged():
            glyph, tone = "?", "unknown"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.say(f"judgement.{value.verdict}"), tone, value.verdict)


def cell(counts: Tally, catalog: Catalog) -> Mark:
    """What a run shows of one lane at one task: as a feature of a subject, by what became of its attempts."""
    if not counts.planned:
        return (
            feature(FeatureState.left_out, catalog)
            if not counts.excluded
            else exclusion(ExclusionReason.external_unrun, catalog)
        )
    if counts.rejected:
        return feature(FeatureState.finding, catalog)
    return feature(FeatureState.accepted if counts.accepted == counts.planned else FeatureState.unproven, catalog)


def license_state(value: LicenseState, catalog: Catalog) -> Mark:
    """The computed verdict of a row of the license matrix."""
    match value:
        case LicenseState.cleared:
            glyph, tone = "✓", "accepted"
        case LicenseState.text_found:
            glyph, tone = "◐", "unknown"
        case LicenseState.conflict:
            glyph, tone = "⚠", "broken"
        case LicenseState.declared_only:
            glyph, tone = "◔", "unknown"
        case LicenseState.text_only:
            glyph, tone = "◑", "unknown"
        case LicenseState.unknown:
            glyph, tone = "?", "unknown"
        case _:
            assert_never(value)
    return Mark(glyph, catalog.word(value), tone, value)


def exclusion(value: ExclusionReason, catalog: Catalog) -> Mark:
    """Why a task of the plan is not attempted."""
    match value:
        case (
            ExclusionReason.access_gated
            | ExclusionReason.not_offered
            | ExclusionReason.left_out_of_quick_run
            | ExclusionReason.external_unrun
            | ExclusionReason.left_out_of_correctness_run
        ):
            return Mark("⊘", catalog.word(value), "set-aside", value)
        case _:
            assert_never(value)


_NAMED = {
    "result": {
        "qualification": ("◆", "plain"),
        "fixture demonstration": ("◇", "plain"),
        "not run": ("○", "set-aside"),
        "held": ("‖", "hold"),
        "withdrawn": ("⊖", "set-aside"),
        "superseded": ("◈", "set-aside"),
    },
    "status": {
        "implemented": ("◆", "plain"),
        "fixture demonstration": ("◇", "plain"),
        "not run": ("○", "set-aside"),
        "held": ("‖", "hold"),
    },
    "protocol": {"draft": ("◇", "set-aside"), "active": ("◆", "plain"), "superseded": ("◈", "set-aside")},
    "translation": {"complete": ("✓", "plain"), "stale": ("◔", "hold")},
    "revision": {"added": ("+", "added"), "removed": ("−", "removed"), "changed": ("±", "plain")},
    "rule": {
        "proved": ("✓", "accepted"),
        "passed": ("✓", "accepted"),
        "failed": ("✕", "rejected"),
        "skipped": ("○", "set-aside"),
        "not run": ("?", "unknown"),
        "no test": ("∅", "undefined"),
    },
    "claim": {
        "supported": ("✓", "accepted"),
        "not supported": ("?", "unknown"),
        "no run": ("○", "set-aside"),
        "not yet": ("○", "set-aside"),
    },
    "cell": {"not selected": ("○", "set-aside"), "not planned": ("○", "set-aside"), "not judged": ("○", "unknown")},
    "contention": {"quiet": ("✓", "plain"), "contended": ("⚠", "broken"), "unknown": ("?", "unknown")},
    "order": {"none-seen": ("✓", "plain"), "seen": ("⚠", "hold"), "unknown": ("?", "unknown")},
    "publication": {"published": ("■", "plain"), "unpublished": ("□", "hold")},
    "reported": {"not reproduced": ("❝", "set-aside")},
    "source": {"clean": ("✓", "plain"), "modified": ("⚠", "broken"), "unknown": ("?", "unknown")},
}
"""States that are plain words in their sources."""


def named(family: str, value: str, catalog: Catalog) -> Mark:
    """A state of content or of the rules record. Raises KeyError for one that nobody defined."""
    glyph, tone = _NAMED[family][value]
    name = value.replace(" ", "-")
    return Mark(glyph, catalog.say(f"{family}.{name}"), tone, name)
