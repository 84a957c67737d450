"""A whole small site: built from verified evidence, the same bytes anywhere, and inert whatever it shows."""

import os
import re
import shutil
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from runner.contract.errors import ContractError
from sitegen.build import build, produce
from sitegen.errors import PageError, SiteError
from tests.sitegen.built import Held, make_site
from tests.sitegen.projects import PROTOCOL, RESULT, RUN, a_project, replace, write

HOSTILE = "</script><img src=x onerror=alert(1)>"
SCRIPTS = {
    "scheme.js", "sealbook.js", "search.js", "chips.js",
    "rows.js", "table-columns.js", "table-rows.js", "table-controls.js", "table-layout.js", "table.js",
}  # fmt: skip
ROOT = Path(__file__).parents[2]


class Elements(HTMLParser):
    """The elements, attributes, scripts and text of a page, as a browser tells them apart."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.scripts: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag == "script":
            self.scripts.add((dict(attrs).get("src") or "inline").rpartition("/")[2])

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """One project that nobody changes."""
    return a_project(tmp_path_factory.mktemp("pristine"))


@pytest.fixture(scope="module")
def built(pristine) -> dict[str, bytes]:
    """Every file of its site."""
    return make_site(pristine).files


@pytest.fixture
def project(pristine, tmp_path):
    """A copy of it to break."""
    return shutil.copytree(pristine, tmp_path / "project")


def told(root) -> list[str]:
    """Every problem of a site that cannot be made."""
    with pytest.raises(SiteError) as caught:
        make_site(root)
    return [str(problem) for problem in caught.value.problems]


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_both_languages_have_the_same_pages(built):
    english = {path.removeprefix("en/") for path in built if path.startswith("en/")}

    assert english == {path.removeprefix("zh/") for path in built if path.startswith("zh/")}
    assert {"index.html", "protocols/tiny/1.0.html", "results/2026-11-30-first.html"} <= english
    assert "index.html" in built


def test_evidence_is_copied_byte_for_byte_and_checks_with_coreutils(project, required_tool):
    build(project)

    published = content(project / "manifests" / "tiny" / "evidence" / RUN)
    copied = project / "site" / "evidence" / "tiny" / RUN
    assert content(copied) == published
    checked = subprocess.run(
        [required_tool("sha256sum"), "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=copied, check=False
    )
    assert checked.returncode == 0


def test_a_figure_of_the_text_is_linked_to_the_line_that_proves_it(built):
    page = built["zh/results/2026-11-30-first.html"].decode()

    href = re.search(r'<a class="bound" href="([^"]+)" title="run.json /tally/accepted">11</a> 次，接受', page)
    assert href is not None
    assert href[1].endswith("#run.json.tally.accepted")


@pytest.mark.report("A20")
def test_bold_text_of_a_chinese_page_is_bold(built):
    page = built["zh/protocols/tiny/1.0.html"].decode()

    assert "<strong>已冻结，</strong>不得更改" in page


def test_languages_whose_text_is_built_differently_are_told(project):
    path = PROTOCOL.format("zh")
    replace(project, path, "sealbook run tiny", "sealbook run 小")
    replace(project, RESULT.format("zh"), "{value}`/tally/planned`", "12")

    problems = told(project)

    where = rf"{re.escape(path)}: line \d+: 1 code blocks, {re.escape(PROTOCOL.format('en'))} has 1; .*, line \d+"
    assert any(re.fullmatch(where, line) for line in problems)
    assert any(re.match(rf"{re.escape(RESULT.format('zh'))}: (line \d+: )?1 bound figures", line) for line in problems)


def test_every_bad_link_and_figure_of_every_language_is_told_at_once(project):
    files = [path.format(language) for path in (RESULT, PROTOCOL) for language in ("en", "zh")]
    for file in files:
        text = (project / file).read_text(encoding="utf-8")
        write(project, file, text + "\n[x](gone.md)\n{value}`/tally/none`\n")

    problems = told(project)

    for file in files:
        last = (project / file).read_text(encoding="utf-8").count("\n")
        mine = [line for line in problems if line.startswith(f"{file}: ")]
        assert len(mine) == 2, problems
        assert f"line {last - 1}: nothing of the site is at 'gone.md'" in mine[0]
        assert f"line {last}: no figure '/tally/none'" in mine[1]


def test_a_dead_anchor_is_told(project):
    replace(project, PROTOCOL.format("zh"), "#发现", "#没有")

    [problem] = told(project)
    assert re.match(rf"{re.escape(PROTOCOL.format('zh'))}: line \d+: nothing of the site is at '.*#没有'", problem)


def test_evidence_that_was_changed_builds_no_site(project):
    replace(project, f"manifests/tiny/evidence/{RUN}/attempts.jsonl", '"accepted"', '"rejected"')
    build_before = sorted(project.iterdir())

    with pytest.raises(SiteError, match=r"attempts\.jsonl"):
        build(project)

    assert sorted(project.iterdir()) == build_before


def test_a_dead_link_in_the_middle_of_a_build_leaves_the_old_site_and_nothing_beside_it(project):
    build(project)
    before = content(project / "site"), sorted(project.iterdir())
    template = (ROOT / "templates" / "attempt.html").read_text(encoding="utf-8")
    dead = "{% if view.title == 'tool.identity-kept.1' %}<a href=\"gone.html\">x</a>{% endif %}"
    write(project, "templates/attempt.html", template.replace("<h1", dead + "<h1"))

    with pytest.raises(PageError) as caught:
        build(project)

    page = f"attempts/tiny/{RUN}/tool.identity-kept.1.html"
    assert [problem.file for problem in caught.value.problems] == [f"site/{name}/{page}" for name in ("en", "zh")]
    assert all("'gone.html' leads nowhere" in problem.what for problem in caught.value.problems)
    shutil.rmtree(project / "templates")
    assert (content(project / "site"), sorted(project.iterdir())) == before


def test_a_build_that_is_killed_leaves_the_old_site_and_the_next_build_clears_up(project):
    build(project)
    before = content(project / "site")
    code = (
        "import os, pathlib, signal, sys; from sitegen.build import build\n"
        "def watch(event, words):\n"
        "    if event == 'open' and '/zh/index.html' in str(words[0]): os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(watch); build(pathlib.Path(sys.argv[1]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(project)], env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as child:
        child.wait()
    begun = project / f".site.new-{child.pid}"

    assert child.returncode == -signal.SIGKILL
    assert content(project / "site") == before
    assert begun.is_dir()
    build(project)
    assert content(project / "site") == before
    assert not list(project.glob(".site.*"))


def test_evidence_that_changes_while_the_site_is_built_builds_no_site(project):
    class Meddling(Held):
        """Changes a sealed file once the build has begun to hand files on."""

        def put(self, path, pieces):
            if not self.files:
                replace(project, f"manifests/tiny/evidence/{RUN}/timings.jsonl", "kept", "held")
            super().put(path, pieces)

    with pytest.raises(ContractError, match=r"timings\.jsonl.*changed after it was compared with the seal"):
        produce(project, Meddling())


@pytest.mark.parametrize("place", ["content/site", "manifests", "docs/x"])
def test_a_site_among_its_own_sources_is_refused(project, place):
    with pytest.raises(SiteError, match="lies among the sources"):
        build(project, project / place)


@pytest.mark.report("A17")
def test_hostile_text_is_text_on_every_page(tmp_path):
    root = a_project(tmp_path, title=HOSTILE, output=f"{HOSTILE}\x1b[31m\x00\u202e\n")
    for language in ("en", "zh"):
        for path in (PROTOCOL.format(language), RESULT.format(language)):
            text = (root / path).read_text(encoding="utf-8")
            text = re.sub(r'^(title|summary) = ".*"$', rf"\1 = '{HOSTILE}'", text, flags=re.MULTILINE)
            write(root, path, f"{text}\n## {HOSTILE}\n\n{HOSTILE}\n\n```text\n{HOSTILE}\n```\n")
    text = (root / "content/site.toml").read_text(encoding="utf-8")
    write(root, "content/site.toml", re.sub(r'= "[^"]*"', f'= "{HOSTILE}"', text))

    pages = {path: data.decode() for path, data in make_site(root).files.items() if path.endswith(".html")}

    shown = 0
    for path, page in pages.items():
        found = Elements(page)
        assert "img" not in found.names, path
        assert not [name for name in found.attributes if name.startswith("on")], path
        assert found.scripts <= SCRIPTS, path
        assert not re.search(r"[\x00\x1b\u202e]", page), path
        shown += HOSTILE in found.text
    assert shown > len(pages) // 2


@pytest.mark.report("A22")
def test_two_builds_of_one_project_are_the_same_bytes_anywhere(pristine, built, tmp_path):
    backwards = tmp_path / "a path with blanks" / "二"
    for path in sorted((path for path in pristine.rglob("*") if path.is_file()), reverse=True):
        copy = backwards / path.relative_to(pristine)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    elsewhere = {"TZ": "Asia/Kathmandu", "LANG": "zh_CN.UTF-8", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "4711"}
    code = "import os, pathlib, sys; os.umask(0o077); from sitegen.build import build; build(pathlib.Path(sys.argv[1]))"

    environment = os.environ | elsewhere | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, str(backwards)], env=environment, check=True, cwd=tmp_path)

    second = content(backwards / "site")
    assert {path: second[path] for path in second if not path.startswith(".")} == built
    assert str(pristine).encode() not in b"".join(built.values())


def test_a_style_sheet_of_the_theme_that_is_not_utf_8_is_told_and_one_that_was_sealed_is_left_alone(tmp_path):
    project = a_project(tmp_path, artifacts={"kept.css": b"@import 'https://example.org/\xe4.css';"})
    assert make_site(project).pages

    write(project, "templates/assets/more.css", "")
    (project / "templates/assets/more.css").write_bytes(b"a{}\nb{content:'\xe4'}")
    with pytest.raises(PageError, match=r"assets/more\.css: line 2: not UTF-8"):
        make_site(project)
