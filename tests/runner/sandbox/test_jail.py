"""A process at tier `bwrap`: what it gets, what it cannot have, and how its end is told."""

import os
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from runner.contract.events import CappedByClock, Exited, NotSpawned
from runner.contract.study import Tier
from runner.errors import SandboxError
from runner.sandbox.bridge import Relay
from runner.sandbox.cgroup import hierarchies
from runner.sandbox.command import run
from runner.sandbox.isolation import MIB, Bind, Bridge, Isolation, Limits, base_python, interpreter
from runner.sandbox.process import ProcessRequest, Running, start
from runner.sandbox.process_table import command_of, snapshot

pytestmark = pytest.mark.usefixtures("jail")
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop to another user")


def isolated(work, *binds, **options):
    return Isolation(tier=Tier.bwrap, binds=(Bind(work, writable=True), *binds), **options)


def inside(work, *argv, env=None, isolation=None, seconds=120.0, **options):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/home/sandbox", **(env or {})}
    return run(
        ProcessRequest(argv, work, env, 65_536, isolation=isolation or isolated(work), **options),
        seconds,
    )


@pytest.fixture
def work(tmp_path):
    """A workspace two levels below a folder that only its owner may enter."""
    tmp_path.chmod(0o700)
    folder = tmp_path / "private" / "work"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    return folder


def test_a_jailed_program_sees_its_workspace_its_input_and_its_variables_and_nothing_else(work):
    (work / "given").write_text("given")
    (work.parent / "grader").write_text("secret")
    script = 'cat given - && echo "$A" && ls / .. && echo new > made && test ! -e ../grader'
    finished = inside(work, "sh", "-c", script, env={"A": "--ro-bind / /\nb"}, stdin=b" typed\n")

    assert finished.end == Exited(code=0), finished.stderr.text
    typed, first, second, *names = finished.stdout.text.splitlines()
    assert (typed, first, second) == ("given typed", "--ro-bind / /", "b")
    assert "work" in names
    assert not {"mnt", "srv", "var", "sys", "boot"} & set(names)
    assert (work / "made").read_text() == "new\n"


def test_the_checkout_the_home_and_what_lies_beside_are_absent_also_through_links(work, tmp_path):
    root = Path(__file__).parents[3]
    (tmp_path / "evidence").mkdir()
    (work / "link").symlink_to(tmp_path / "evidence")
    probes = (
        f"test -r given; echo $?; ls {root} {tmp_path}/evidence link/ /root/.bashrc; echo x > {tmp_path}/evidence/y"
    )
    (work / "given").touch()
    finished = inside(work, "sh", "-c", probes)

    assert finished.stdout.text == "0\n"
    assert finished.stderr.text.count("No such file or directory") == 4
    assert finished.end != Exited(code=0)
    assert list((tmp_path / "evidence").iterdir()) == []


def test_a_bind_shows_at_its_target_and_the_closest_one_says_where_a_path_is(work, tmp_path):
    tool = tmp_path / "tool"
    (tool / "bin").mkdir(parents=True)
    (tool / "bin" / "hello").write_text("#!/bin/sh\necho hello from $0\n")
    (tool / "bin" / "hello").chmod(0o755)
    isolation = isolated(work, Bind(tool, Path("/agent")), Bind(tool / "bin", Path("/closest")))
    finished = inside(work, "/agent/bin/hello", isolation=isolation)

    assert finished.stdout.text == "hello from /agent/bin/hello\n"
    assert isolation.inside(tool / "bin" / "hello") == Path("/closest/hello")
    assert isolation.inside(tool / "other") == Path("/agent/other")
    assert isolation.inside(tmp_path) is None


@ROOT
def test_root_becomes_nobody_before_anything_of_the_candidate_runs(work):
    isolation = isolated(work)
    named = f"sleep 30.{os.getpid()}"
    request = ProcessRequest(tuple(named.split()), work, {"PATH": "/usr/bin"}, 99, isolation=isolation)
    running = start(request)
    assert isinstance(running, Running)
    try:
        until = time.monotonic() + 60
        while not (sleeping := [pid for pid in snapshot() if command_of(pid) == named]):
            assert time.monotonic() < until
            time.sleep(0.02)
        for pid in (running.pid, *sleeping):
            told = dict(
                line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line
            )
            assert set(told["Uid"].split()) == set(told["Gid"].split()) == {"65534"}
            assert told["Groups"].strip() in ("", "65534")
    finally:
        running.kill()


@ROOT
def test_what_lies_below_private_folders_is_shown_without_being_opened_to_anybody(work, tmp_path):
    clone = tmp_path / "clone" / "of"
    clone.mkdir(parents=True)
    clone.parent.chmod(0o700)
    (clone / "source.py").write_text("print('read')")
    clone.chmod(0o755)
    (clone / "source.py").chmod(0o644)
    before = Path("/proc/self/mountinfo").read_text()
    isolation = isolated(work, Bind(clone), *interpreter())
    finished = inside(work, str(base_python()), str(clone / "source.py"), isolation=isolation)

    assert finished.stdout.text == "read\n", finished.stderr.text
    assert stat.S_IMODE(clone.parent.stat().st_mode) == 0o700
    assert Path("/proc/self/mountinfo").read_text() == before


