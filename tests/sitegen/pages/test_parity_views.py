"""What a parity run shows where something is missing, contended or held: unknown is never 0, and a hold stays a hold.

The analyses are made by hand and put in the place of that of a sealed run.
"""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from runner.contract.analysis.parity import ParityAnalysis, Performance
from runner.contract.analysis.parity_count import unmeasured
from runner.contract.attempt import Outcome
from runner.contract.canonical import parse_record
from runner.contract.parity.difference import (
    BytesDiffer,
    ContainerDiffers,
    Leaf,
    OnOneSide,
    SpellingDiffers,
    ValuesDiffer,
    WholeDiffers,
)
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.false_hold import FalseHoldRate
from runner.contract.parity.gate import Held, HoldReason, Pairs
from runner.contract.parity.host import Contended, ContentionReason, Quiet, UnknownContention
from runner.contract.parity.order_effect import InOneOrder, OrderEffect
from runner.contract.parity.quantile import Quantile, UnknownQuantile
from runner.contract.parity.samples import SAMPLES_FILE, Samples
from runner.contract.plan import as_parity
from runner.contract.values import Ratio
from sitegen.catalog import read_catalogs
from sitegen.pages.edition import Edition, edition
from sitegen.pages.parity import differences
from sitegen.pages.parity.differences import differences_view
from sitegen.pages.parity.gate_pairs import gate_pairs
from sitegen.pages.parity.holds import study_holds
from sitegen.pages.parity.measured import measured_rows
from sitegen.pages.parity.plots import plots
from sitegen.pages.parity.result import parity_result
from sitegen.pages.parity.timings import gate_views
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource, load
from tests.plugins.sites import PROJECT
from tests.sitegen.charts.drawn import as_markup
from tests.sitegen.pages.parity_sample import LATER, STUDY, steady_samples
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
ROW = "files-bad-word"


@pytest.fixture(scope="module")
def site(parity_site):
    return load(parity_site.parent / PROJECT)


@pytest.fixture
def english(site) -> Edition:
    return edition(site, "en", CATALOGS["en"])


def analysis(run: RunSource) -> ParityAnalysis:
    found = run.sealed.run.analysis
    assert isinstance(found, ParityAnalysis)
    return found


def made(run: RunSource, **changes) -> RunSource:
    """The run with another analysis."""
    record = run.sealed.run.model_copy(update={"analysis": analysis(run).model_copy(update=changes)})
    return RunSource(replace(run.sealed, run=record), run.published)


def measured(run: RunSource, **changes) -> RunSource:
    """The run with another measurement of its only row."""
    (found,) = analysis(run).measurements
    return made(run, measurements=(found.model_copy(update=changes),))


def first_gate(run: RunSource, **changes) -> RunSource:
    """The run with another result of its first gate."""
    (found,) = analysis(run).measurements
    return measured(run, gates=(found.gates[0].model_copy(update=changes), *found.gates[1:]))


def texts(value) -> list[str]:
    """Every word of a phrase."""
    return [item.text if isinstance(item, Bound) else str(item) for item in value]


@pytest.mark.rule("P112")
def test_what_was_not_measured_is_unknown_everywhere_and_never_0(site, english):
    run = site.run(STUDY, RUN)
    design, _ = as_parity(run.sealed.plan)
    nothing = unmeasured(design.timing, ROW, Outcome.failed_to_run)
    for gate in gate_views(english, made(run, measurements=(nothing,))):
        for time in (gate.base, gate.head, *gate.context):
            assert (time.bound.text, time.why) == ("unknown", "it was not measured")
        assert gate.difference is None
        assert gate.change == "unknown"
        assert gate.verdict.mark.word == "not judged"
        assert texts(gate.false_holds) == ["unknown"]
        assert (gate.complete.text, gate.complete.zero) == ("0", True), "of samples none is a count, and known"


