"""Numbers that nothing binds are found, and nothing else is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.prose import Bound, render
from sitegen.prose.numbers import bare_numbers
from tests.sitegen.documents import FIGURES, document

NO_RESULT = [
    "2026-11-30",
    "2026-11",
    "2026-11-30T01:56:59Z",
    "2026-11-30 01:56 UTC",
    "2026年11月30日",
    "2026 年 11 月 30 日",
    "30 November 2026",
    "November 2026",
    "20261130T015659Z",
    "20261130T015659Z-2",
    "v1.2",
    "v2.0-rc.1",
    "0.5.0",
    "1.2.3rc1",
    "version 1.0",
    "Version 3",
    "version 1.0.2",
    "runs on Aqua 0.5.0",
    "版本 1.0",
    "1.0 版",
    "runs on Python 3.11",
    "使用Python 3.11",
    "S161",
    "R1",
    "A11",
    "RFC 8785",
    "WCAG 2.2",
    "ISO 8601",
    "SHA-256",
    "utf-8",
    "x86_64",
    "GPT-4o",
    "lock-race.3",
    "0x1f",
    "8f3ac91",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "123e4567-e89b-12d3-a456-426614174000",
    "十六个进程",
    "sixteen processes",
]
NUMBERS = {
    "52 of 60": ["52", "60"],
    "5/8": ["5/8"],
    "99.5 %": ["99.5 %"],
    "−3": ["−3"],
    "1,234": ["1,234"],
    "16x": ["16x"],
    "120ms": ["120ms"],
    "the 3rd": ["3rd"],
    "64-bit": ["64"],
    "1.5 times": ["1.5"],
    "共５２次": ["５２"],
    "５２％": ["５２％"],
    "共 16 个": ["16"],
    "½": ["½"],
    "accepted/52": ["52"],
    "n=7": ["7"],
    "in 2026": ["2026"],
    "10–20": ["10–20"],
    "1234567": ["1234567"],
    "with Aqua 84.4 % of them": ["84.4 %"],
    "以Aqua 84.4％": ["84.4％"],
    "2026-13-45": ["2026", "-13", "-45"],
    "٣": ["٣"],
}


def found(body: str, **options) -> list[tuple[str, str]]:
    """Line and number of each caution of a text."""
    page = render(document(body), resolve=FIGURES.get, link=lambda target: target, numbers=True, **options)
    return [(problem.where, re.findall(r"the number '(.*)' is", problem.what)[0]) for problem in page.cautions]


@pytest.mark.parametrize("written", NO_RESULT)
@pytest.mark.parametrize("frame", ["{}", "see {}.", "在 {} 中", "({}),", "“{}”"])
def test_dates_versions_identifiers_and_digests_are_no_results(written, frame):
    assert not list(bare_numbers(frame.format(written)))


@pytest.mark.parametrize("written", NUMBERS)
@pytest.mark.parametrize("frame", ["{}", "in all {}.", "其中{}。", "({})"])
def test_quantities_are_found_as_they_are_written(written, frame):
    assert [number for _, number in bare_numbers(frame.format(written))] == NUMBERS[written]


def test_every_part_of_a_text_is_looked_at_and_told_by_line():
    body = """## 3 findings

Of 12 tries **11** passed
and 1 did not.

- item 4

| a |
| - |
| 5 |

> 6

![7 bars](p.png) [8 more](y.md)
一行９
"""

    assert found(body) == [
        ("line 8", "3"),
        ("line 10", "12"),
        ("line 10", "11"),
        ("line 11", "1"),
        ("line 13", "4"),
        ("line 17", "5"),
        ("line 19", "6"),
        ("line 21", "7"),
        ("line 21", "8"),
        ("line 22", "９"),
    ]


def test_what_is_bound_marked_code_or_address_is_no_caution():
    body = """1. {value}`/tally/accepted` of {literal}`16`
2. `12` and {disclaimed}`10 times better than`, not said

[x](http://example.org/13 "14") <https://example.org/15>

```sh
echo 16
```

    17
"""

    page = render(document(body), resolve=FIGURES.get, link=lambda target: target, numbers=True)

    assert page.cautions == ()
    assert "of 16</li>" in page.html


def test_title_and_summary_are_looked_at_too():
    page = render(document("x"), resolve=FIGURES.get, link=lambda target: target, numbers=True)
    assert page.cautions == ()
    front = document("x")
    numbered = type(front)(front.path, "zh", "3 tools", "All 4 passed", {}, "x", 8)

    page = render(numbered, resolve=FIGURES.get, link=lambda target: target, numbers=True)

    assert [(problem.where, problem.what) for problem in page.cautions] == [
        ("title", "the number '3' is bound to no evidence"),
        ("summary", "the number '4' is bound to no evidence"),
    ]


def test_a_text_that_tells_no_result_may_hold_numbers():
    assert render(document("Of 12 tries"), resolve=FIGURES.get, link=lambda target: target).cautions == ()


FRAMES = ["`{}`", "{{literal}}`{}`", "<https://a.b/{}>", "[x](y/{}.md)", "![x](y/{}.png)", "[x](y.md '{}')"]
WORDS = st.text(alphabet=st.characters(categories=["Ll", "Lo", "Zs"], exclude_characters="\xa0"), max_size=8)
NUMBER = st.from_regex(r"[0-9]{1,7}(?:\.[0-9]{1,3})? ?%?", fullmatch=True)


@given(before=WORDS, number=NUMBER, after=WORDS, frame=st.sampled_from(FRAMES))
def test_no_number_in_code_marks_or_addresses_is_told(before, number, after, frame):
    shown = frame.format(number.replace("%", "").strip())

    assert not found(f"x {before} {shown} {after} x")


@given(text=st.from_regex(r"[0-9][0-9,.]{0,6} ?%?", fullmatch=True))
def test_no_bound_value_is_told_whatever_it_shows(text):
    page = render(document("有 {value}`/x` 次"), resolve=lambda _: Bound(text, "x"), link=lambda it: it, numbers=True)

    assert page.cautions == ()
    assert text in page.html


@given(number=st.integers(0, 10**9), before=st.sampled_from(["有", "has ", "（", "- ", "共\u3000"]))
def test_every_whole_number_that_stands_alone_is_told(number, before):
    assert [shown for _, shown in found(f"x {before}{number} 次")] == [str(number)]


@given(text=st.text(max_size=60))
def test_no_text_is_too_strange(text):
    for at, number in bare_numbers(text):
        assert text.startswith(number, at)
