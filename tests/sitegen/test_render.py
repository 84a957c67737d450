"""Rendering: everything is escaped and visible, and a faulty template is named."""

from dataclasses import replace

import pytest
from markupsafe import Markup

from sitegen.catalog import read_catalogs
from sitegen.errors import PageError, SiteError
from sitegen.pages.page import Frame, PageView
from sitegen.render import renderer, theme_folder, ticked, visible

CATALOG = read_catalogs()["en"]
FRAME = Frame("en", "zh", "en/", "Site", "站点", None, None, ())


def view(template: str, *, title: str = "Title") -> PageView:
    """A page of the given template."""
    return PageView(
        frame=FRAME, path="a/b.html", template=template, title=title, description="Words.", section="results"
    )


def with_template(root, name: str, text: str):
    """A renderer of a project with a template of its own."""
    (root / "templates").mkdir()
    (root / "templates" / name).write_text(text, encoding="utf-8")
    return renderer(root)


@pytest.mark.report("A26")
def test_control_characters_are_shown_as_symbols():
    assert visible("a\x00b\x1b[31mred\x7f\r\n\tend") == "a␀b␛[31mred␡␍\n\tend"
    assert visible("\u202egnp.exe\u2066") == "⟦U+202E⟧gnp.exe⟦U+2066⟧"
    assert visible("zero\u200bwidth\ufeff") == "zero⟦U+200B⟧width⟦U+FEFF⟧"
    assert visible("a\u3164b\ufff9c\U000e0100") == "a⟦U+3164⟧b⟦U+FFF9⟧c⟦U+E0100⟧"
    assert visible("a\ufe00b\ufe0d") == "a⟦U+FE00⟧b⟦U+FE0D⟧"
    assert visible("普通文字 and words ❤️") == "普通文字 and words ❤️"


@pytest.mark.report("A26")
def test_control_characters_in_markup_are_shown_too():
    shown = visible(Markup("<b>\u202egnp.exe\x1b</b>"))

    assert shown == "<b>⟦U+202E⟧gnp.exe␛</b>"
    assert isinstance(shown, Markup)


@pytest.mark.report("A17")
def test_markup_in_a_value_is_text(tmp_path):
    page = with_template(tmp_path, "x.html", '<p title="{{ view.title }}">{{ view.title }}</p>')

    shown = page.page(view("x.html", title='"><script>alert(1)</script>'), CATALOG)

    assert shown == (
        '<p title="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>'
    )


def test_backticks_of_a_statement_are_code_and_nothing_else_is_markup():
    assert ticked("run `a < b` & go") == "run <code>a &lt; b</code> &amp; go"
    assert ticked("one ` alone <b>") == "one ` alone &lt;b&gt;"


def test_a_project_template_of_the_same_name_wins(tmp_path):
    assert with_template(tmp_path, "home.html", "own").page(view("home.html"), CATALOG) == "own"


def test_a_changed_template_shows_in_the_next_renderer(tmp_path):
    assert with_template(tmp_path, "home.html", "one").page(view("home.html"), CATALOG) == "one"
    (tmp_path / "templates" / "home.html").write_text("two", encoding="utf-8")

    assert renderer(tmp_path).page(view("home.html"), CATALOG) == "two"


def test_the_part_of_one_value_is_rendered_once_for_each_language_and_folder(tmp_path):
    theme = with_template(tmp_path, "x.html", "{{ part('y.html', view.title) }}{{ part('y.html', view.title) }}")
    part = "{{ it }} {{ say('nav.home') }} <a href=\"{{ rel('en/c.html') }}\">x</a>"
    (tmp_path / "templates" / "y.html").write_text(part, encoding="utf-8")
    one = '&lt;b&gt;␛ Home <a href="../c.html">x</a>'

    page = view("x.html", title="<b>\x1b")
    assert theme.page(page, CATALOG) == one * 2
    (tmp_path / "templates" / "y.html").write_text("changed", encoding="utf-8")
    theme.environment.cache.clear()
    assert theme.page(page, CATALOG) == one * 2
    elsewhere = replace(page, path="a/b/c.html")
    assert theme.page(elsewhere, CATALOG) == "changed" * 2
    chinese = replace(page, frame=replace(FRAME, language="zh"))
    assert theme.page(chinese, read_catalogs()["zh"]) == "changed" * 2


def test_a_faulty_part_is_named_with_its_line(tmp_path):
    theme = with_template(tmp_path, "x.html", "{{ part('y.html', 3) }}")
    (tmp_path / "templates" / "y.html").write_text("\n{{ it.nothing }}", encoding="utf-8")

    with pytest.raises(PageError, match=r"templates/y\.html: line 2: .*nothing"):
        theme.page(view("x.html"), CATALOG)


def test_a_project_without_templates_has_the_default_theme(tmp_path):
    assert set(renderer(tmp_path).assets()) == {
        "assets/charts.css",
        "assets/parity.css",
        "assets/difference.css",
        "assets/chips.js",
        "assets/reported.css",
        "assets/scheme.js",
        "assets/seal.svg",
        "assets/search.js",
        "assets/table-columns.js",
        "assets/table-controls.js",
        "assets/table-layout.js",
        "assets/table-rows.js",
        "assets/table.css",
        "assets/table.js",
        "assets/sealbook.css",
        "assets/sealbook.js",
    }
    assert (theme_folder() / "base.html").is_file()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("fine\n{{ view.nothing }}\n", "line 2", "nothing"),
        ("fine\n\n{% if %}\n", "line 3", "Expected an expression"),
        ("{% include 'absent.html' %}", "", "absent.html"),
        ("fine\n{{ 1 // 0 }}\n", "line 2", "division"),
        ("fine\n{{ view.title + 3 }}\n", "line 2", "concatenate"),
        ("fine\n{{ rel(3) }}\n", "line 2", "partition"),
        ("{{ say('no.such-message') }}", "", "no.such-message"),
        ("fine\n{{ say('no.such-message') }}", "", "no such message (for templates/x.html, line 2)"),
    ],
)
def test_a_faulty_template_is_named_with_its_line(tmp_path, text, line, words):
    theme = with_template(tmp_path, "x.html", text)

    with pytest.raises(SiteError) as caught:
        theme.page(view("x.html"), CATALOG)

    (problem,) = caught.value.problems
    assert line in problem.where
    assert words in str(problem)
    if "such" not in words:
        assert isinstance(caught.value, PageError)
        assert problem.file.startswith("templates/")
