"""The pages of a parity study: its parts said apart, every number bound to what it came from, and holds that stay."""

import json
import re
from dataclasses import replace
from decimal import Decimal
from posixpath import dirname, join, normpath

import pytest

from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.parity.inventory import Inventory
from runner.contract.parity.quantile import Quantile
from runner.contract.plan import Selection
from sitegen.catalog import read_catalogs
from sitegen.pages.quotes import quotes
from sitegen.pages.report import commands
from sitegen.sources import LANGUAGES, RunSource, load
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import LATER, PAGES, STUDY
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()


@pytest.fixture(scope="module")
def project(parity_site):
    return load(parity_site.parent / PROJECT)


@pytest.fixture(scope="module")
def held(project) -> RunSource:
    """The earlier run."""
    return project.run(STUDY, RUN)


@pytest.fixture(scope="module")
def pages(parity_site) -> dict[str, str]:
    """Every page of the site by its place."""
    found = (path for path in parity_site.rglob("*.html") if path.relative_to(parity_site).parts[0] != "evidence")
    return {path.relative_to(parity_site).as_posix(): path.read_text(encoding="utf-8") for path in found}


def analysis(run: RunSource) -> ParityAnalysis:
    found = run.sealed.run.analysis
    assert isinstance(found, ParityAnalysis)
    return found


def text(markup: str) -> str:
    """What a reader reads."""
    return " ".join(re.sub("<[^>]+>", " ", markup).replace("\u00a0", " ").split())


def part(page: str, anchor: str) -> str:
    """The part of a page from a heading to the next one of the same kind."""
    return page.split(f'id="{anchor}"')[1].split("<h2", maxsplit=1)[0]


def bounds(markup: str) -> list[tuple[str, str]]:
    """Every bound number with the place it names."""
    return re.findall(r'<a class="bound"[^>]*title="([^"]+)">([^<]+)</a>', markup)


@pytest.mark.rule("P120")
@pytest.mark.parametrize("language", LANGUAGES)
def test_correctness_mutation_and_performance_are_said_apart_each_with_glyph_word_and_seal(pages, language):
    words = CATALOGS[language].say
    page = pages[f"{language}/{PAGES['parity-run']}"]
    banner = page.split('<ul class="parts"')[1].split("</ul>")[0]
    parts = re.findall(r"<li class=\"tone-[^>]+>(.*?)</li>", banner, re.DOTALL)
    states = {
        "disposition": "gate_disposition.owner-review-hold",
        "correctness": "sameness.findings",
        "mutation": "sensitivity.mutant-rejected",
        "performance": "performance.owner-review-hold",
    }

    assert len(parts) == len(states)
    for shown, (name, state) in zip(parts, states.items(), strict=True):
        assert f'<span class="name">{words(f"part.{name}")}</span>' in shown
        assert f'<span class="word">{words(state)}</span>' in shown
        assert '<span class="glyph" aria-hidden="true">' in shown
        assert f'title="run.json /analysis/{name}"' in shown


@pytest.mark.rule("P117")
@pytest.mark.rule("P118")
def test_a_gate_stands_with_both_figures_the_signed_change_its_verdict_and_the_median_as_context(pages, held):
    shown = part(pages[f"en/{PAGES['parity-run']}"], "report.gates")
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", shown, re.DOTALL)
    (measured,) = analysis(held).measurements

    assert len(rows) == len(measured.gates) == 2
    for number, row in enumerate(rows):
        at = f"run.json /analysis/measurements/0/gates/{number}"
        found = dict(bounds(row))
        gate = measured.gates[number]
        assert isinstance(gate.base, Quantile)
        assert isinstance(gate.head, Quantile)
        assert found[f"{at}/base/value_ns"].replace(",", "") == f"{gate.base.value_ns / 1e6:.6f}"
        assert found[f"{at}/head/value_ns"].replace(",", "") == f"{gate.head.value_ns / 1e6:.6f}"
        assert gate.difference_ns is not None
        assert found[f"{at}/difference_ns"].replace(",", "") == f"+{gate.difference_ns / 1e6:.6f}"
        assert {f"{at}/samples/complete", f"{at}/samples/planned", f"{at}/false_holds/held/numerator"} <= set(found)
        assert sum("/p50/value_ns" in name for name in found) == 2
    assert "+44.181819" in text(rows[0])
    assert "hold : exceeds both the percentage and the difference" in text(rows[0])
    assert "hold : not below the bound" in text(rows[1])


