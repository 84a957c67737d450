"""Each defect of a rendered page is found, told with file and line, and nothing else is."""

import pytest

from sitegen.check import SiteCheck


def page(language: str, main: str = "", head: str = "", *, other: str | None = None) -> bytes:
    """One page in the folder of its language, with its twin named."""
    twin = other or ("zh" if language == "en" else "en")
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head><title>T</title><link rel="alternate" hreflang="{twin}" href="../{twin}/index.html">{head}</head>
<body><h1 id="top">T</h1>
{main}
</body></html>
""".encode()


def site(main: str = "", head: str = "") -> dict[str, bytes]:
    """A small site whose first English and Chinese pages hold `main` in line 5."""
    evidence = b'<html lang="%s"><head><title>E</title><link rel="alternate" hreflang="%s" href="%s"></head>'
    evidence += b'<body><h1>E</h1><i id="run.json.tally"></i></body></html>'
    return {
        "index.html": b'<html lang="en"><title>T</title><h1>T</h1><a href="en/index.html">e</a></html>',
        "en/index.html": page("en", main, head),
        "zh/index.html": page("zh", main, head),
        "en/evidence/r.html": evidence % (b"en", b"zh", b"../../zh/evidence/r.html"),
        "zh/evidence/r.html": evidence % (b"zh", b"en", b"../../en/evidence/r.html"),
        "assets/site.css": b"body{color:red}",
        "assets/seal.svg": b"<svg/>",
        "evidence/s/r/run.json": b"{}",
        "evidence/s/r/artifacts/page.html": b"<a href=nowhere onclick=x>sealed, and no page of ours</a>",
    }


def told(files: dict[str, bytes], base_url: str | None = None) -> list[str]:
    """Every problem as one line of text, the same in whatever order the files come."""
    first, second = (checked(order, base_url) for order in (list(files.items()), [*reversed(files.items())]))
    assert first == second
    return first


def checked(files: list[tuple[str, bytes]], base_url: str | None) -> list[str]:
    """Every problem of files that come in this order."""
    check = SiteCheck(base_url=base_url)
    for path, data in files:
        if path.endswith(".html") and not path.startswith("evidence/"):
            check.page(path, data.decode())
        else:
            check.file(path)
        if path.endswith(".css"):
            check.style_sheet(path, data)
    return [str(problem) for problem in check.problems()]


@pytest.mark.parametrize(
    "main",
    [
        "",
        '<a href="../evidence/s/r/run.json">file</a> <a href="evidence/r.html#run.json.tally">6</a>',
        '<a href="evidence/r.html?outcome=rejected&amp;q=%23#run.json.tally">6</a> <a href="?sort=line#top">up</a>',
        '<a href="https://example.org/x">out</a> <a href="mailto:a@example.org">mail</a> <a href="#top">up</a>',
        '<h2 id="快速开始">x</h2><a href="#%E5%BF%AB%E9%80%9F%E5%BC%80%E5%A7%8B">y</a>',
        "&lt;img src=x onerror=alert(1)&gt;",
        "<style>body{background:url(../assets/site.css)}</style>",
    ],
)
def test_a_good_site_has_no_problem(main):
    head = '<link rel="stylesheet" href="../assets/site.css"><link rel="icon" href="../assets/seal.svg">'

    assert told(site(main, head)) == []


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ('<a href="gone.html">x</a>', "'gone.html' leads nowhere"),
        ('<a href="evidence/">x</a>', "'evidence/' leads nowhere"),
        ('<a href="../../../etc/passwd">x</a>', "leads nowhere"),
        ('<a href="/en/index.html">x</a>', "leads nowhere"),
        ('<a href="evidence/r.html#gone">x</a>', "no id 'gone' in site/en/evidence/r.html"),
        ('<a href="../evidence/s/r/run.json#L1">x</a>', "an anchor in a file"),
        ('<a href="javascript:alert(1)">x</a>', "a link to 'javascript:alert(1)'"),
        ('<a href="//example.org/x">x</a>', "a link to '//example.org/x'"),
        ('<a href="http://[">x</a>', "is no address"),
        ('<img src="gone.png">', "'gone.png' leads nowhere"),
        ('<link rel="icon" href="data:,">', "<link> loads 'data:,'"),
        ('<a href="data:text/html,x">x</a>', "a link to 'data:text/html,x'"),
        ('<img src="https://example.org/x.png">', "<img> loads 'https://example.org/x.png'"),
        ('<img srcset="a.png 1x, https://example.org/x.png 2x">', "<img> loads 'https://example.org/x.png'"),
        ('<script src="https://example.org/x.js"></script>', "<script> loads"),
        ("<script type=module>1</script>", "a module script"),
        ('<p onclick="x()">', "an event handler onclick in <p>"),
        ('<p style="background:url(https://example.org/x)">', "<style> loads"),
        ("<style>@import 'https://example.org/x.css';</style>", "<style> loads"),
        ('<meta http-equiv="refresh" content="0">', "a page that leaves by itself"),
        ('<form action="https://example.org/"></form>', "<form> loads"),
        ('<i id="top"></i>', "id 'top' stands in line 4 as well"),
        ('<i id=""></i>', "an empty id"),
        ("<h1>again</h1>", "2 headings of the first level"),
    ],
)
def test_what_no_page_may_hold_is_told_by_page_and_line(main, expected):
    problems = [line for line in told(site(main)) if "site/en/index.html" in line and expected in line]

    assert problems, told(site(main))
    assert "line 5" in problems[0] or "headings" in problems[0]


def test_a_head_names_only_the_site_and_its_own_address():
    canonical = '<link rel="canonical" href="https://example.org/study/en/index.html">'

    assert told(site(head=canonical), "https://example.org/study") == []
    assert any("outside the site" in line for line in told(site(head=canonical)))
    assert any("outside the site" in line for line in told(site(head=canonical), "https://example.org/stu"))


def test_a_style_sheet_loads_nothing_from_elsewhere():
    sheet = b"a{}\n@font-face{src:url('https://example.org/f.woff2')}\nb{background:url(gone.svg)}"

    problems = told(site() | {"assets/site.css": sheet})

    assert [line.split(": ")[:2] for line in problems] == [
        ["site/assets/site.css", "line 2"],
        ["site/assets/site.css", "line 3"],
    ]


def test_a_style_sheet_that_is_not_utf_8_is_told_by_its_line():
    (problem,) = told(site() | {"assets/site.css": b"a{}\nb{content:'\xe4'}"})

    assert problem.startswith("site/assets/site.css: line 2: not UTF-8")


def test_a_page_without_its_twin_is_told():
    files = site()
    del files["zh/index.html"]

    assert any("site/en/index.html: no page site/zh/index.html" in line for line in told(files))


def test_a_page_that_does_not_name_its_twin_is_told():
    files = site()
    files["en/index.html"] = page("en", other="fr").replace(b"../fr/", b"../zh/")

    assert any("no hreflang=zh that names zh/index.html" in line for line in told(files))


def test_a_page_in_the_wrong_language_is_told():
    files = site() | {"zh/index.html": page("en", other="en")}

    assert any("site/zh/index.html: line 1: lang='en' in the folder zh/" in line for line in told(files))


def test_twins_that_show_different_figures_are_told():
    figure = '<a href="evidence/r.html#run.json.tally">6</a>'
    files = site(figure) | {"zh/index.html": page("zh", figure * 2)}

    (problem,) = told(files)
    assert problem.startswith("site/zh/index.html: the figure evidence/r.html#run.json.tally stands here 2 times")