@ROOT
def test_files_are_handed_over_but_no_link_is_followed_and_no_second_name_changed(work, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("x")
    os.link(outside, work / "second")
    (work / "link").symlink_to(outside)
    (work / "own").write_text("x")
    (work / "own").chmod(0o600)
    finished = inside(work, "sh", "-c", "cat own && chmod 640 own")

    assert finished.end == Exited(code=0), finished.stderr.text
    assert outside.stat().st_uid == 0
    assert (work / "own").stat().st_uid == 65534


def test_a_program_that_cannot_be_executed_inside_is_told_with_the_kernels_reason(work):
    (work / "no-program").touch()

    assert inside(work, "no-such-program").end == NotSpawned(why="no such file or directory")
    assert inside(work, "./no-program").end == NotSpawned(why="permission denied")
    assert inside(work, "echo", "a\0b").end == NotSpawned(why="embedded null byte")
    assert inside(work, "sh", "-c", "echo bwrap: execvp x: no >&2; exit 1").end == Exited(code=1)


def test_an_exit_code_is_told_and_a_signal_as_a_shell_tells_it(work):
    assert inside(work, "sh", "-c", "exit 7").end == Exited(code=7)
    assert inside(work, "sh", "-c", "kill -TERM $$").end == Exited(code=143)


@pytest.mark.report("A25")
def test_a_stopped_program_is_ended_from_outside_with_all_its_daemons_and_its_output_counted(work):
    script = (
        "(setsid sh -c 'while :; do date +%N > heart; sleep 0.02; done' >/dev/null 2>&1 &)\n"
        "head -c 200000 /dev/zero; while ! test -s heart; do sleep 0.01; done; touch ready; kill -STOP $$"
    )
    env = {"PATH": "/usr/bin:/bin"}
    running = start(ProcessRequest(("sh", "-c", script), work, env, 65_536, isolation=isolated(work)))
    assert isinstance(running, Running)
    until = time.monotonic() + 60
    while not (work / "ready").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    finished = running.kill(capped=True)
    until = time.monotonic() + 60
    while True:  # the kernel ends the namespace a moment after its first process
        last = (work / "heart").read_text()
        time.sleep(0.2)
        if (work / "heart").read_text() == last:
            break
        assert time.monotonic() < until

    assert finished.end == CappedByClock()
    assert (finished.stdout.total_bytes, len(finished.stdout.kept)) == (200_000, 65_536)


def test_a_clock_that_runs_out_while_the_jail_is_made_is_told_as_such(work):
    assert inside(work, "touch", "ran", seconds=0.001).end == CappedByClock()
    assert not (work / "ran").exists()


def test_the_end_of_the_program_ends_what_it_started_and_leaves_no_group(work):
    named = f"sleep 123456.{os.getpid()}"
    script = f"(setsid {named} >/dev/null 2>&1 &); echo done"
    assert inside(work, "sh", "-c", script).stdout.text == "done\n"

    assert not [pid for pid in snapshot() if named in command_of(pid)]
    mine = f"sealbook-{os.getpid()}-"
    until = time.monotonic() + 60
    while [folder for tree in hierarchies() for folder in tree.here.iterdir() if folder.name.startswith(mine)]:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_jail_outlives_the_thread_that_asked_for_it(work):
    asked: list[Running] = []

    def ask():
        env = {"PATH": "/usr/bin:/bin"}
        started = start(ProcessRequest(("sh", "-c", "sleep 0.6; echo on"), work, env, 99, isolation=isolated(work)))
        assert isinstance(started, Running)
        asked.append(started)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    finished = asked[0].wait(60)

    assert finished is not None
    assert (finished.end, finished.stdout.text) == (Exited(code=0), "on\n")


def test_two_jails_at_once_share_nothing_but_what_is_bound(work, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    results = []

    def work_in(folder):
        script = "echo mine > /tmp/file; sleep 0.4; ls /tmp /proc | grep -cE '^[0-9]+$|file'; cat /tmp/file; ls"
        results.append(inside(folder, "sh", "-c", script).stdout.text)

    threads = [threading.Thread(target=work_in, args=(folder,)) for folder in (work, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(results) == 2
    assert all(int(text.split()[0]) <= 6 and text.split()[1:] == ["mine"] for text in results)


BAD_BINDS = {
    "absent": (lambda folder: Bind(folder / "absent"), "cannot be bound: no such file"),
    "link": (lambda folder: Bind(folder / "link"), "a link or a relative path"),
    "relative": (lambda folder: Bind(folder / "file", Path("relative")), "a link or a relative path"),
}


@pytest.mark.parametrize(("bind", "says"), BAD_BINDS.values(), ids=BAD_BINDS.keys())
def test_a_bind_that_cannot_be_made_is_refused_before_anything_starts(work, tmp_path, bind, says):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(SandboxError, match=says):
        inside(work, "true", isolation=isolated(work, bind(tmp_path)))


@ROOT
def test_a_source_that_only_its_owner_may_read_is_refused_with_what_to_do(work, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir(mode=0o700)
    with pytest.raises(SandboxError, match="only its owner may read it; let others read it"):
        inside(work, "true", isolation=isolated(work, Bind(secret)))


def test_a_working_folder_that_shows_nowhere_is_refused(work, tmp_path):
    with pytest.raises(SandboxError, match="shows nowhere inside; bind it"):
        run(ProcessRequest(("true",), tmp_path, {}, 99, isolation=isolated(work)), 5)


def test_no_handle_is_left_open_after_ends_and_refusals(work):
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        inside(work, "true")
        inside(work, "no-such-program")
        with pytest.raises(SandboxError):
            inside(work, "true", isolation=isolated(work, Bind(work / "absent")))
    until = time.monotonic() + 60
    while len(list(Path("/proc/self/fd").iterdir())) > before:
        assert time.monotonic() < until
        time.sleep(0.02)


CLIENT = """
import socket, sys
for port in map(int, sys.argv[1:]):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(b"ping " + b"x" * 300000)
            client.shutdown(socket.SHUT_WR)
            got = b"".join(iter(lambda: client.recv(65536), b""))
            print(got[:4].decode(), len(got))
    except OSError as error:
        print(type(error).__name__)
"""


@pytest.fixture
def served():
    """A server on the host's loopback that answers every byte; its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                client = server.accept()[0]
            except OSError:
                return
            with client:
                while piece := client.recv(65_536):
                    client.sendall(piece.replace(b"ping", b"pong"))

    thread = threading.Thread(target=serve)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def test_a_bridge_leads_to_one_address_of_the_host_and_to_no_other(work, tmp_path, served):
    with socket.create_server(("127.0.0.1", 0)) as other, Relay(tmp_path, served) as relay:
        isolation = isolated(work, *interpreter(), bridge=Bridge(relay.socket, 8080))
        argv = (str(base_python()), "-c", CLIENT, "8080", str(served), str(other.getsockname()[1]), "8080")
        finished = inside(work, *argv, isolation=isolation)

    assert finished.end == Exited(code=0), finished.stderr.text
    assert finished.stdout.text.splitlines() == [
        "pong 300005",
        "ConnectionRefusedError",
        "ConnectionRefusedError",
        "pong 300005",
    ]
    assert not relay.socket.exists()


def test_a_program_behind_a_bridge_has_no_children_that_it_did_not_start_and_a_missing_one_is_127(work, tmp_path):
    with Relay(tmp_path, 9) as relay:
        isolation = isolated(work, bridge=Bridge(relay.socket, 8080))
        finished = inside(work, "sh", "-c", "wait; cat /proc/$$/task/$$/children; echo .", isolation=isolation)
        missing = inside(work, "no-such-program", isolation=isolation)

    children = finished.stdout.text.strip().removesuffix(".").split()
    assert len(children) <= 1, "only the `cat` itself"
    assert missing.end == Exited(code=127)
    assert "no-such-program: No such file" in missing.stderr.text


def test_memory_of_all_processes_together_is_limited_where_a_group_can_be_made(work):
    if not any("memory" in tree.controllers for tree in hierarchies()):
        pytest.skip("no control group for memory here")
    fill = "x = b'x' * (150 << 20); print(len(x))"
    few = isolated(work, *interpreter(), limits=Limits(memory_bytes=100 * MIB))
    python = str(base_python())

    assert inside(work, python, "-c", fill, isolation=few).end == Exited(code=137)
    assert inside(work, python, "-c", fill, isolation=isolated(work, *interpreter())).end == Exited(code=0)


def test_the_launcher_ends_itself_when_its_runner_was_gone_before_it_could_ask(work):
    """Another process than the runner starts the launcher: its parent is not whom the orders name."""
    code = (
        "import subprocess, sys, os\nfrom pathlib import Path\n"
        "from runner.contract.study import Tier\nfrom runner.sandbox.isolation import Bind, Isolation\n"
        "from runner.sandbox.launched import Launch\n"
        "work = Path(sys.argv[1])\n"
        "launch = Launch(('touch', 'ran'), work, {'PATH': '/usr/bin'}, "
        "Isolation(tier=Tier.bwrap, binds=(Bind(work, writable=True),)))\n"
        "argv = ['sh', '-c', '\"$@\"; echo $?', 'between', *launch.argv]\n"
        "subprocess.run(argv, pass_fds=launch.handles, check=True)\n"
        "launch.close()\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code, work], cwd=root, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "125"
    assert not (work / "ran").exists()
