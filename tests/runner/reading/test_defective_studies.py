"""One small study a defect, made by one change: `sealbook plan` says exactly what is wrong, where, and ends with 1."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import sealbook
from runner.contract.qualification.design import Feature
from tests.runner.reading.defects import (
    ANOTHER_DIGEST,
    HELP,
    HELP_DIGEST,
    LICENSES,
    STUDY,
    TASKS,
    Defect,
    a_kill,
    a_run,
    a_start,
    added,
    put_in_place,
    replaced,
    rewrite,
    rewritten,
    step,
    unpinned,
    without_checks,
)
from tests.studies import a_study


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("project")
    a_study(root / "manifests")
    (root / "content").mkdir()
    (root / "content" / "site.toml").write_text("", encoding="utf-8")
    return Path(root)


@pytest.fixture
def project(template, tmp_path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "project"))


@dataclass(frozen=True, slots=True)
class Case:
    defect: Defect
    said: tuple[str, ...]
    """Each line without the `sealbook: manifests/tiny/` that all of them begin with."""


def case(defect: Defect, *said: str) -> Case:
    return Case(defect, said)


DEFECTS = {
    "caps-without-wall-clock": case(
        replaced(STUDY, "attempt_seconds = 60, ", ""),
        "study.toml: caps.attempt_seconds: field required; see the schema",
    ),
    "caps-below-one-second": case(
        replaced(STUDY, "process_seconds = 10", "process_seconds = 0"),
        "study.toml: caps.process_seconds: input should be greater than or equal to 1 (found 0); see the schema",
    ),
    "unknown-field": case(
        replaced(STUDY, "quick = true", "quick = true\nfast = true", (TASKS, "slow = false", "slow = false\nhard = 1")),
        "study.toml: fast: extra inputs are not permitted; see the schema",
    ),
    "unknown-tier": case(
        replaced(STUDY, 'tier = "process"', 'tier = "vm"'),
        "study.toml: tier: input should be 'process' or 'bwrap' (found 'vm'); see the schema",
    ),
    "unknown-step": case(
        replaced(TASKS, 'do = "run"', 'do = "edit"'),
        (
            "tasks/tool.toml: checks[0].steps[0]: input tag 'edit' found using 'do' does not match any of "
            "the expected tags: 'run', 'race', 'start', 'service', 'kill', 'wait'; see the schema"
        ),
    ),
    "toml-with-float": case(
        replaced(STUDY, "attempt_seconds = 60", "attempt_seconds = 6e1"),
        "study.toml: caps.attempt_seconds: 60.0 is a float; use an integer",
    ),
    "toml-with-not-a-number": case(
        replaced(STUDY, "attempt_seconds = 60", "attempt_seconds = nan"),
        "study.toml: caps.attempt_seconds: nan is a float; use an integer",
    ),
    "toml-with-integer-of-5001-digits": case(
        replaced(STUDY, "attempt_seconds = 60", f"attempt_seconds = {'6' * 5001}"),
        "study.toml: line 8: an integer beyond 2^53-1; write it as text",
    ),
    "toml-with-integer-beyond-2-to-53": case(
        replaced(STUDY, "attempt_seconds = 60", f"attempt_seconds = {2**53}"),
        "study.toml: caps.attempt_seconds: an integer beyond 2^53-1; write it as text",
    ),
    "toml-with-key-of-a-thousand-parts": case(
        replaced(STUDY, "quick = true", f"quick = true\n{'.'.join('k' * 1000)} = 1"),
        "study.toml: line 7: a key of more than 64 parts; flatten it",
    ),
    "toml-nested-a-hundred-levels": case(
        replaced(STUDY, "quick = true", f"quick = {'[' * 100}{']' * 100}"),
        "study.toml: quick[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…: nested deeper than 64 levels; flatten it",
    ),
    "toml-nested-a-hundred-thousand-levels": case(
        replaced(STUDY, "quick = true", f"quick = {'[' * 100_000}"), "study.toml: nested too deeply; flatten it"
    ),
    "toml-with-key-twice": case(
        replaced(STUDY, "quick = true", "quick = true\nquick = false"),
        "study.toml: line 7, column 14: not TOML: cannot overwrite a value; mend the syntax there",
    ),
    "toml-without-value": case(
        replaced(LICENSES, 'version = "1.0"', "version ="),
        "licenses.toml: line 5, column 10: not TOML: invalid value; mend the syntax there",
    ),
    "toml-with-byte-order-mark": case(
        replaced(STUDY, "format", "\ufeffformat"), "study.toml: begins with a byte order mark; store UTF-8 without one"
    ),
    "toml-in-utf-16": case(
        rewritten(LICENSES, 'format = "sealbook.licenses/1"\n'.encode("utf-16")),
        "licenses.toml: byte 0: not UTF-8; save the file as UTF-8",
    ),
    "toml-beyond-the-largest-size": case(
        rewritten(LICENSES, b"#" * (512 * 1024 + 1)), "licenses.toml: 524289 bytes, more than 524288; split the file"
    ),
    "nothing-in-it": case(
        rewritten(LICENSES, b""),
        "licenses.toml: format: field required; see the schema",
        "licenses.toml: rows: field required; see the schema",
    ),
    "format-of-another-version": case(
        replaced(STUDY, "sealbook.study/1", "sealbook.study/2", (TASKS, "tasks/1", "tasks/2")),
        "study.toml: format: input should be 'sealbook.study/1' (found 'sealbook.study/2'); see the schema",
    ),
    "title-in-one-language": case(
        replaced(STUDY, ', zh = "小研究"', ""), "study.toml: title.zh: field required; see the schema"
    ),
    "name-of-another-folder": case(
        replaced(STUDY, 'id = "tiny"', 'id = "small"'),
        "study.toml: id: 'small' differs from the folder's name 'tiny'; give both the same name",
    ),
    "no-limit-stated": case(
        replaced(STUDY, "limits = [{", "limits = [] # [{"),
        "study.toml: limits: tuple should have at least 1 item after validation, not 0; see the schema",
    ),
    "two-limits-of-one-name": case(
        replaced(STUDY, "limits = [{", 'limits = [{ id = "scripted", text = { en = "a", zh = "b" } }, {'),
        "study.toml: limit ids must be unique, twice: scripted; correct it",
    ),
    "pin-of-another-file": case(
        replaced(STUDY, HELP_DIGEST, ANOTHER_DIGEST),
        (
            f"study.toml: pinned[0].sha256: fixtures/help/tool.txt has the SHA-256 {HELP_DIGEST}, "
            f"the manifest pins {ANOTHER_DIGEST}; restore the file, or pin the new digest before the next run"
        ),
    ),
    "pin-of-a-file-that-is-missing": case(
        put_in_place(HELP, lambda path: None),
        "fixtures/help/tool.txt: no such file or directory; create it or correct the name",
    ),
    "pin-of-a-folder": case(
        put_in_place(HELP, lambda path: path.mkdir()),
        "fixtures/help/tool.txt: not a regular file; create it or correct the name",
    ),
    "pin-of-a-link": case(
        put_in_place(HELP, lambda path: path.symlink_to("/etc/passwd")),
        "fixtures/help/tool.txt: a symbolic link; create it or correct the name",
    ),
    "pin-of-a-pipe": case(
        put_in_place(HELP, os.mkfifo), "fixtures/help/tool.txt: not a regular file; create it or correct the name"
    ),
    "pin-outside-the-study": case(
        replaced(STUDY, f'path = "{HELP}"', 'path = "../../content/site.toml"'),
        (
            "study.toml: pinned[0].path: string should match pattern "
            "'^[A-Za-z0-9._][A-Za-z0-9._+-]*(?:/[A-Za-z0-9_][A-Za-z0-9._+-]*)*$' (found "
            "'../../content/site.toml'); see the schema"
        ),
    ),
    "pin-that-stands-twice": case(
        replaced(STUDY, "[[pinned]]", f'[[pinned]]\npath = "{HELP}"\nsha256 = "{HELP_DIGEST}"\n[[pinned]]'),
        "study.toml: pinned paths must be unique, twice: fixtures/help/tool.txt; correct it",
    ),
    "digest-in-capitals": case(
        replaced(STUDY, HELP_DIGEST, HELP_DIGEST.upper()),
        (
            "study.toml: pinned[0].sha256: string should match pattern '^[0-9a-f]{64}$' (found "
            "'B3F8DE1C5D2087E4D98B861A0ADBFE50E609DC4DDA5BE10B90052B08FF2C869E'); see the schema"
        ),
    ),
    "tasks-not-pinned": case(
        unpinned(TASKS),
        "study.toml: design.subjects[0].tasks[0]: tasks/tool.toml is not pinned; add it to `pinned` in study.toml",
    ),
    "licenses-not-pinned": case(
        unpinned(LICENSES), "study.toml: pinned: licenses.toml is not pinned; add it to `pinned` in study.toml"
    ),
    "help-not-pinned": case(
        unpinned(HELP),
        "tasks/tool.toml: not_offered[0].help: fixtures/help/tool.txt is not pinned; add it to `pinned` in study.toml",
        "tasks/tool.toml: not_offered[1].help: fixtures/help/tool.txt is not pinned; add it to `pinned` in study.toml",
        "tasks/tool.toml: not_offered[2].help: fixtures/help/tool.txt is not pinned; add it to `pinned` in study.toml",
    ),
    "a-file-that-nothing-pins": case(
        added("tasks/more.toml", b"# not part of the study\n"),
        "study.toml: pinned: tasks/more.toml is not pinned; add it to `pinned` in study.toml, or remove it",
    ),
    "tasks-of-another-subject": case(
        replaced(TASKS, 'subject = "tool"', 'subject = "other"'),
        "tasks/tool.toml: subject: 'other' is not the subject 'tool' that names this file; correct the name",
    ),
    "two-subjects-of-one-name": case(
        replaced(STUDY, 'id = "hidden"', 'id = "tool"'),
        "study.toml: design: subject ids must be unique, twice: tool; correct it",
    ),
    "two-checks-of-one-name": case(
        replaced(TASKS, 'id = "identity-kept"', 'id = "persistence-kept"'),
        "tasks/tool.toml: check ids must be unique, twice: persistence-kept; correct it",
    ),
    "two-license-rows-of-one-name": case(
        lambda study: rewrite(
            study,
            LICENSES,
            (text := (study / LICENSES).read_bytes()) + text[text.index(b"[[rows]]") :],
        ),
        "licenses.toml: row ids must be unique, twice: tool; correct it",
    ),
    "two-steps-of-one-name": case(
        step(a_run() + a_run()),
        "tasks/tool.toml: checks[0]: step ids must be unique in a check, twice: ask; correct it",
    ),
    "step-with-unknown-placeholder": case(
        step(a_run(argv='"{command}", "{token}"')),
        "tasks/tool.toml: checks[0]: step ask: unknown placeholder {token}; correct it",
    ),
    "step-that-uses-its-own-capture": case(
        step(a_run(argv='"{command}", "{token}"', more='capture = [{ name = "token", at = "/id" }]')),
        "tasks/tool.toml: checks[0]: step ask: unknown placeholder {token}; correct it",
    ),
    "step-that-captures-a-built-in-name": case(
        step(a_run(more='capture = [{ name = "work", at = "/id" }]')),
        "tasks/tool.toml: checks[0]: step ask: {work} has a meaning of its own and cannot be captured; correct it",
    ),
    "step-in-a-folder-outside": case(
        step(a_run(more='cwd = "../elsewhere"')),
        (
            "tasks/tool.toml: checks[0].steps[0].cwd: string should match pattern "
            "'^(?:\\.|[a-z0-9-]+(?:/[a-z0-9-]+)*)$' (found '../elsewhere'); see the schema"
        ),
    ),
    "kill-of-what-never-started": case(
        step(a_run() + a_kill("kill", "hold")),
        "tasks/tool.toml: checks[0]: step kill: no earlier step starts 'hold'; correct it",
    ),
    "kill-of-what-is-dead": case(
        step(a_start() + a_kill("kill", "hold") + a_kill("again", "hold")),
        "tasks/tool.toml: checks[0]: step again: an earlier step has killed 'hold' already; correct it",
    ),
    "race-with-more-winners-than-contenders": case(
        step(
            '[[checks.steps]]\ndo = "race"\nid = "race"\nargv = ["{command}"]\ncontenders = 2\nwinners = 3\n'
            'winner = [{ expect = "exit", code = 0 }]\n'
        ),
        "tasks/tool.toml: checks[0]: step race: more winners than contenders; correct it",
    ),
    "check-without-expectation": case(
        step(a_run().replace('expect = [{ expect = "exit", code = 0 }]', "expect = []")),
        (
            "tasks/tool.toml: checks[0].steps[0].expect: tuple should have at least 1 item after "
            "validation, not 0; see the schema"
        ),
    ),
    "check-that-only-waits": case(
        step('[[checks.steps]]\ndo = "wait"\nid = "wait"\nmilliseconds = 1\nwhy = { en = "a", zh = "b" }\n'),
        "tasks/tool.toml: checks[0]: nothing is judged: give at least one step an expectation; correct it",
    ),
    "check-without-steps": case(
        step("steps = []\n"),
        "tasks/tool.toml: checks[0].steps: tuple should have at least 1 item after validation, not 0; see the schema",
    ),
    "service-of-a-program-not-listed": case(
        step(a_run() + '[[checks.steps]]\ndo = "service"\nid = "serve"\nargv = ["nats-server"]\nport = "main"\n'),
        (
            "study.toml: design.tools, tool.identity-kept, steps[1].argv[0]: 'nats-server' is not one of "
            "`design.tools`; list it there in study.toml"
        ),
    ),
    "feature-neither-checked-nor-declared": case(
        replaced(TASKS, 'feature = "identity"', 'feature = "persistence"'),
        "tasks/tool.toml: neither checked nor declared as not offered: identity; correct it",
    ),
    "feature-both-checked-and-declared": case(
        replaced(TASKS, 'feature = "identity"', 'feature = "crash"'),
        (
            "tasks/tool.toml: both checked and not offered: crash; neither checked nor declared as not "
            "offered: identity; correct it"
        ),
    ),
    "feature-declared-twice": case(
        without_checks(Feature.replay), "tasks/tool.toml: declared as not offered twice: replay; correct it"
    ),
    "more-than-a-third-not-offered": case(
        without_checks(Feature.identity, Feature.persistence, Feature.non_owner),
        "tasks/tool.toml: 6 of 15 features not offered, over a third; correct it",
    ),
    "license-concluded-without-a-name": case(
        replaced(LICENSES, '{ conclusion = "none" }', '{ conclusion = "concluded", expression = "MIT" }'),
        "licenses.toml: rows[0].concluded.by: field required; see the schema",
        "licenses.toml: rows[0].concluded.on: field required; see the schema",
        "licenses.toml: rows[0].concluded.why: field required; see the schema",
    ),
    "license-verdict-stated": case(
        replaced(LICENSES, 'name = "tool"', 'name = "tool"\nstate = "cleared"'),
        "licenses.toml: rows[0].state: extra inputs are not permitted (found 'cleared'); see the schema",
    ),
    "three-files-with-a-defect-each": case(
        replaced(
            STUDY,
            'id = "tiny"',
            'id = "small"',
            (TASKS, 'subject = "tool"', 'subject = "other"'),
            (LICENSES, 'version = "1.0"', "version = 1"),
        ),
        "licenses.toml: rows[0].version: input should be a valid string (found 1); see the schema",
        "study.toml: id: 'small' differs from the folder's name 'tiny'; give both the same name",
        "tasks/tool.toml: subject: 'other' is not the subject 'tool' that names this file; correct the name",
    ),
}


def planned(project: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int | str | None, str, list[str]]:
    """Exit code, output and lines of complaint of `sealbook plan tiny`."""
    with pytest.raises(SystemExit) as ended:
        sealbook.main(["--root", str(project), "plan", "tiny"])
    out, err = capsys.readouterr()
    return ended.value.code, out, err.splitlines()


def everything(project: Path) -> list[str]:
    return sorted(str(path.relative_to(project)) for path in project.rglob("*"))


def test_the_study_without_a_defect_is_planned(project, capsys):
    code, out, err = planned(project, capsys)
    assert (code, err) == (0, [])
    assert "tool.identity-kept.1" in out


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_named_exactly_and_nothing_is_written(project, capsys, name):
    DEFECTS[name].defect(project / "manifests" / "tiny")
    before = everything(project)
    code, out, err = planned(project, capsys)
    assert [line.removeprefix("sealbook: manifests/tiny/") for line in err] == list(DEFECTS[name].said)
    assert (code, out) == (1, "")
    assert everything(project) == before


def test_the_command_itself_ends_with_1_and_no_traceback(project):
    DEFECTS["two-steps-of-one-name"].defect(project / "manifests" / "tiny")
    command = [sys.executable, "-m", "sealbook", "--root", str(project), "plan", "tiny"]
    root = Path(sealbook.__file__).parent
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    expected = [f"sealbook: manifests/tiny/{line}" for line in DEFECTS["two-steps-of-one-name"].said]
    assert ended.stderr.splitlines() == expected
