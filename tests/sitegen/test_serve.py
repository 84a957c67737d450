"""The preview rebuilds once a change, shows what is wrong, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sitegen.projects import PROTOCOL, a_project, replace

ROOT = Path(__file__).parents[2]
PAGE = "zh/protocols/tiny/1.0.html"
QUIET_SECONDS = 2
"""Longer than the watcher gathers changes: in this time a loop would build again."""

PATIENCE_SECONDS = 120
"""How long a busy machine may take for a build."""


class Server:
    """A preview in a process of its own."""

    def __init__(self, process: subprocess.Popen, log: Path, port: int) -> None:
        self.process = process
        self.log = log
        self.port = port

    @property
    def builds(self) -> int:
        """How many builds were made, good and bad."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return sum(line.startswith(("built ", "not built")) for line in lines)

    def wait_for_builds(self, number: int) -> None:
        """Wait until so many builds were made."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.builds < number:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
            time.sleep(0.05)

    def stays_at(self, number: int) -> None:
        """Wait until so many builds were made, and see that no other follows."""
        self.wait_for_builds(number)
        time.sleep(QUIET_SECONDS)
        assert self.builds == number, self.log.read_text(encoding="utf-8")

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page, as soon as the server listens."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=60) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read().decode()
            except urllib.error.URLError:
                assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
                time.sleep(0.1)


def preview_command(root: Path, port: int) -> list[str]:
    """What starts a preview of `root`."""
    code = "import sealbook; sealbook.main()"
    return [sys.executable, "-c", code, "--root", str(root), "serve", "--port", str(port), "--no-open"]


def preview_environment(temporary: Path) -> dict[str, str]:
    """With this folder for temporary files."""
    return os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}


@contextmanager
def serving(root: Path, temporary: Path):
    """A preview of `root` that puts its temporary folder below `temporary`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = root.with_name("serve.log")
    with log.open("wb") as out:
        command, environment = preview_command(root, port), preview_environment(temporary)
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, cwd=root)
        try:
            yield Server(process, log, port)
        finally:
            process.send_signal(signal.SIGTERM)
            ended = process.wait(timeout=PATIENCE_SECONDS)
    assert ended == 0, log.read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path):
    """A whole small project."""
    return a_project(tmp_path / "project")


@pytest.mark.long
@pytest.mark.report("A21")
@pytest.mark.parametrize("through_link", [False, True])
def test_an_output_folder_inside_the_sources_rebuilds_once_a_change(project, through_link):
    inside = project / "content" / "preview"
    inside.mkdir()
    if through_link:
        (project / "content" / "link").symlink_to(inside, target_is_directory=True)
        inside = project / "content" / "link"

    with serving(project, inside) as server:
        server.stays_at(1)
        replace(project, PROTOCOL.format("zh"), "不得更改", "不得再改")
        server.stays_at(2)
        assert "不得再改" in server.get(PAGE)[1]

    assert not list(inside.iterdir())


@pytest.mark.long
def test_a_change_of_evidence_or_template_rebuilds_and_a_running_run_does_not(project, tmp_path):
    with serving(project, tmp_path) as server:
        server.wait_for_builds(1)

        ledger = project / ".sealbook" / "runs" / "tiny" / "20261130T050000Z" / "ledger.jsonl"
        ledger.parent.mkdir(parents=True)
        ledger.write_text("{}\n", encoding="utf-8")
        server.stays_at(1)

        (project / "templates").mkdir()
        replace_page = (ROOT / "templates" / "root.html").read_text(encoding="utf-8")
        (project / "templates" / "root.html").write_text(replace_page + "<!-- mine -->", encoding="utf-8")
        server.wait_for_builds(2)
        assert "<!-- mine -->" in server.get("index.html")[1]

    assert not (project / "site").exists()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A preview that has built once, and its project, which a test leaves as it was. It leaves nothing when it ends."""
    temporary = tmp_path_factory.mktemp("preview")
    project = a_project(tmp_path_factory.mktemp("previewed") / "project")
    with serving(project, temporary) as server:
        server.wait_for_builds(1)
        yield server, project
        assert list(temporary.glob("sealbook-*"))
    assert not list(temporary.glob("sealbook-*"))


def test_a_defect_is_shown_instead_of_a_stale_page_until_it_is_mended(running):
    server, project = running
    assert server.get(PAGE)[0] == 200

    replace(project, PROTOCOL.format("zh"), 'status = "active"', 'status = "<b>done</b>"')
    server.wait_for_builds(2)
    status, page = server.get(PAGE)
    assert status == 500
    assert "1.0.zh.md: status" in page
    assert "&lt;b&gt;done" in page

    replace(project, PROTOCOL.format("zh"), "<b>done</b>", "active")
    server.wait_for_builds(3)
    assert server.get(PAGE)[0] == 200


def test_pages_of_the_preview_load_livereload_and_forbid_it_nothing(running):
    server, _ = running
    page = server.get("en/index.html")[1]

    assert "/livereload.js" in page
    assert "Content-Security-Policy" not in page


def test_a_port_that_is_taken_is_said_in_one_line_before_anything_is_built(project, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            preview_command(project, port), env=preview_environment(tmp_path), capture_output=True, check=False
        )

    assert ended.returncode == 3
    assert f"sealbook: 127.0.0.1:{port}: " in ended.stderr.decode()
    assert b"choose another --port" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b"built" not in ended.stderr
    assert not list(tmp_path.glob("sealbook-*"))
