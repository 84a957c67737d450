"""A backend of somebody else is found by its entry point, and the one in the documents is whole and works."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sealbook
from runner.backends.find import GROUP, OURS, maker, names
from runner.errors import BackendError, UsageError
from tests.comparisons import Tiny

DOCUMENT = Path(sealbook.__file__).parent / "docs" / "backends.md"
BLOCKS = re.findall(r"```(python|toml)\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
CODE = next(text for language, text in BLOCKS if language == "python")
ENTRY = next(text for language, text in BLOCKS if language == "toml" and GROUP in text)


def install(folder: Path, code: str, name: str = "sealbook_edits", entry: str = "edits") -> Path:
    """Put a distribution where Python looks for them, as an installer leaves it."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(code)
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{entry} = {name}:make\n")
    return folder


@pytest.mark.rule("T69")
def test_the_backend_in_the_documents_is_installed_and_acts_in_under_forty_lines(project, tmp_path):
    assert CODE.count("\n") < 40
    assert f'{GROUP}"]\nedits = "sealbook_edits:make"' in ENTRY
    Tiny().write(project / "manifests", "compared")
    edits = [
        {"path": "shop/sums.py", "old": "lines, unit", "new": "lines"},
        {"path": "shop/uses.py", "old": '(lines, "EUR")', "new": "(lines)"},
    ]
    (tmp_path / "edits.json").write_text(json.dumps(edits))
    command = ["run", "compared", "--lane", "by-text", "--backend", "edits", "--config", str(tmp_path / "edits.json")]
    installed = os.environ | {"PYTHONPATH": str(install(tmp_path / "site", CODE))}

    done = subprocess.run(
        [sys.executable, "-m", "sealbook", *command],
        cwd=project,
        env=installed,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    assert "1/1 accepted" in done.stdout
    (ledger,) = project.glob(".sealbook/runs/compared/*/sealed/artifacts/*/ledger.json")
    assert [event["kind"] for event in json.loads(ledger.read_bytes())["events"]] == ["tool_call"] * 2
    (attempt,) = map(json.loads, (ledger.parents[2] / "attempts.jsonl").read_bytes().splitlines())
    reasons = [reason["because"] for reason in attempt["detail"]["ineligible"]]
    assert reasons[:2] == ["scripted-model", "no-blinded-review"], "only the fixture backend need not say why"


def test_an_unknown_backend_is_refused_with_the_names_there_are():
    with pytest.raises(UsageError, match=r"no backend 'telepathy'; there are: agent, chat, fixture"):
        maker("telepathy")


def test_each_of_ours_can_be_made_and_none_is_imported_before_it_is_asked_for():
    code = (
        "import importlib, pkgutil, sys, runner.verbs as verbs\n"
        "for each in pkgutil.iter_modules(verbs.__path__, 'runner.verbs.'): importlib.import_module(each.name)\n"
        "print(sorted(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "'runner.verbs.running'" in loaded
    assert "'httpx'" not in loaded
    assert "runner.backends.chat'" not in loaded
    assert all(callable(maker(name)) for name in OURS)


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        (
            {"broken": "import nothing_like_this"},
            "the backend theirs of broken cannot be imported: ModuleNotFoundError",
        ),
        ({"empty": ""}, "the backend theirs of empty cannot be imported: AttributeError"),
        ({"first": "make = 1", "second": "make = 2"}, "the backend theirs is offered by first and second"),
    ],
)
def test_a_backend_of_others_that_cannot_be_had_is_told_with_its_distribution(tmp_path, monkeypatch, packages, said):
    for name, code in packages.items():
        install(tmp_path / "site", code, name, "theirs")
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert "theirs" in names()
    with pytest.raises(BackendError, match=said):
        maker("theirs")
