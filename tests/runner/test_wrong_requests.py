"""What is asked for wrongly gets a line or a short list that says what to do, and leaves everything as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sealbook
from tests.studies import a_study

ROOT = Path(sealbook.__file__).parent


@pytest.mark.parametrize("arguments", [["nonsense"], ["run"], ["plan", "tiny", "--fast"], ["verify"]])
def test_a_wrong_command_line_ends_with_2(call, arguments):
    assert call(*arguments).code == 2


def test_outside_a_project_the_command_says_where_it_looked(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = call("studies")
    assert ended.code == 2
    assert ended.err == (
        "sealbook: no content/site.toml here or in any folder above; change into a project or give --root DIR\n"
    )


@pytest.mark.parametrize("verb", [["plan", "nope"], ["prepare", "nope"], ["run", "nope"], ["publish", "nope", "x"]])
def test_an_unknown_study_ends_with_2_and_names_the_known_ones(call, project, verb):
    ended = call(*verb)
    assert (ended.code, ended.err) == (2, "sealbook: manifests: no study 'nope'; there are: tiny\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["plan", "NAME"], 2),
        (["prepare", "NAME"], 2),
        (["run", "NAME"], 2),
        (["--root", "NAME", "studies"], 2),
        (["publish", "tiny", "NAME"], 2),
        (["verify", "NAME"], 1),
        (["run", "tiny", "--out", "NAME"], 3),
        (["run", "tiny", "--work-root", "NAME"], 3),
    ],
)
@pytest.mark.parametrize("name", ["n" * 5000, "loop", "content/site.toml/below"])
def test_what_can_be_no_folder_gets_one_line(call, project, kind, arguments, code, name):
    call("prepare", "tiny")
    (project / "loop").symlink_to("loop")
    ended = call(*(name if word == "NAME" else word for word in arguments))
    said = [line for line in ended.err.splitlines() if not line.startswith("note: ")]
    assert (ended.code, len(said)) == (code, 1)
    assert kind.performed == []


@pytest.mark.parametrize("in_the_way", [".sealbook", ".sealbook/prepared", ".sealbook/runs"])
def test_a_file_in_the_place_of_what_is_made_is_named(call, project, kind, in_the_way):
    kind.is_prepared = lambda study, folder: in_the_way.endswith("runs")
    (project / in_the_way).parent.mkdir(exist_ok=True)
    (project / in_the_way).write_text("mine")
    ended = call("run" if in_the_way.endswith("runs") else "prepare", "tiny")
    assert ended.code == 3
    (line,) = [line for line in ended.err.splitlines() if not line.startswith("note: ")]
    assert line.endswith("something else is in its place: look at it")
    assert (project / in_the_way).read_text() == "mine"


def test_a_broken_manifest_ends_with_1_and_a_short_list(call, project):
    manifest = project / "manifests" / "tiny" / "study.toml"
    manifest.write_text(manifest.read_text().replace("quick = true", 'quick = "yes"\nfast = 1'))
    for verb in (["plan", "tiny"], ["run", "tiny"], ["prepare", "tiny"], ["studies", "--quick"]):
        ended = call(*verb)
        assert ended.code == 1
        assert ended.err.splitlines() == [
            "sealbook: manifests/tiny/study.toml: quick: input should be a valid boolean (found 'yes'); see the schema",
            "sealbook: manifests/tiny/study.toml: fast: extra inputs are not permitted (found 1); see the schema",
        ]
    machine = call("plan", "tiny", "--json")
    assert machine.code == 1
    assert machine.json["error"] == "bad-evidence"
    assert machine.json["problems"][1]["where"] == "quick"
    assert not (project / ".sealbook").exists(), "nothing is half-written"


def test_a_name_that_no_terminal_takes_is_shown_by_its_escapes(call, project, kind):
    call("prepare", "tiny")
    name = os.fsdecode(b"\xff\x1b[31m")
    assert call("run", "tiny", "--out", name).out.startswith(r"\udcff\x1b[31m: sealed, ")
    assert call("verify", name).out.startswith(r"\udcff\x1b[31m: verified, ")
    assert call("verify", name, "--json").json["verified"][0]["path"] == r"\udcff\x1b[31m"
    for missing in (call("verify", f"{name}-2"), call("verify", f"{name}-2", "--json")):
        assert missing.code == 1
        assert r"\x1b[31m-2" in missing.err or missing.json["problems"][0]["file"] == r"\udcff\x1b[31m-2"


def test_a_terminal_that_speaks_latin_1_gets_escapes_and_json_is_utf8_all_the_same(project):
    a_study(project / "manifests", title="学 Café")
    command = [sys.executable, "-m", "sealbook", "--root", project, "plan", "tiny"]
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "latin-1"}
    told, machine = (
        subprocess.run([*command, *more], cwd=ROOT, env=environment, capture_output=True, check=True).stdout
        for more in ([], ["--json"])
    )
    assert told.startswith(rb"tiny: \u5b66 Caf" + b"\xe9")
    assert json.loads(machine)["study"]["title"]["en"] == "学 Café"


@pytest.mark.parametrize("path", ["nothing-here", "content", "manifests/tiny"])
def test_nothing_verified_is_no_verification(call, project, path):
    ended = call("verify", path)
    assert ended.code == 1
    assert f"{path}: holds no sealed run" in ended.err
