"""What an author can ask a page to put into a text, and how a wrong request is told."""

import pytest

from sitegen.errors import ContentError
from sitegen.prose import Amount, Choice, Citation, Directive, Insert, differences, render
from tests.sitegen.documents import FIGURES, document

OFFERED = {
    "limits": Directive({"": {}}),
    "table": Directive({"counts": {}, "attempts": {"arm": Choice(("aqua", "echo")), "limit": Amount(50)}}),
    "chart": Directive({"counts": {}}, "a run, and this page has none"),
}


def shown(body: str):
    return render(document(body), resolve=FIGURES.get, link=lambda target: target, directives=OFFERED)


def told(body: str) -> list[str]:
    """Every problem of a text, without its file."""
    with pytest.raises(ContentError) as caught:
        shown(body)
    return [f"{problem.where}: {problem.what}; {problem.todo}" for problem in caught.value.problems]


@pytest.mark.parametrize("fence", [":::", "::::", "```", "~~~"])
def test_a_directive_divides_the_text_where_it_stands(fence):
    page = shown(f"## One\n\nbefore\n\n{fence}{{table}} attempts\n:limit: 3\n:arm: aqua\n{fence}\n\nafter\n")

    before, insert, after = page.parts
    assert isinstance(before, str)
    assert before.endswith("<p>before</p>\n")
    assert insert == Insert("table", "attempts", (("arm", "aqua"), ("limit", "3")), 12)
    assert after == "<p>after</p>\n"
    assert page.code_blocks == ()
    assert [heading.id for heading in page.headings] == ["one"]


def test_a_directive_ends_a_paragraph_and_stands_in_a_list():
    page = shown("- a\n  :::{limits}\n  :::\n- b\n")

    assert [part if isinstance(part, str) else part.directive for part in page.parts] == [
        "<ul>\n<li>a",
        "limits",
        "</li>\n<li>b</li>\n</ul>\n",
    ]


def test_every_wrong_request_of_a_text_is_told_at_once_with_its_line():
    body = """:::{tabel} counts
:::

:::limits
:::

:::{limits} all
:::

:::{table}
:::

:::{table} findings
:::

:::{table} attempts
:arm: aquaa
:limit: 0
:colour: red
:arm: aqua
:::

:::{chart} counts
:::

```{table} counts
:limit: 3
```

:::{limits}
:::

:::{table} counts
This is a sentence.
"""

    assert told(body) == [
        "line 8: no directive '{tabel}'; there are :::{limits}, :::{table} or :::{chart}",
        "line 11: no directive '{limits}'; there are :::{limits}, :::{table} or :::{chart}",
        "line 14: {limits} takes no argument, not 'all'; take it out",
        "line 17: {table} of what; write counts or attempts behind it",
        "line 20: {table} of 'findings'; write counts or attempts behind it",
        "line 24: the option 'arm' of {table} attempts is 'aquaa'; write aqua or echo",
        "line 25: the option 'limit' of {table} attempts is '0'; write a whole number from 1 to 50",
        "line 26: {table} attempts has no option 'colour'; there are arm or limit",
        "line 27: the option 'arm' twice; keep one of them",
        "line 30: {chart} needs a run, and this page has none; take it out, or give the page what it needs",
        "line 34: {table} counts has no option 'limit'; take it out: there are none",
        "line 41: text inside a directive: 'This is a sentence.'; close it above with :::",
    ]


def test_languages_that_cite_different_claims_are_told():
    claims = {name: Citation(name, "x.html", supported=True) for name in ("one", "two")}

    def text(body: str, **where):
        source = document(body, **where)
        return source, render(source, resolve=FIGURES.get, link=lambda target: target, claims=claims)

    english = text("{claim}`one`\n{claim}`two`", language="en", path="content/results/x.en.md")
    [problem] = differences(english, text("{claim}`one`和{claim}`one`"))

    assert (problem.where, problem.todo) == ("line 8", "compare content/results/x.en.md, line 9")
    assert "2 cited claims" in problem.what
    with pytest.raises(ContentError, match=r"the \{claim\} one stands inside a link; it is a link already"):
        text("[a {claim}`one`](y.md)")


def test_languages_that_ask_for_different_things_are_told():
    english = document(":::{table} attempts\n:limit: 3\n:::\n", language="en", path="content/results/x.en.md")
    chinese = document("文字\n\n:::{table} attempts\n:limit: 4\n:::\n")

    [problem] = differences((english, shown(english.body)), (chinese, shown(chinese.body)))

    assert (problem.where, problem.todo) == ("line 10", "compare content/results/x.en.md, line 8")
    assert "1 directives" in problem.what
    same = document(":::{table} attempts\n:arm: aqua\n:limit: 3\n:::\n")
    turned = document(":::{table} attempts\n:limit: 3\n:arm: aqua\n:::\n")
    assert not [*differences((same, shown(same.body)), (turned, shown(turned.body)))]