def test_a_time_that_an_author_binds_is_told_in_milliseconds_and_a_number_of_samples_as_it_is(held):
    said = quotes(held, "en/", CATALOGS["en"])
    (measured,) = analysis(held).measurements
    base = measured.gates[0].base
    assert isinstance(base, Quantile)

    time = said.refer("/analysis/measurements/0/gates/0/base/value_ns")
    assert time.text.replace("\u00a0", " ") == f"{Decimal(base.value_ns) / 1_000_000:f} ms"
    assert time.pointer == "/analysis/measurements/0/gates/0/base/value_ns"
    assert said.refer("/analysis/measurements/0/gates/0/base/samples").text == str(base.samples)


@pytest.mark.rule("P121")
def test_a_later_run_that_passes_leaves_the_earlier_hold_where_it_is_with_all_that_identifies_it(pages, project, held):
    later = project.run(STUDY, LATER)
    assert analysis(later).disposition.value == "pass"
    assert analysis(held).disposition.value == "owner-review-hold"

    for place in (f"en/runs/{STUDY}/{LATER}.html", f"en/{PAGES['parity-run']}", f"en/{PAGES['parity-study']}"):
        shown = part(pages[place], "holds" if "studies/" in place else "report.holds")
        (hold,) = re.findall(r"<li><p><time>.*?</p></li>", shown, re.DOTALL)
        assert f">{RUN}</a>" in hold
        record = held.sealed.run
        for digest in (record.source.commit, record.plan_sha256, held.sealed.seal_sha256):
            assert f'data-copy="{digest}"' in hold
        assert f'data-copy="{held.sealed.file("run.json").sha256}"' in hold
        assert "tiny 1.0" in text(hold)
        assert "wheel.files-bad-word.1" in hold, "a finding is retained as well"
        assert hold.count("203.703701") == 1
        assert "none is recorded" in text(hold)


@pytest.mark.rule("P98")
@pytest.mark.rule("P106")
def test_receipts_say_the_same_for_programs_as_for_a_reader(pages, parity_site, held):
    document = json.loads((parity_site / f"data/attempts/{STUDY}/{RUN}/receipts.json").read_bytes())
    shown = part(pages[f"en/{PAGES['parity-run']}"], "report.receipts")

    assert [(row["backend"], row["scenario"]) for row in document["rows"]] == [("files", "bad-word")]
    for row in document["rows"]:
        assert [item["variant"] for item in row["variants"]] == ["base", "head", "wheel", "sdist"]
        for item in row["variants"]:
            inventory = Inventory.model_validate_json(held.sealed.data(item["inventory"]), strict=False)
            assert item["fingerprint"] == inventory.fingerprint
            assert item["exit_status"] == 1
            assert item["line"] == held.sealed.line_of(item["attempt"])
            assert item["command"][-1] == "."
            for digest in (item["fingerprint"], item["stdout_sha256"]):
                assert f'aria-label="SHA-256 {digest}"' in shown
    assert document["harness_sha256"] == held.sealed.run.facts.harness
    for digest in (document["harness_sha256"], document["fixture_sha256"]):
        assert f'data-copy="{digest}"' in shown
    assert {item["revision"] for item in document["variants"]} == {"1.0", "1.1"}
    assert (document["base"], document["head"]) == ("base", "head")
    assert "no field is removed" in document["comparison"]


@pytest.mark.rule("P110")
def test_the_mutant_stands_with_both_digests_and_the_number_of_matches(pages, held):
    shown = part(pages[f"en/{PAGES['parity-run']}"], "report.mutant")
    detail = held.sealed.attempt("mutant.files-bad-word.1").detail.what

    assert f'data-copy="{detail.original_sha256}"' in shown
    assert f'data-copy="{detail.mutant_sha256}"' in shown
    assert 'title="attempts.jsonl /detail/what/matches">1</a>' in shown
    assert "first.exit, first.records" in text(shown)


def test_each_rule_is_counted_by_variant_and_one_that_does_not_apply_has_no_number(pages):
    shown = part(pages[f"en/{PAGES['parity-run']}"], "report.uses")
    found = re.findall(r"<tr.*?</tr>", shown, re.DOTALL)
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in found]
    cells = {text(row[0]).partition(" ")[0]: [text(cell) for cell in row[2:]] for row in rows[1:]}

    assert cells["Version"] == ["2 in 1 of 1 comparisons", "does not apply", "does not apply"]
    assert cells["Findings"] == ["0 in 0 of 1 comparisons", "2 in 1 of 1 comparisons", "0 in 0 of 1 comparisons"]
    assert all(cell.startswith("2 in 1 of 1") for cell in cells["Time"])


