"""A manifest that is not as it must be is refused with file, key path, rule and remedy, and never with a traceback."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.contract.plan import Selection
from runner.contract.seal import digest
from runner.kinds.qualification.plan import plan
from runner.reading.manifest import read_study
from tests.studies import a_study

TASKS = "tasks/tool.toml"


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("manifests")
    a_study(folder)
    return folder / "tiny"


@pytest.fixture
def study(template, tmp_path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "tiny"))


def edit(study: Path, file: str, old: str, new: str, *, pin: bool = True) -> None:
    """Replace text in a file of the manifest once, and pin the file again unless told not to."""
    path = study / file
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    if file != "study.toml" and pin:
        manifest = (study / "study.toml").read_text(encoding="utf-8")
        sums = digest(before.encode()), digest(path.read_bytes())
        (study / "study.toml").write_text(manifest.replace(*sums), encoding="utf-8")


def problems(study: Path) -> list[str]:
    with pytest.raises(InvalidRecordError) as refused:
        read_study(study)
    return [str(problem) for problem in refused.value.problems]


ANOTHER_STEP = """[[checks.steps]]
do = "wait"
id = "ask"
milliseconds = 1
why = { en = "a", zh = "b" }
[[checks.steps]]"""

DEFECTS = {
    "unknown field": ("study.toml", "quick = true", "quick = true\nfast = true", "tiny/study.toml: fast: extra inputs"),
    "missing field": ("study.toml", "quick = true\n", "", "tiny/study.toml: quick: field required"),
    "wrong type": (
        "study.toml",
        "quick = true",
        'quick = "yes"',
        "quick: input should be a valid boolean",
    ),
    "float": ("study.toml", "attempt_seconds = 60", "attempt_seconds = 60.0", "caps.attempt_seconds: 60.0 is a float"),
    "beyond a limit": ("study.toml", "attempt_seconds = 60", "attempt_seconds = 9000", "(found 9000)"),
    "huge integer": ("study.toml", "attempt_seconds = 60", f"attempt_seconds = {10**30}", "beyond 2^53-1"),
    "unknown format": ("study.toml", "sealbook.study/1", "sealbook.study/2", "tiny/study.toml: format"),
    "one language missing": ("study.toml", ', zh = "小研究"', "", "tiny/study.toml: title.zh: field required"),
    "no limit stated": ("study.toml", "limits = [{", "limits = [] # [{", "tiny/study.toml: limits"),
    "another folder's name": (
        "study.toml",
        'id = "tiny"',
        'id = "other"',
        "differs from the folder's name 'tiny'",
    ),
    "a date for text": ("study.toml", 'version = "1.0" }', "version = 2026-11-30 }", "protocol.version"),
    "broken syntax": ("study.toml", "quick = true", "quick = ", "tiny/study.toml: line 6"),
    "a key twice": ("study.toml", "quick = true", "quick = true\nquick = true", "not TOML: cannot overwrite a value"),
    "path outside": ("study.toml", 'path = "licenses.toml"', 'path = "../x"', "tiny/study.toml: pinned"),
    "digest in capitals": ("study.toml", 'sha256 = "', 'sha256 = "A', "tiny/study.toml: pinned[0].sha256"),
    "pinned file missing": ("study.toml", 'path = "licenses.toml"', 'path = "no.toml"', "tiny/no.toml: no such file"),
    "unknown kind": (
        "study.toml",
        'kind = "qualification"',
        'kind = "guess"',
        "tiny/study.toml: design: input tag 'guess'",
    ),
    "step id twice": (TASKS, "[[checks.steps]]", ANOTHER_STEP, "step ids must be unique in a check, twice: ask"),
    "unknown step": (TASKS, 'do = "run"', 'do = "edit"', "tiny/tasks/tool.toml: checks[0].steps[0]"),
    "unknown placeholder": (TASKS, '"claim"]', '"{nobody}"]', "step ask: unknown placeholder {nobody}"),
    "unknown expectation": (TASKS, 'expect = "lacks"', 'expect = "likes"', "checks[0].steps[0]"),
    "feature not answered": (TASKS, 'feature = "identity"', 'feature = "persistence"', "neither checked nor declared"),
    "check id twice": (TASKS, 'id = "persistence-kept"', 'id = "identity-kept"', "check ids must be unique, twice"),
    "help not pinned": (
        TASKS,
        'help = "fixtures/help/tool.txt"',
        'help = "fixtures/no.txt"',
        "no.txt is not pinned",
    ),
    "tasks of another subject": (TASKS, 'subject = "tool"', 'subject = "other"', "'other' is not the subject 'tool'"),
    "license row unknown state": (
        "licenses.toml",
        'conclusion = "none"',
        'conclusion = "cleared"',
        "licenses.toml: rows[0]",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_each_defect_is_named_by_file_and_place(study, defect):
    file, old, new, expected = DEFECTS[defect]
    edit(study, file, old, new)
    assert any(expected in problem for problem in problems(study)), problems(study)


def test_a_file_that_is_not_as_pinned_is_refused_with_both_digests(study):
    edit(study, "licenses.toml", '"MIT"', '"Apache-2.0"', pin=False)
    (problem,) = problems(study)
    assert re.search(r"tiny/study.toml: pinned\[\d\].sha256: licenses.toml has the SHA-256 \w{64}", problem)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xef\xbb\xbfid = 1", b"\0", b"a" * (5 * 1024 * 1024), b"[" * 90_000])
def test_bytes_that_are_no_manifest_are_refused_in_one_line(study, data):
    (study / "study.toml").write_bytes(data)
    found = problems(study)
    assert all(problem.startswith("tiny/study.toml") for problem in found)


def test_all_problems_of_all_files_come_together(study):
    edit(study, "licenses.toml", '"MIT"', "1")
    edit(study, TASKS, 'subject = "tool"', 'subject = "other"')
    edit(study, "study.toml", 'id = "tiny"', 'id = "other"')
    files = {problem.split(":")[0] for problem in problems(study)}
    assert files == {"tiny/study.toml", "tiny/licenses.toml", "tiny/tasks/tool.toml"}


FILES = ("study.toml", "licenses.toml", TASKS)
FRAGMENTS = [
    '"',
    "'",
    "[",
    "]",
    "=",
    "\n",
    "{",
    "}",
    "#",
    ",",
    "true",
    "-1",
    "1e9",
    "nan",
    "1979-05-27",
    "\\u0000",
    "𝄞",
]


def mutated(data: bytes, edits: list[tuple[str, float, float, str | bytes]]) -> bytes:
    """Apply edits, each at a place given as a share of the length, so that examples shrink well."""
    for how, start, end, what in edits:
        first = int(start * len(data))
        last = max(first, int(end * len(data))) if how != "insert" else first
        last = min(last, first + 40)
        piece = what.encode() if isinstance(what, str) else what
        data = data[:first] + (b"" if how == "delete" else piece) + data[last:]
    return data


edits = st.lists(
    st.tuples(
        st.sampled_from(["insert", "replace", "delete"]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.sampled_from(FRAGMENTS) | st.binary(max_size=4),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), edits)
@example("study.toml", [("replace", 0.0, 1.0, "")])
def test_a_hundred_mutated_manifests_give_problems_and_never_a_traceback(study, template, file, edits):
    assert all(
        problem.file.startswith("tiny/") and problem.what for problem in problems_of(study, template, file, edits)
    )


@pytest.mark.long
@settings(max_examples=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), edits)
def test_two_thousand_mutated_manifests_give_problems_and_never_a_traceback(study, template, file, edits):
    assert all(
        problem.file.startswith("tiny/") and problem.what for problem in problems_of(study, template, file, edits)
    )


def problems_of(study, template, file, edits) -> tuple[Problem, ...]:
    """What reading and planning the study with a mutated file comes to. Anything but a refusal in words is raised."""
    good = (template / file).read_bytes()
    bad = mutated(good, edits)
    (study / file).write_bytes(bad)
    manifest = (template / "study.toml").read_bytes() if file != "study.toml" else bad
    (study / "study.toml").write_bytes(manifest.replace(digest(good).encode(), digest(bad).encode()))
    try:
        plan(read_study(study), Selection.full)
    except ContractError as error:
        return error.problems or (Problem("", "", "", ""),)
    finally:
        for name in FILES:
            shutil.copyfile(template / name, study / name)
    return ()


def test_the_template_of_the_mutations_is_good(template):
    assert read_study(template).study.id == "tiny"
    assert tomllib.loads((template / TASKS).read_text(encoding="utf-8"))["subject"] == "tool"
