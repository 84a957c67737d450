"""A project with one tiny study, a scripted study kind, and the command itself."""

import json
import os
from pathlib import Path

import pytest

import sealbook
from runner.contract.qualification.design import Feature
from runner.contract.study import Tier
from runner.sandbox.tiers import missing
from runner.verbs import asked
from tests.factories import ScriptedKind
from tests.studies import a_study


@pytest.fixture(scope="session")
def jail(required_tool):
    """Skip, or fail where tools are required, if this machine gives no tier `bwrap`."""
    required_tool("bwrap")
    if problem := missing(Tier.bwrap):
        if os.environ.get("SEALBOOK_REQUIRE_TOOLS") == "1":
            pytest.fail("; ".join(problem), pytrace=False)
        pytest.skip("; ".join(problem))


class Ended:
    """What one command printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err
        assert "Traceback" not in out + err

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one study, in which the command is called."""
    root = tmp_path / "project"
    a_study(root / "manifests", slow=(Feature.dead_owner,))
    (root / "content").mkdir()
    (root / "content" / "site.toml").write_text("")
    (root / ".gitignore").write_text(".sealbook/\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def kind(monkeypatch):
    """The study kind that the commands find: scripted, so that no subject is needed."""
    scripted = ScriptedKind()
    monkeypatch.setattr(asked, "Qualification", lambda: scripted)
    return scripted


@pytest.fixture
def call(capfd):
    """Call the command in this process."""

    def run(*arguments: str | Path) -> Ended:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            sealbook.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        code = ended.value.code
        return Ended(code if isinstance(code, int) else 0, out, err)

    return run