@pytest.mark.parametrize(("language", "finding"), [("en", "finding"), ("zh", "发现")])
def test_an_attempt_lists_what_differs_with_the_rule_that_explains_it_or_as_a_finding(pages, language, finding):
    shown = part(pages[f"{language}/{PAGES['parity-attempt']}"], "compared")
    rows = re.findall(r"<tr>(?:<th.*?</th>)?<td class=\"wide\"><code>(.*?)</code></td>(.*?)</tr>", shown, re.DOTALL)
    told = {(pointer, text(rest).split()[-1] if pointer == "/words" else "") for pointer, rest in rows}

    assert ("/words", finding) in told
    assert {"/written_ns", "/pid", "/socket"} <= {pointer for pointer, _ in told}
    assert ">head.files-bad-word.1</a>" in shown
    assert "comparison.json" in shown


def test_two_runs_stand_side_by_side_with_the_rows_that_changed_and_both_verdicts_of_each_gate(pages):
    page = pages[f"en/{PAGES['parity-two-runs']}"]
    (row,) = re.findall(r"<tr><th scope=\"row\">wheel</th>.*?</tr>", part(page, "rows"), re.DOTALL)

    assert text(row) == "wheel A bad word · files 1 ✕ rejected A criterion was not met. ✓ accepted"
    assert "1 of 6 rows" in text(part(page, "rows"))
    gates = text(part(page, "gates"))
    assert gates.count("earlier") == gates.count("later") == 2
    assert "‖ hold : exceeds both" in gates
    assert gates.count("✓ pass") == 2
    assert "lifts no hold" in text(page)


def test_the_page_as_data_has_every_figure_that_the_page_binds_to_its_own_run_and_none_of_another(parity_site, pages):
    document = json.loads((parity_site / f"data/runs/{STUDY}/{LATER}/result.json").read_bytes())
    given = {item["pointer"] for item in document["values"] if item["file"] == "run.json"}
    page = pages[f"en/runs/{STUDY}/{LATER}.html"]
    own = {name.partition(" ")[2] for name, _ in bounds(page) if name.startswith("run.json ")}
    elsewhere = {name.partition(" ")[2] for name, _ in bounds(part(page, "report.holds"))}

    assert own - elsewhere <= given
    assert "/analysis/measurements/0/gates/0/judgement/reason" not in given, "that is of the run before"


@pytest.mark.rule("P132")
def test_a_replay_names_the_pinned_versions_the_seed_of_hashes_and_a_path_without_blanks(pages, held):
    shown = text(part(pages[f"en/{PAGES['parity-run']}"], "report.replay"))

    assert "PYTHONHASHSEED=0, TALLY_TELEMETRY=off" in shown
    assert "tally-1.0.tar.gz" in shown
    assert held.sealed.run.facts.python in shown
    assert "/tmp/sealbook-replay" in shown
    assert f"sealbook prepare {STUDY} sealbook run {STUDY}" in shown


@pytest.mark.parametrize(
    ("selection", "option"), [(Selection.full, ""), (Selection.correctness_only, " --correctness-only")]
)
def test_the_command_that_repeats_a_run_leaves_out_what_the_run_left_out(held, selection, option):
    record = held.sealed.run.model_copy(update={"selection": selection})

    assert commands(RunSource(replace(held.sealed, run=record), published=False))[2].endswith(f"run {STUDY}{option}")


def test_every_bound_number_of_the_pages_leads_to_a_place_that_quotes_it(pages):
    """A time in milliseconds leads to the same time in nanoseconds."""
    seen = 0
    for place in (f"{language}/{path}" for language in LANGUAGES for path in PAGES.values()):
        for target, anchor, name, value in re.findall(
            r'<a class="bound" href="([^"#]*)#(run\.json[^"]+)"[^>]*title="([^"]+)"[^>]*>([^<]+)</a>', pages[place]
        ):
            quoted = pages[normpath(join(dirname(place), target))]
            found = re.search(
                rf'id="{re.escape(anchor)}"[^>]*>(?:<td><code>[^<]+</code></td><td[^>]*>)?([^<]+)<', quoted
            )
            assert found is not None, (place, anchor)
            plain = value.replace(",", "").replace("−", "-").lstrip("+")
            wanted = f"{int(found[1]) / 1e6:.6f}" if name.endswith("_ns") else found[1]
            assert plain == wanted, (place, name)
            seen += 1
    assert seen > 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_study_page_shows_what_is_frozen_with_normalisations_apart_from_declared_differences(pages, language):
    page = pages[f"{language}/{PAGES['parity-study']}"]
    rules = part(page, "rules")
    normalisations, declared = rules.split("<h3>")[1:]

    assert set(re.findall(r'id="rule\.([a-z-]+)"', normalisations)) == {"written-ns", "daemon-pid", "socket"}
    assert set(re.findall(r'id="rule\.([a-z-]+)"', declared)) == {"version"}
    assert 'id="head.files-bad-word"' in part(page, "plan")
    assert "first.exit" in part(page, "mutation")
    assert "p95" in part(page, "timing")
