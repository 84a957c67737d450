"""Where a sentence ends, so that a claim is cited in the sentence that needs it."""

import pytest

from sitegen.prose.passages import Passage

WHOLE = [
    "A tool, e.g. the first one, is better.",
    "A tool (i.e. the first one) is better.",
    "E.g. the first one is better.",
    "See the page of results, cf. Doe et al. on locks, for what is better.",
    "The first vs. the second tool.",
]
TWO = [
    "It ends. It is better.",
    "Is it? It is better.",
    "It holds locks, leases, etc. It is better.",
    "The log. It is.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_an_abbreviation_does_not_end_a_sentence(text):
    assert [sentence.text for sentence in Passage(text).sentences()] == [text]


@pytest.mark.parametrize("text", TWO)
def test_a_full_stop_ends_a_sentence(text):
    assert len(list(Passage(text).sentences())) == 2
