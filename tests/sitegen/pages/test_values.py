"""Marks, strips and places: the small decisions that pages are made of."""

from posixpath import dirname, join, normpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.analysis.qualification import Disposition, FeatureState
from runner.contract.attempt import Outcome, Verdict
from runner.contract.license import LicenseState
from runner.contract.plan import ExclusionReason
from sitegen.catalog import read_catalogs
from sitegen.pages import marks
from sitegen.pages.counts import STRIP_WIDTH, segments
from sitegen.pages.glossary import TERMS
from sitegen.pages.place import relative

CATALOGS = read_catalogs()
FAMILIES = (
    (Outcome, marks.outcome),
    (Verdict, marks.verdict),
    (FeatureState, marks.feature),
    (Disposition, marks.disposition),
    (LicenseState, marks.license_state),
    (ExclusionReason, marks.exclusion),
)


@pytest.mark.parametrize(("kind", "mark"), FAMILIES, ids=lambda item: item.__name__)
def test_every_state_is_told_by_glyph_and_word_in_both_languages(kind, mark):
    for catalog in CATALOGS.values():
        shown = [mark(member, catalog) for member in kind]

        assert all(len(item.glyph) == 1 and item.word and item.tone for item in shown)
        assert len({item.word for item in shown}) == len(shown)


def test_outcomes_differ_in_glyph_so_that_colour_is_never_needed():
    assert len({marks.outcome(item, CATALOGS["en"]).glyph for item in Outcome}) == len(Outcome)


@given(st.lists(st.integers(0, 10_000), min_size=len(Outcome), max_size=len(Outcome)))
def test_the_parts_of_a_strip_fill_it_without_gap_or_overlap(counts):
    shown = [marks.outcome(item, CATALOGS["en"]) for item in Outcome]
    found = segments(list(zip(shown, counts, strict=True)))

    assert len(found) == sum(count > 0 for count in counts)
    edge = 0
    for segment in found:
        assert segment.x == edge
        edge += segment.width
    assert edge == (STRIP_WIDTH if any(counts) else 0)


NAMES = st.lists(st.sampled_from(["en", "zh", "a", "index.html", "x.html"]), min_size=1, max_size=4).map("/".join)


@given(NAMES, NAMES)
def test_a_relative_link_leads_from_its_page_to_its_target(origin, target):
    link = relative(origin, f"{target}#part")

    if origin == target:
        assert link == "#part"
    else:
        assert normpath(join(dirname(origin), link.removesuffix("#part"))) == target
    assert not link.startswith("/")


def test_the_glossary_has_one_word_for_each_meaning():
    assert len({en for en, _ in TERMS}) == len({zh for _, zh in TERMS}) == len(TERMS) == 22