@pytest.mark.report("A9")
def test_a_gate_with_an_incomplete_pair_holds_and_shows_no_figure_of_the_others(site, english):
    reason = "3 of 4 samples are complete"
    missing = UnknownQuantile(reason=reason)
    run = first_gate(
        site.run(STUDY, LATER),
        base=missing,
        head=missing,
        difference_ns=None,
        samples=Pairs(planned=4, complete=3),
        judgement=Held(reason=HoldReason.incomplete_pairs),
    )
    gate, _ = gate_views(english, run)

    assert gate.verdict.mark.word == "hold"
    assert gate.verdict.reason == "incomplete pairs, so that nothing is computed on the rest"
    assert (gate.complete.text, gate.planned.text) == ("3", "4")
    assert [gate.base.why, gate.head.why] == [reason, reason]
    assert gate.base.bound.pointer == "/analysis/measurements/0/gates/0/base/reason"


@pytest.mark.report("A12")
def test_a_base_of_0_has_a_difference_and_no_percentage(site, english):
    zero, one = (Quantile(value_ns=ns, rank=4, samples=4) for ns in (0, 1_000_000))
    gate, _ = gate_views(english, first_gate(site.run(STUDY, LATER), base=zero, head=one, difference_ns=1_000_000))

    assert gate.base.bound.text == "0.000000"
    assert gate.change == "undefined (baseline 0)"
    assert gate.difference is not None
    assert gate.difference.text == "+1.000000"


def test_the_rate_of_false_holds_stands_as_a_count_of_resamplings_and_in_percent(site, english):
    rate = FalseHoldRate(held=Ratio(numerator=240, denominator=1000), samples=64, seed="x")
    gate, _ = gate_views(english, first_gate(site.run(STUDY, LATER), false_holds=rate))

    assert "".join(texts(gate.false_holds)) == "240 of 1,000 (24.0\u00a0%)"


@pytest.mark.parametrize(
    ("contention", "words", "reasons"),
    [
        (Quiet(), "none seen", ()),
        (
            Contended(reasons=(ContentionReason.stolen,)),
            "contended",
            ("other guests of the machine took more than 5 % of one CPU",),
        ),
        (UnknownContention(reasons=("the load is not told",)), "not known", ("the load is not told",)),
    ],
)
def test_contention_is_said_with_its_reasons_and_only_a_quiet_host_is_admissible(
    site, english, contention, words, reasons
):
    quiet = isinstance(contention, Quiet)
    run = measured(site.run(STUDY, LATER), contention=contention, admissible=quiet)
    (row,) = measured_rows(english, run)

    assert (row.contention.word, row.reasons, row.admissible) == (words, reasons, quiet)
    result = parity_result(english, run)
    assert result is not None
    assert result.inadmissible == (not quiet)
    assert [gate.admissible for gate in result.gates] == [quiet, quiet]


def test_an_effect_of_the_order_is_told_with_both_medians_and_the_chance_of_it(site, english):
    effect = OrderEffect(
        verdict="seen",
        base_first=InOneOrder(pairs=32, median_difference_ns=-1_500_000),
        head_first=InOneOrder(pairs=32, median_difference_ns=2_000_000),
        p_millionths=1_200,
        level=Ratio(numerator=1, denominator=100),
    )
    (row,) = measured_rows(english, measured(site.run(STUDY, LATER), order=effect))
    told = "".join(texts(row.order))

    assert row.order_mark.word == "seen"
    assert "−1.500000\u00a0ms where base ran first (32 pairs) and +2.000000\u00a0ms where head did (32 pairs)" in told
    assert "p = 0.001200, level 1/100" in told
    assert {item.pointer for item in row.order if isinstance(item, Bound)} > {
        "/analysis/measurements/0/order/base_first/median_difference_ns"
    }


def test_a_run_for_correctness_alone_says_that_nothing_was_measured(site, english):
    run = made(
        site.run(STUDY, LATER),
        measurements=(),
        performance=Performance.not_measured,
        disposition=GateDisposition.not_yet_proven,
    )
    result = parity_result(english, run)

    assert result is not None
    assert (result.gates, result.measured) == ((), ())
    assert [part.mark.word for part in (result.whole, *result.parts)][-1] == "not measured"


