"""The verbs of the site: what they print, what they leave, and how they end."""

import json
import shutil

import pytest

import sealbook
from tests.sitegen.projects import RESULT, RUN, a_project, replace


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """One project that nobody changes."""
    return a_project(tmp_path_factory.mktemp("pristine"))


@pytest.fixture
def project(pristine, tmp_path):
    """A copy of it to break."""
    return shutil.copytree(pristine, tmp_path / "project")


@pytest.fixture
def run(capsys):
    """Run the command: exit code, standard output, standard error."""

    def sealed_book(root, *arguments):
        with pytest.raises(SystemExit) as ended:
            sealbook.main(["--root", str(root), *map(str, arguments)])
        shown = capsys.readouterr()
        return ended.value.code, shown.out, shown.err

    return sealed_book


def test_build_writes_the_site_and_says_where_and_check_agrees(project, run):
    (project / "site").mkdir()
    (project / "site" / ".gitignore").write_text("*\n", encoding="utf-8")

    code, out, err = run(project, "build")

    assert (code, err) == (0, "")
    assert out.startswith(f"{project / 'site' / 'index.html'}: ")
    assert "studies: 1, sealed runs: 1" in out
    assert (project / "site" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    code, out, err = run(project, "check")
    assert code == 0
    assert "no problem" in out
    assert "no base_url" in err
    assert "feed, sitemap and Open Graph tags are left out" in err


def test_check_writes_nothing_and_counts_for_machines(project, run):
    before = sorted(path for path in project.rglob("*"))

    code, out, _ = run(project, "check", "--json")

    assert code == 0
    assert json.loads(out)["pages"] > 40
    assert sorted(path for path in project.rglob("*")) == before


def test_a_site_edited_by_hand_fails_the_check(project, run):
    run(project, "build")
    page = project / "site" / "zh" / "index.html"
    page.write_bytes(page.read_bytes() + b"<!-- better -->")

    code, _, err = run(project, "check")

    assert code == 1
    assert err == "sealbook: site/zh/index.html: differs from what the sources give; build the site again\n"


def test_all_problems_come_as_lines_or_as_json_and_the_old_site_stays(project, run):
    run(project, "build")
    before = (project / "site" / "index.html").read_bytes()
    for language in ("en", "zh"):
        replace(project, RESULT.format(language), f'run = "{RUN}"', 'run = "20200101T000000Z"')
    replace(project, "content/site.toml", "title", "titel")

    code, out, err = run(project, "build")

    assert (code, out) == (1, "")
    assert len(err.splitlines()) >= 3
    assert all(line.startswith("sealbook: content/") for line in err.splitlines())
    assert (project / "site" / "index.html").read_bytes() == before
    code, out, err = run(project, "check", "--json")
    assert (code, err) == (1, "")
    assert {problem["file"] for problem in json.loads(out)["problems"]} == {
        "content/site.toml",
        RESULT.format("en"),
        RESULT.format("zh"),
    }


def test_build_refuses_a_folder_with_other_things_in_it(project, run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work", encoding="utf-8")

    code, _, err = run(project, "build", "--out", tmp_path / "mine")

    assert code == 3
    assert "thesis.txt" in err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_unbound_numbers_and_unsupported_claims_are_warnings_and_refused_if_strict(project, run):
    replace(project, RESULT.format("zh"), "## 发现", "## 发现\n\n其中 3 次失败。甲\u202e优于乙。")
    replace(project, RESULT.format("en"), "## Findings", "## Findings\n\nA is better than B.\n3 failed.")
    english, chinese = RESULT.format("en"), RESULT.format("zh")
    claims = "and cites no claim; cite a claim that the run supports, {claim}`id`, or deny it and mark the words"
    binds = "is bound to no evidence; bind it as {value}`/pointer`, or mark it {literal}`3` if it is no result"
    expected = [
        f"{english}: line 12: 'better than' asserts superiority {claims} {{disclaimed}}`better than`",
        f"{english}: line 13: the number '3' {binds}",
        f"{chinese}: line 12: '优于' asserts superiority {claims} {{disclaimed}}`优于`",
        f"{chinese}: line 12: the number '3' {binds}",
    ]

    code, out, err = run(project, "build")
    assert (code, err.splitlines()) == (0, [f"sealbook: warning: {line}" for line in expected])
    built = sorted((project / "site").rglob("*"))

    code, out, err = run(project, "check")
    assert code == 0
    assert out.endswith(", warnings: 4\n")
    code, out, err = run(project, "check", "--json")
    assert code == 0
    warnings = json.loads(out)["warnings"]
    assert [f"{item['file']}: {item['where']}: {item['what']}; {item['todo']}" for item in warnings] == expected
    assert "warning" not in err

    for verb in ("build", "check"):
        code, out, err = run(project, verb, "--strict")
        assert (code, out, err.splitlines()) == (1, "", [f"sealbook: {line}" for line in expected])
    code, out, _ = run(project, "check", "--strict", "--json")
    assert code == 1
    assert len(json.loads(out)["problems"]) == 4
    assert sorted((project / "site").rglob("*")) == built


def test_a_text_without_warnings_is_built_if_strict(project, run):
    code, _, err = run(project, "build", "--strict")

    assert (code, err) == (0, "")
