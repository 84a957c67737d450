"""The shape of the source: directions of import, one front door, short files, telling names.

For each import-linter contract one violating import is planted in a copy of the source. Exactly that contract has to
break, which shows that the contract bites and that no other one only repeats it.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["id"]: contract["name"] for contract in SETTINGS["tool"]["importlinter"]["contracts"]}
LINE_LIMIT = 400


@dataclass(frozen=True)
class Plant:
    """An import that a contract forbids, and the module that it is added to or that it makes."""

    breaks: str
    module: str
    code: str


TYPE_ONLY = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "
PLANTS = {
    "sitegen-reads-the-ledger": Plant("bridge", "sitegen/pages/planted.py", "import runner.ledger"),
    "sitegen-types-from-the-runner": Plant("bridge", "sitegen/errors.py", TYPE_ONLY + "import runner.errors"),
    "runner-words-an-error-with-sitegen": Plant("one-way", "runner/errors.py", "import sitegen.errors"),
    "runner-types-from-sitegen": Plant("one-way", "runner/verbs/planted.py", TYPE_ONLY + "import sitegen.catalog"),
    "verbs-call-the-front-door": Plant("front-door", "runner/verbs/planted.py", "import sealbook"),
    "contract-raises-the-runners-errors": Plant("contract-alone", "runner/contract/planted.py", "import runner.errors"),
    "contract-types-from-the-store": Plant(
        "contract-alone", "runner/contract/planted.py", TYPE_ONLY + "import runner.store"
    ),
    "contract-opens-files": Plant("contract-pure", "runner/contract/planted.py", "from pathlib import Path"),
    "contract-reads-the-clock": Plant("contract-pure", "runner/contract/planted.py", "import time"),
    "store-starts-a-process": Plant("processes", "runner/store.py", "import subprocess"),
    "site-starts-a-process": Plant("processes", "sitegen/sources/planted.py", "import subprocess"),
    "store-opens-a-socket": Plant("network", "runner/store.py", "import socket"),
    "a-backend-fetches": Plant("network", "runner/backends/script.py", "import http.client"),
    "a-kind-serves": Plant("network", "runner/kinds/qualification/planted.py", "import socketserver"),
    "site-fetches": Plant("network", "sitegen/build.py", "import http.client"),
    "errors-look-up-the-stack": Plant("runner-layers", "runner/errors.py", "import runner.store"),
    "execute-and-publish-entangled": Plant("runner-layers", "runner/execute/planted.py", "import runner.publish"),
    "a-backend-asks-how-it-is-judged": Plant(
        "runner-layers", "runner/backends/planted.py", "import runner.kinds.comparison.acceptance"
    ),
    "a-module-without-a-layer": Plant("runner-layers", "runner/telemetry.py", "x = 1"),
    "a-kind-leans-on-its-sibling": Plant(
        "kinds-apart", "runner/kinds/sibling/__init__.py", "import runner.kinds.qualification"
    ),
    "sources-know-the-pages": Plant("sitegen-layers", "sitegen/sources/planted.py", "import sitegen.pages"),
    "a-site-module-without-a-layer": Plant("sitegen-layers", "sitegen/telemetry.py", "x = 1"),
    "a-page-reads-a-file": Plant("pages-pure", "sitegen/pages/planted.py", "import os"),
    "a-page-renders-itself": Plant("pages-pure", "sitegen/pages/planted.py", "import jinja2"),
}


def copy_of_the_source(to: Path) -> None:
    """Copy what import-linter looks at."""
    for folder in ("runner", "sitegen"):
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("sealbook.py", "pyproject.toml"):
        shutil.copy2(ROOT / name, to / name)


def broken_contracts(source: Path) -> tuple[set[str], str]:
    """The ids of the contracts that import-linter reports as broken, and all it printed."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    wide = os.environ | {"COLUMNS": "200"}
    done = subprocess.run(command, cwd=source, env=wide, check=False, capture_output=True, text=True)
    found = {
        name for name in CONTRACTS if re.search(rf"^{re.escape(CONTRACTS[name])} BROKEN", done.stdout, re.MULTILINE)
    }
    kept = {name for name in CONTRACTS if re.search(rf"^{re.escape(CONTRACTS[name])} KEPT", done.stdout, re.MULTILINE)}
    assert found | kept == set(CONTRACTS), done.stdout + done.stderr
    assert (done.returncode == 0) == (not found)
    return found, done.stdout


def test_every_contract_is_kept_without_a_plant(tmp_path):
    copy_of_the_source(tmp_path)

    found, printed = broken_contracts(tmp_path)

    assert found == set(), printed


@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS.keys())
def test_a_planted_import_breaks_its_contract_and_no_other(plant, tmp_path):
    copy_of_the_source(tmp_path)
    module = tmp_path / plant.module
    module.parent.mkdir(exist_ok=True)
    with module.open("a", encoding="utf-8") as file:
        file.write(f"\n\n{plant.code}\n")

    found, printed = broken_contracts(tmp_path)

    assert found == {plant.breaks}, printed


def test_every_contract_has_a_plant():
    assert {plant.breaks for plant in PLANTS.values()} == set(CONTRACTS)


def test_the_front_door_finds_the_project_mounts_verbs_catches_errors_and_no_more():
    tree = ast.parse((ROOT / "sealbook.py").read_text(encoding="utf-8"))
    ours = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if name.split(".")[0] in {"runner", "sitegen"}
    }

    assert {name.rsplit(".", 1)[-1] for name in ours} <= {"verbs", "errors", "project"}


def source_files() -> list[Path]:
    """Every file that a person writes; sealed evidence, expected output and generated files are not among them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    written = {".py", ".md", ".html", ".css", ".js", ".toml", ".po", ".sh", ""}
    generated = re.compile(r"^LICENSE$|/evidence/|/goldens/|/fixtures/|^docs/rules-record\.json$")
    return [
        ROOT / name
        for name in listed
        if name and Path(name).suffix in written and not generated.search(name) and (ROOT / name).is_file()
    ]


def test_no_source_file_is_longer_than_the_limit():
    lengths = {str(path.relative_to(ROOT)): path.read_bytes().count(b"\n") for path in source_files()}

    assert {name: lines for name, lines in lengths.items() if lines > LINE_LIMIT} == {}
    assert "pyproject.toml" in lengths


def test_no_module_has_a_name_that_says_nothing():
    vague = {"utils", "util", "helpers", "helper", "common", "core", "manager", "misc"}

    assert [str(path) for path in source_files() if path.suffix == ".py" and path.stem in vague] == []
    assert [str(path) for path in source_files() if vague & set(path.relative_to(ROOT).parts[:-1])] == []
