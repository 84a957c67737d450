"""What tells a repetition of a run from a run of something else: the measured files, the harness, the frozen counts."""

from dataclasses import replace

import pytest

from runner.contract.parity.detail import ParityFacts
from runner.contract.plan import Selection
from sitegen.catalog import read_catalogs
from sitegen.pages.edition import Edition, edition
from sitegen.pages.parity.made_with import made_with, repetition
from sitegen.sources import LANGUAGES, RunSource, load
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import LATER, PAGES, STUDY
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
REPEATED = {
    "en": "The later run repeats the earlier one: every variant is the same files in both, byte for byte.",
    "zh": "后一次是前一次的重复运行：每个变体在两次运行中的文件逐字节相同。",
}
PREPARED = {"en": "no byte-identical repetition: of these variants", "zh": "并非逐字节相同的重复运行：以下变体"}
OTHER = {"en": "no repetition of the earlier one. These variants", "zh": "后一次并非前一次的重复运行。以下变体"}


@pytest.fixture(scope="module")
def site(parity_site):
    return load(parity_site.parent / PROJECT)


@pytest.fixture(params=LANGUAGES)
def words(request, site) -> Edition:
    return edition(site, request.param, CATALOGS[request.param])


def facts(run: RunSource) -> ParityFacts:
    assert isinstance(run.sealed.run.facts, ParityFacts)
    return run.sealed.run.facts


def with_facts(run: RunSource, **changes: object) -> RunSource:
    """The run, made on something else."""
    record = run.sealed.run.model_copy(update={"facts": facts(run).model_copy(update=changes)})
    return RunSource(replace(run.sealed, run=record), run.published)


@pytest.mark.rule("P122")
def test_a_run_of_which_every_measured_file_is_byte_identical_is_called_a_repetition(site, words):
    later = site.run(STUDY, LATER)
    again = with_facts(site.run(STUDY, RUN), variants=facts(later).variants)

    assert repetition(words, again, later).startswith(REPEATED[words.catalog.language])
    assert all(one == other for _, one, other in made_with(words, again, later))


@pytest.mark.rule("P122")
@pytest.mark.parametrize("variant", [0, 1, 2, 3])
def test_one_other_file_of_one_variant_makes_it_no_repetition_and_names_the_variant(site, words, variant):
    later = site.run(STUDY, LATER)
    found = facts(later).variants[variant]
    prepared = {"tree": "0" * 64}
    pinned = {"tree": "0" * 64, "artifact": found.artifact.model_copy(update={"sha256": "0" * 64})}

    for changes, told in ((prepared, PREPARED), (pinned, OTHER)):
        variants = list(facts(later).variants)
        variants[variant] = found.model_copy(update=changes)
        said = repetition(words, with_facts(later, variants=tuple(variants)), later)
        assert told[words.catalog.language] in said
        assert REPEATED[words.catalog.language] not in said
        assert said.rstrip(".。").endswith(words.subjects(later)[found.variant])


@pytest.mark.rule("P122")
def test_a_variant_that_one_of_the_runs_has_not_makes_it_no_repetition(site, words):
    later = site.run(STUDY, LATER)
    fewer = with_facts(later, variants=facts(later).variants[:3])

    for one, other in ((fewer, later), (later, fewer)):
        assert OTHER[words.catalog.language] in repetition(words, one, other)


@pytest.mark.rule("P122")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_two_runs_says_which_it_is_beside_the_digests_of_both(site, parity_site, language):
    page = (parity_site / language / PAGES["parity-two-runs"]).read_text(encoding="utf-8")
    shown = page.split('id="facts"')[1]
    before, after = (facts(site.run(STUDY, run)).variants for run in (RUN, LATER))

    assert PREPARED[language] in shown, "the earlier run had another wheel of the same name"
    assert [item.variant for item, other in zip(before, after, strict=True) if item.tree != other.tree] == ["wheel"]
    for item in (*before, *after):
        assert f'data-copy="{item.tree}"' in shown


@pytest.mark.rule("P119")
def test_counts_order_and_gates_of_two_runs_are_held_against_each_other(site, words):
    later = site.run(STUDY, LATER)
    title = words.say("two-runs.timing")

    def same(other: RunSource) -> bool:
        found = {name: one == another for name, one, another in made_with(words, other, later)}
        return found[title]

    assert same(site.run(STUDY, RUN))
    design = later.sealed.plan.study.design
    timing = design.timing
    eased = timing.gates[1].model_copy(update={"gate": timing.gates[1].gate.model_copy(update={"bound_ns": 1})})
    for change in ({"pairs": 5}, {"burst": 5}, {"seed": "other"}, {"gates": (timing.gates[0], eased)}):
        changed = design.model_copy(update={"timing": timing.model_copy(update=change)})
        assert not same(planned(later, study=later.sealed.plan.study.model_copy(update={"design": changed})))
    assert not same(planned(later, selection=Selection.reduced_timings))


def planned(run: RunSource, **changes: object) -> RunSource:
    """The run by another plan."""
    return RunSource(replace(run.sealed, plan=run.sealed.plan.model_copy(update=changes)), run.published)
