"""Sources are read whole and verified, and all that is wrong with them is told at once."""

import shutil
from pathlib import Path

import pytest

from sitegen.errors import SiteError
from sitegen.sources import load
from tests.factories import a_sealed_run
from tests.sitegen.projects import PROTOCOL, RESULT, RUN, a_project, replace, write
from tests.studies import a_study
from tests.tools.rules import Proof, Standing, record

ROOT = Path(__file__).parents[2]

EN, ZH = PROTOCOL.format("en"), PROTOCOL.format("zh")
RESULT_EN, RESULT_ZH = RESULT.format("en"), RESULT.format("zh")
EVIDENCE = f"manifests/tiny/evidence/{RUN}"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """One project that nobody changes."""
    return a_project(tmp_path_factory.mktemp("pristine"))


@pytest.fixture
def project(pristine, tmp_path):
    """A copy of it to break."""
    return shutil.copytree(pristine, tmp_path / "project")


def told(root) -> list[tuple[str, str, str]]:
    """File, place and defect of each problem."""
    with pytest.raises(SiteError) as caught:
        load(root)
    return [(problem.file, problem.where, problem.what) for problem in caught.value.problems]


def test_a_project_is_read_as_it_is_written(pristine):
    site = load(pristine)

    assert site.config.title.zh == "小证据"
    assert [(p.id, p.version, p.status) for p in site.protocols] == [("tiny", "1.0", "active")]
    assert site.protocols[0].documents["zh"].title == "小规程"
    assert site.results[0].name == "2026-11-30-first"
    assert [(s.id, [(r.id, r.published) for r in s.runs]) for s in site.studies] == [("tiny", [(RUN, True)])]
    assert site.rules is None


def test_the_body_of_a_document_knows_its_line(pristine):
    document = load(pristine).protocols[0].documents["en"]
    lines = (pristine / document.path).read_text(encoding="utf-8").split("\n")

    assert document.body.split("\n") == lines[document.body_line - 1 :]


def test_newer_runs_and_versions_come_first_and_unpublished_runs_only_when_wanted(project):
    newer = a_sealed_run(project, a_study(project / "manifests"), started_at="2026-11-30T05:00:00Z")
    for language in ("en", "zh"):
        text = (project / PROTOCOL.format(language)).read_text(encoding="utf-8")
        for version in ("1.2", "1.10"):
            write(project, f"content/protocols/tiny/{version}.{language}.md", text.replace('"1.0"', f'"{version}"'))

    site = load(project)
    published = load(project, include_unpublished=False)

    assert [(run.id, run.published) for run in site.studies[0].runs] == [(newer.run.run, False), (RUN, True)]
    assert [run.id for run in published.studies[0].runs] == [RUN]
    assert [protocol.version for protocol in site.protocols] == ["1.10", "1.2", "1.0"]


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("content/site.toml", "title", "titel", [("content/site.toml", "title"), ("content/site.toml", "titel")]),
        ("content/site.toml", "title = {", 'base_url = "ftp://x"\ntitle = {', [("content/site.toml", "base_url")]),
        (
            "content/site.toml",
            "title = {",
            "base_url = 'https://\"b'\ntitle = {",
            [("content/site.toml", "base_url")],
        ),
        ("content/site.toml", "title = ", "title ", [("content/site.toml", "line 1, column 7")]),
        (ZH, 'version = "1.0"', "version = 1.0", [(ZH, "version")]),
        (ZH, 'date = "2026-11-30"', 'date = "2026-12-01"', [(ZH, "date")]),
        (ZH, 'status = "active"', 'status = "draft"', [(ZH, "status")]),
        (ZH, 'status = "active"', 'status = "done"', [(ZH, "status")]),
        (ZH, "+++\ntitle", "title", [(ZH, "line 1")]),
        (ZH, "\n+++\n", "\n", [(ZH, "line 1")]),
        (ZH, 'summary = "', "summary = ", [(ZH, "line 6, column 11")]),
        (RESULT_ZH, RUN, "20200101T000000Z", [(RESULT_ZH, "run")]),
        (RESULT_ZH, 'study = "tiny"', 'study = "huge"', [(RESULT_ZH, "study")]),
        (RESULT_ZH, 'title = "首个结果"\n', "", [(RESULT_ZH, "title")]),
        (f"{EVIDENCE}/run.json", "2026", "2027", [(f"{EVIDENCE}/run.json", "")]),
    ],
)
def test_a_defect_is_told_by_file_and_place(project, path, old, new, expected):
    replace(project, path, old, new)

    assert set(expected) <= {(file, where) for file, where, _ in told(project)}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("content/site.toml", "title", "titel", "title: is missing; write title = { en"),
        (
            "content/site.toml",
            "title",
            "titel",
            "titel: no such field; remove it or correct its name; there are title,",
        ),
        (ZH, 'version = "1.0"', "version = 1.0", 'write version = "1.0"'),
        (ZH, 'status = "active"', 'status = "done"', 'write status = "draft" or status = "active" or'),
        (ZH, 'status = "active"\n', "", 'status: is missing; write status = "draft" or'),
        (RESULT_ZH, 'title = "首个结果"\n', "", 'title: is missing; write title = "…"'),
    ],
)
def test_a_defect_is_told_with_what_to_write_instead(project, path, old, new, expected):
    replace(project, path, old, new)

    with pytest.raises(SiteError) as caught:
        load(project)

    assert expected in str(caught.value)