def test_holds_stand_in_order_of_time_whatever_the_order_of_the_runs_and_each_names_its_run(site, english):
    source = site.study(STUDY)
    held = made(site.run(STUDY, LATER), disposition=GateDisposition.owner_review_hold)
    both = replace(source, runs=(held, site.run(STUDY, RUN)))
    turned = replace(source, runs=tuple(reversed(both.runs)))

    found = study_holds(english, both, held)
    assert [hold.run.words for hold in found] == [RUN, LATER]
    assert [hold.own for hold in found] == [False, True]
    assert [hold.run for hold in study_holds(english, turned)] == [hold.run for hold in found]
    assert (len(found[0].gates), len(found[0].findings)) == (2, 1)


def test_a_gate_that_only_one_of_two_runs_measured_is_another_verdict_and_stays(site, english):
    older, newer = site.run(STUDY, RUN), made(site.run(STUDY, LATER), measurements=())
    pairs = gate_pairs(english, older, newer)

    assert [(pair.changed, pair.newer) for pair in pairs] == [(True, None), (True, None)]
    assert all(pair.older is not None for pair in pairs)
    assert [pair.changed for pair in gate_pairs(english, older, older)] == [False, False]


def leaf(rule: str | None, text: str = "1") -> Leaf:
    return Leaf(pointer="/a", left=text, right=None, rule=rule)


def test_findings_stand_before_what_is_explained_and_long_lists_say_what_is_left_out(site, english, monkeypatch):
    design, _ = as_parity(site.run(STUDY, RUN).sealed.plan)
    found = (
        BytesDiffer(path="a"),
        ContainerDiffers(path="b"),
        OnOneSide(path="c", side="left"),
        SpellingDiffers(path="d"),
        ValuesDiffer(path="e", leaves=(leaf("version"), leaf(None, "x" * 301))),
        ValuesDiffer(path="f", leaves=(leaf("version"),)),
        WholeDiffers(path="g", rule="socket"),
    )
    view = differences_view(english, design, found)

    assert [item.path for item in view.findings] == ["a", "c", "e"]
    assert [(item.path, item.rule) for item in view.explained] == [
        ("b", ""),
        ("d", ""),
        ("f", ""),
        ("g", "Place of the socket"),
    ]
    first, second = view.findings[2].places
    assert (first.rule, first.right, len(first.left)) == ("", "nothing", differences.LONGEST + 2)
    assert second.rule == "Version"
    monkeypatch.setattr(differences, "SHOWN", 1)
    short = differences_view(english, design, found)
    assert (len(short.findings), len(short.explained), short.further) == (1, 1, 5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_plots_of_a_row_have_their_numbers_beside_them_and_keep_a_failed_sample_in_the_denominator(site, language):
    run = site.run(STUDY, LATER)
    path = f"artifacts/measurement.{ROW}.1/{SAMPLES_FILE}"
    samples = parse_record(TypeAdapter(Samples), run.sealed.data(path), file=path)
    broken = steady_samples(samples, slow=False, broken=True)
    found = dict(plots(edition(site, language, CATALOGS[language]), run, ROW, broken))

    assert list(found) == [f"chart.paired.{ROW}", f"chart.ecdf.{ROW}.command", f"chart.ecdf.{ROW}.warm"]
    paired, command, _ = found.values()
    assert len(paired.notes) == len(command.notes) == 1
    assert [row[-1] for row in paired.table.rows][-1] == CATALOGS[language].say("value.unknown")
    assert [row[1:3] for row in command.table.rows] == [("4", "0"), ("3", "1")]
    for view in found.values():
        markup = as_markup(view, CATALOGS[language])
        assert "<title>" in markup
        assert "<desc>" in markup
        assert "style=" not in markup
