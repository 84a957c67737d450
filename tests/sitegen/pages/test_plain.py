"""The quick reader of pages says what the parser says, to the line, or leaves the page to it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.check.page import parse_page
from sitegen.check.plain import _QUICK, _plain, read_page

pytestmark = pytest.mark.skipif(
    not _QUICK, reason="this Python is too old for the quick reader, which is not used then"
)
GOLDENS = sorted((Path(__file__).parents[2] / "goldens").rglob("*.html"))
NAMES = "a h1 H1 SCRIPT title svg p html link script style meta img form textarea use"
KEYS = (
    "id href HREF class title lang hreflang rel src srcset style onclick http-equiv type action xlink:href data-copy "
    "data aria-label viewBox hidden data-x1 data-fooB aria-x1 hiddenx titles"
)
VALUES = "#x a&amp;b a&b &#34; &ampx &notit; refresh module stylesheet url(x.css) on en 中文 < > \" ' &#0; x:y()"
ATTRIBUTES = st.builds(
    lambda name, value, form: f" {name}" if value is None else form.format(name, value),
    st.sampled_from(KEYS.split()),
    st.none() | st.sampled_from([*VALUES.split(), "", " y ", "a.png 1x, b.png 2x"]),
    st.sampled_from([' {}="{}"', " {}='{}'", " {}={}", '  {}="{}"', ' {} = "{}"']),
)
TAGS = st.builds(
    lambda name, attributes, end: f"<{name}{''.join(attributes)}{end}",
    st.sampled_from(NAMES.split()),
    st.lists(ATTRIBUTES, max_size=3),
    st.sampled_from([">", ">", ">", "/>", " />", " >", ""]),
)
PIECES = st.one_of(
    TAGS,
    st.builds("</{}>".format, st.sampled_from(NAMES.split())),
    st.sampled_from(
        ["\n", "text", "&amp;", "<!doctype html>", "<!-- <a href=x> -->", "]]>", "<?x?>", "</ p>", '"', "\r\n"]
    ),
)
SHAPES = st.sampled_from(
    [
        '<h1 id="top">T</h1>\n<p>{}</p>',
        "<title>A &amp; B</title>\n{}",
        '<script src="x.js" defer></script>{}',
        '<svg viewBox="0 0 1 1"><title>T</title><path d="M0 0"/></svg>\n{}',
    ]
)


def alike(markup: str) -> bool:
    """Whether both readers say the same of a page, the quick one if it takes it."""
    return read_page(markup) == parse_page(markup)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(PIECES, SHAPES.map(lambda shape: shape.format("x"))), max_size=8).map("".join))
def test_both_readers_say_the_same_of_any_markup_that_the_quick_one_takes(markup):
    assert alike(markup)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(SHAPES, st.text(st.sampled_from("ab &;#3中\n"), max_size=9)), max_size=6))
def test_pieces_as_templates_write_them_are_plain(pieces):
    markup = "<!doctype html>\n" + "".join(shape.format(text) for shape, text in pieces)

    assert _plain(markup) == parse_page(markup)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_both_readers_say_the_same_of_every_expected_page(golden):
    assert alike(golden.read_text(encoding="utf-8"))


def test_nearly_all_pages_are_plain_and_both_readers_say_the_same_of_all(site):
    left = [path for path, markup in site.items() if not path.startswith("evidence/") and _plain(markup) is None]

    assert [path for path, markup in site.items() if not alike(markup)] == []
    assert len(left) < len(site) / 10, left
    assert not [path for path in left if "/attempts/" in path]


@pytest.mark.parametrize(
    "markup",
    [
        '<a data-x1="q" href="gone.html">x</a>',
        '<p data-fooB="q" onclick="x">y</p>',
        '<p hiddenx onclick="x">y</p>',
        '<a aria-x1="" id="a">x</a>',
        '<a href="x" href="y">x</a>',
    ],
)
def test_a_name_that_begins_like_one_that_no_check_asks_for_hides_nothing_beside_it(markup):
    assert _plain(markup) == parse_page(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<p onclick=x>",
        "<a href='x'>",
        '<script>let a = "<a href=x>"</script>',
        '<style>a{background:url("x.png")}</style>',
        "<!-- <h1>no</h1> -->",
        '<title>a</title><p title="&quot">"</p>',
        '<a href="?a=1&copy=2">',
    ],
)
def test_a_page_in_another_form_is_read_by_the_parser(markup):
    assert _plain(markup) is None
    assert read_page(markup) == parse_page(markup)