def test_both_files_are_named_where_languages_disagree(project):
    replace(project, ZH, 'status = "active"', 'status = "draft"')

    assert told(project) == [(ZH, "status", f"'draft', but 'active' in {EN}")]


def test_a_page_in_one_language_only_is_told_with_the_missing_file(project):
    (project / RESULT_ZH).unlink()

    assert told(project) == [(RESULT_ZH, "", "is missing")]


def test_a_study_without_its_protocol_is_told(project):
    shutil.rmtree(project / "content" / "protocols")

    assert ("manifests/tiny/study.toml", "protocol", "no protocol tiny 1.0 in en and zh") in told(project)


def test_a_result_of_a_run_that_nobody_has_is_told_for_each_language(project):
    for path in (RESULT_EN, RESULT_ZH):
        replace(project, path, RUN, "20200101T000000Z")

    what = f"no sealed run '20200101T000000Z' of tiny (there are: {RUN})"
    assert told(project) == [(RESULT_EN, "run", what), (RESULT_ZH, "run", what)]


def test_only_a_result_that_was_not_run_has_no_run(project):
    for path in (RESULT_EN, RESULT_ZH):
        replace(project, path, f'run = "{RUN}"\n', "")
    assert {(file, where) for file, where, _ in told(project)} == {(RESULT_EN, "run"), (RESULT_ZH, "run")}

    for path in (RESULT_EN, RESULT_ZH):
        replace(project, path, '"qualification"', '"not run"')
    assert load(project).results[0].run is None


def test_a_file_that_is_no_page_is_told(project):
    write(project, "content/results/notes.md", "x")
    write(project, "content/results/2026-11-30-first.fr.md", "x")

    assert [file for file, _, _ in told(project)] == [
        "content/results/2026-11-30-first.fr.md",
        "content/results/notes.md",
    ]


def test_an_unpublished_run_that_does_not_verify_is_told(project):
    run = a_sealed_run(project, a_study(project / "manifests"), started_at="2026-11-30T05:00:00Z")
    (run.folder / "attempts.jsonl").chmod(0o644)
    (run.folder / "attempts.jsonl").write_bytes(b"{}\n")

    assert any(file.startswith(f".sealbook/runs/tiny/{run.run.run}") for file, _, _ in told(project))


def test_a_run_in_a_folder_of_another_name_is_told(project):
    (project / EVIDENCE).rename(project / "manifests/tiny/evidence/20200101T000000Z")

    assert ("manifests/tiny/evidence/20200101T000000Z", "", f"holds the run '{RUN}'") in told(project)


def test_what_the_rules_tool_records_is_read_with_tests_and_outcomes(project):
    proofs = (Proof("tests/test_a.py::test_x", {"passed": 2}), Proof("tests/test_a.py::test_y", {"not run": 1}))
    every = {"rule": [Standing("R1", "One command.", proofs)], "report": [Standing("A1", "80/100.", ())]}
    (project / "docs").mkdir()
    (project / "docs" / "rules-record.json").write_bytes(record(ROOT, every))

    rules = load(project).rules

    assert rules is not None
    assert [(rule.id, rule.text, rule.status) for rule in rules.rules] == [("R1", "One command.", "proved")]
    assert [(t.test, t.outcome, dict(t.cases)) for t in rules.rules[0].tests] == [
        ("tests/test_a.py::test_x", "passed", {"passed": 2}),
        ("tests/test_a.py::test_y", "not run", {"not_run": 1}),
    ]
    assert [(report.id, report.status) for report in rules.reports] == [("A1", "no test")]


def test_a_record_of_the_rules_that_does_not_fit_is_told(project):
    write(project, "docs/rules-record.json", '{"commit":"main","format":1}')

    assert {where for file, where, _ in told(project) if file == "docs/rules-record.json"} >= {"commit", "rules"}


def test_a_defect_in_one_file_hides_none_in_another(project):
    replace(project, ZH, 'status = "active"', 'status = "draft"')
    replace(project, "content/site.toml", "title", "titel")
    replace(project, f"{EVIDENCE}/run.json", "2026", "2027")
    replace(project, "manifests/tiny/study.toml", "quick = true", "quick = 1")

    assert {ZH, "content/site.toml", f"{EVIDENCE}/run.json", "manifests/tiny/study.toml"} <= {
        file for file, _, _ in told(project)
    }
