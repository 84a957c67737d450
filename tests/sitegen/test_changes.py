"""A result that was withdrawn or superseded stays, says so on its page and in lists, and names what replaces it."""

import json
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from sitegen.errors import SiteError
from tests.sitegen.built import make_site
from tests.sitegen.histories import STANDING, SUPERSEDED, WITHDRAWN, a_history, result_file
from tests.sitegen.pages.sample import main_of, steady
from tests.sitegen.projects import RUN, replace, write
from tests.sitegen.rendered import rendered

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """One project that nobody changes."""
    root = a_history(tmp_path_factory.mktemp("history"))
    replace(root, "content/site.toml", "title = ", 'base_url = "https://example.org/book"\ntitle = ')
    return root


@pytest.fixture(scope="module")
def files(pristine):
    return make_site(pristine).files


@pytest.fixture
def project(pristine, tmp_path):
    """A copy of it to break."""
    return shutil.copytree(pristine, tmp_path / "project")


def page(files, language: str, path: str) -> str:
    """What a page says inside `<main>`."""
    return main_of(files[f"{language}/{path}"].decode())


def notice(main: str) -> str:
    """The band that tells what became of a result, as text."""
    found = re.search(r'<div class="notice [^"]*" id="result\.change">(.*?)</div>', main, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def told(root) -> list[tuple[str, str, str]]:
    """File, place and defect of each problem."""
    with pytest.raises(SiteError) as caught:
        make_site(root)
    return [(problem.file, problem.where, problem.what) for problem in caught.value.problems]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_a_withdrawn_result_is_as_expected(files, golden, language):
    golden(f"history/result-withdrawn.{language}.html", steady(page(files, language, f"results/{WITHDRAWN}.html")))


@pytest.mark.parametrize(
    ("language", "word", "reason", "read"),
    [("en", "superseded", "The text called claim atomic.", "Read instead"), ("zh", "已被取代", "文中误称", "请改读")],
)
def test_a_superseded_result_says_so_first_with_its_reason_and_successor(files, language, word, reason, read):
    main = page(files, language, f"results/{SUPERSEDED}.html")
    said = notice(main)

    assert word in said
    assert "2026-12-02 UTC" in said
    assert reason in said
    assert read in said
    assert main.index("result.change") < main.index("report.features")
    assert f'href="{STANDING}.html"' in main


def test_a_changed_result_keeps_everything_that_it_said(files, pristine, tmp_path):
    before = a_history(tmp_path / "before")
    for language in ("en", "zh"):
        file = result_file(SUPERSEDED, language)
        text = (before / file).read_text(encoding="utf-8")
        text = text.replace('status = "superseded"', 'status = "qualification"')
        write(before, file, re.sub(r"^(was|changed|reason|successor) = .*\n", "", text, flags=re.MULTILINE))
    path = f"results/{SUPERSEDED}.html"
    earlier = rendered(before, path)
    for language in ("en", "zh"):
        then = main_of(earlier[f"{language}/{path}"])
        now = page(files, language, path)
        body = then[then.index("</ul>") :]
        assert len(body) > 5000
        assert body in now
        assert "qualification" in now or "鉴定" in now


def test_a_withdrawn_result_may_have_no_successor_and_says_that(files):
    said = notice(page(files, "en", f"results/{WITHDRAWN}.html"))

    assert "withdrawn" in said
    assert "It named the wrong tool." in said
    assert "No other result takes its place." in said


@pytest.mark.parametrize(("language", "words"), [("en", "Replaces"), ("zh", "取代")])
def test_the_successor_links_back(files, language, words):
    main = page(files, language, f"results/{STANDING}.html")

    found = re.search(r'<p class="replaces">(.*?)</p>', main)
    assert found is not None
    assert words in found[1]
    assert f'href="{SUPERSEDED}.html"' in found[1]


@pytest.mark.parametrize(("language", "words"), [("en", ("withdrawn", "superseded")), ("zh", ("已撤回", "已被取代"))])
def test_lists_mark_what_was_changed_with_reason_and_successor(files, language, words):
    main = page(files, language, "results/index.html")
    lines = re.findall(r"<li><time .*?</li>", main, re.DOTALL)

    marked = {name: line for name in (WITHDRAWN, SUPERSEDED, STANDING) for line in lines if f'"{name}.html"' in line}
    assert len(lines) == 3
    assert words[0] in marked[WITHDRAWN]
    assert words[1] in lines[1]
    assert f'href="{STANDING}.html"' in lines[1]
    assert not any(word in lines[0] for word in words)


@pytest.mark.parametrize(("language", "words"), [("en", "2 others were withdrawn or superseded"), ("zh", "另有 2 项")])
def test_home_shows_no_changed_result_as_a_latest_one_but_counts_it(files, language, words):
    main = page(files, language, "index.html")

    assert f"results/{STANDING}.html" in main
    assert f"results/{SUPERSEDED}.html" not in main
    assert f"results/{WITHDRAWN}.html" not in main
    assert words in main


def test_the_pages_of_the_run_lead_to_the_result_that_stands(files):
    links = re.findall(r'href="([^"]*results/[^"]*)"', page(files, "en", f"attempts/tiny/{RUN}/index.html"))
    rail = files[f"en/attempts/tiny/{RUN}/index.html"].decode()

    assert all(SUPERSEDED not in link for link in links)
    assert f"results/{STANDING}.html" in rail


def test_feed_and_document_carry_the_change(files):
    feed = ET.fromstring(files["en/feed.xml"])
    entries = {entry.findtext(f"{ATOM}id"): entry for entry in feed.iter(f"{ATOM}entry")}
    early = entries[f"https://example.org/book/en/results/{WITHDRAWN}.html"]
    document = json.loads(files[f"data/results/{SUPERSEDED}/result.json"])

    assert early.findtext(f"{ATOM}title") == "An early plan (withdrawn)"
    assert [item.get("term") for item in early.iter(f"{ATOM}category")] == ["withdrawn"]
    assert early.findtext(f"{ATOM}published") == "2026-11-28T00:00:00Z"
    assert early.findtext(f"{ATOM}updated") == "2026-12-01T00:00:00Z"
    assert document["status"] == "superseded"
    assert document["change"] == {
        "was": "qualification",
        "date": "2026-12-02",
        "reason": {"en": "The text called `claim` atomic.", "zh": "文中误称 `claim` 为原子操作。"},
        "successor": STANDING,
    }
    assert json.loads(files[f"data/results/{STANDING}/result.json"])["change"] is None


@pytest.mark.parametrize("field", ["was", "changed", "reason", "successor"])
def test_a_missing_part_of_a_change_is_told_in_each_file(project, field):
    for language in ("en", "zh"):
        file = result_file(SUPERSEDED, language)
        text = (project / file).read_text(encoding="utf-8")
        write(project, file, re.sub(rf"^{field} = .*\n", "", text, flags=re.MULTILINE))

    wanted = {(result_file(SUPERSEDED, language), field) for language in ("en", "zh")}
    problems = told(project)
    assert wanted <= {(file, where) for file, where, _ in problems}
    assert any("is missing beside the status 'superseded'" in what for _, _, what in problems)


def test_all_that_is_wrong_with_a_change_is_told_at_once(project):
    for language in ("en", "zh"):
        replace(project, result_file(SUPERSEDED, language), 'was = "qualification"\n', "")
        replace(project, result_file(SUPERSEDED, language), 'changed = "2026-12-02"', 'changed = "2026-11-01"')
        replace(project, result_file(STANDING, language), 'status = "qual', 'reason = "x"\nstatus = "qual')
    replace(project, result_file(WITHDRAWN, "zh"), 'changed = "2026-12-01"', 'changed = "2026-12-03"')

    assert {(file, where) for file, where, _ in told(project)} == {
        (result_file(SUPERSEDED, "en"), "was"),
        (result_file(SUPERSEDED, "zh"), "was"),
        (result_file(SUPERSEDED, "en"), "changed"),
        (result_file(SUPERSEDED, "zh"), "changed"),
        (result_file(STANDING, "en"), "reason"),
        (result_file(STANDING, "zh"), "reason"),
        (result_file(WITHDRAWN, "zh"), "changed"),
    }


@pytest.mark.parametrize(
    ("successor", "what"),
    [
        ("2026-12-09-none", "no result '2026-12-09-none'"),
        (SUPERSEDED, "is the result itself"),
        (WITHDRAWN, f"'{WITHDRAWN}' is older than this result"),
    ],
)
def test_a_successor_that_cannot_be_one_is_told_in_each_file(project, successor, what):
    for language in ("en", "zh"):
        replace(project, result_file(SUPERSEDED, language), f'successor = "{STANDING}"', f'successor = "{successor}"')

    assert told(project) == [(result_file(SUPERSEDED, language), "successor", what) for language in ("en", "zh")]


def test_results_that_replace_each_other_are_told_with_the_way_round(project):
    other = "2026-12-02-again"
    for language in ("en", "zh"):
        file = result_file(STANDING, language)
        change = 'status = "superseded"\nwas = "qualification"\nchanged = "2026-12-02"\nreason = "x"\n'
        replace(project, file, 'status = "qualification"\n', f'{change}successor = "{other}"\n')
        text = (project / file).read_text(encoding="utf-8").replace(other, STANDING)
        write(project, result_file(other, language), text)

    circle = f"leads back to this result: {STANDING} → {other} → {STANDING}"
    problems = told(project)
    assert (result_file(STANDING, "en"), "successor", circle) in problems
    assert {file for file, _, _ in problems} == {
        result_file(name, language) for name in (STANDING, other) for language in ("en", "zh")
    }


def test_a_result_may_be_held_before_any_run(project):
    for language in ("en", "zh"):
        file = result_file(WITHDRAWN, language)
        text = (project / file).read_text(encoding="utf-8").replace('"withdrawn"', '"held"')
        write(project, file, re.sub(r"^(was|changed|reason) = .*\n", "", text, flags=re.MULTILINE))
    assert "held" in page(make_site(project).files, "en", f"results/{WITHDRAWN}.html")
