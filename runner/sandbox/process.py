"""Starts one process, drains its output with bounded memory, and tells how it ended.

No shell, no inherited input, handle or variable; a session of its own. Each process has one
thread that starts it and waits for its output and its end, so that a flood never blocks and never grows.

`ProcessRequest.isolation` says how it is kept apart. At tier `bwrap` the process is bubblewrap, which
waits for the jailed program and ends with its exit code; a program that a signal ended shows as
`Exited(128 + signal)`, as a shell tells it. All that the program started ends with it.
"""

import array
import fcntl
import os
import queue
import resource
import selectors
import signal
import subprocess
import termios
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from runner.contract.events import CappedByClock, End, Exited, NotSpawned, Signalled
from runner.contract.study import Tier
from runner.sandbox.isolation import SAME_USER, Isolation
from runner.sandbox.launched import Launch
from runner.sandbox.output import EMPTY, Captured, Meter
from runner.sandbox.process_table import look

FILE_BYTES = 4 * 1024**3
"""No process may write a longer file: far above any honest state, far below a full disk."""
_PIECE = 65_536
_starting = threading.Lock()
_own: set[int] = set()


@dataclass(frozen=True, slots=True)
class ProcessRequest:
    """Everything a process gets. What is not named here, it does not get."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    output_bytes: int
    """How much of each output stream is kept."""
    stdin: bytes = b""
    isolation: Isolation = SAME_USER


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended, and what it wrote until then."""

    end: End
    stdout: Captured = EMPTY
    stderr: Captured = EMPTY


class Running:
    """A started process. Its output is drained until every holder of the pipes is gone."""

    def __init__(
        self, child: "subprocess.Popen[bytes]", output_bytes: int, launch: Launch | None, begun_ns: int
    ) -> None:
        self.pid = child.pid
        self._begun_ns = begun_ns
        self._ended_ns = 0
        self._child = child
        self._launch = launch
        self._handle = os.pidfd_open(child.pid)
        self._capped = False
        self._finished: Finished | None = None
        self._ended = threading.Event()
        self._meters = (Meter(output_bytes), Meter(output_bytes))
        self._lock = threading.Lock()

    @property
    def finished(self) -> Finished | None:
        """How it ended, or None while it runs."""
        return self._finished

    @property
    def lasted_ns(self) -> int | None:
        """From right before its start until its end was seen, by a monotonic clock; None while it runs.

        Both are taken by the thread that has it: no other had to be woken in between.
        """
        return self._ended_ns - self._begun_ns if self._finished else None

    def wait(self, seconds: float) -> Finished | None:
        """Wait for its end for at most so long; None when it still runs."""
        self._ended.wait(max(0.0, seconds))
        return self._finished

    def printed(self, text: bytes) -> bool:
        """Whether the kept output of either stream holds `text` by now."""
        with self._lock:
            return any(text in meter.peek() for meter in self._meters)

    def kill(self, *, capped: bool = False) -> Finished:
        """SIGKILL it, if it still runs, and return how it ended."""
        if self._finished is None:
            self._capped = capped
            # If it ends by itself in this moment, the drain thread has the truth.
            with self._lock, suppress(ProcessLookupError):
                if self._handle >= 0:
                    signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self._ended.wait()
        assert self._finished is not None  # noqa: S101 -- set before the event is
        return self._finished

    def drain(self) -> None:
        """Take its output until every holder of the pipes is gone. Called once, by the thread that started it."""
        streams: tuple[IO[bytes], IO[bytes]] = (self._child.stdout, self._child.stderr)  # type: ignore[assignment]
        try:
            with selectors.DefaultSelector() as selector:
                for stream, meter in zip(streams, self._meters, strict=True):
                    selector.register(stream, selectors.EVENT_READ, meter)
                selector.register(self._handle, selectors.EVENT_READ, None)
                while selector.get_map():
                    for key, _ in selector.select():
                        if key.data is None:
                            self._ended_ns = time.perf_counter_ns()
                            selector.unregister(self._handle)
                            self._take_what_it_left(streams)
                            self._note_end()
                        elif piece := os.read(key.fd, _PIECE):
                            # After the end only strangers write here: their bytes are let go.
                            if self._finished is None:
                                with self._lock:
                                    key.data.take(piece)
                        else:
                            selector.unregister(key.fileobj)
        finally:
            for stream in streams:
                stream.close()
            with self._lock:
                os.close(self._handle)
                self._handle = -1

    def _take_what_it_left(self, streams: tuple[IO[bytes], IO[bytes]]) -> None:
        """Read exactly what stood in the pipes when it ended, and wait for nobody else."""
        for stream, meter in zip(streams, self._meters, strict=True):
            waiting = array.array("i", [0])
            fcntl.ioctl(stream.fileno(), termios.FIONREAD, waiting)
            left = waiting[0]
            while left > 0 and (piece := os.read(stream.fileno(), min(left, _PIECE))):
                left -= len(piece)
                with self._lock:
                    meter.take(piece)

    def _note_end(self) -> None:
        with _starting:
            code = self._child.wait()
            _own.discard(self.pid)
        end: End
        if self._capped and code == -signal.SIGKILL:
            end = CappedByClock()
        elif code < 0:
            end = Signalled(signal=-code)
        else:
            end = Exited(code=code)
        stdout, stderr = (meter.captured() for meter in self._meters)
        if self._launch:
            why = self._launch.not_spawned(stderr.text) if isinstance(end, Exited) else None
            end = end if why is None else NotSpawned(why=why)
        self._finished = Finished(end, stdout, stderr)
        self._ended.set()
        if self._launch:
            self._launch.close()


def start(request: ProcessRequest) -> Running | NotSpawned:
    """Start a process. One that cannot be started is a value, with the kernel's reason.

    At tier `bwrap` a program that cannot be executed inside is told by `Finished.end`, since it shows only
    there. Raises `SandboxError` if no jail can be made as asked; nothing has been started then.
    """
    born: queue.SimpleQueue[Running | NotSpawned | BaseException] = queue.SimpleQueue()
    threading.Thread(target=_live, args=(request, born), name=f"drain {request.argv[0]}", daemon=True).start()
    started = born.get()
    if isinstance(started, BaseException):
        raise started
    return started


def _live(request: ProcessRequest, born: "queue.SimpleQueue[Running | NotSpawned | BaseException]") -> None:
    # Started here, because the kernel ends a jail with the thread that started it, not with the whole runner.
    try:
        started = _spawn(request)
    except BaseException as error:  # noqa: BLE001  raised again where the process was asked for
        born.put(error)
        return
    born.put(started)
    if isinstance(started, Running):
        started.drain()


def _spawn(request: ProcessRequest) -> Running | NotSpawned:
    launch = None
    try:
        if request.isolation.tier is not Tier.process:
            launch = Launch(request.argv, request.cwd, request.env, request.isolation)
        with _input(request.stdin) as stdin, _starting:
            begun_ns = time.perf_counter_ns()
            child = subprocess.Popen(
                launch.argv if launch else request.argv,
                cwd="/" if launch else request.cwd,
                env={} if launch else dict(request.env),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                close_fds=True,
                pass_fds=launch.handles if launch else (),
                start_new_session=True,
                umask=0o077,
            )
            _own.add(child.pid)
    except (OSError, ValueError) as error:  # ValueError: such as a NUL byte in an argument
        if launch:
            launch.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return NotSpawned(why=(reason or type(error).__name__).lower())
    if not launch:
        _limit(child.pid)
    return Running(child, request.output_bytes, launch, begun_ns)


def reap_adopted(pid: int) -> None:
    """Collect a dead process that this runner adopted. Its own children are left to their owners.

    What an attempt starts has another session than the runner, and so has all that comes of it.
    """
    with _starting:
        entry = look(pid)
        if entry and entry.parent == os.getpid() and entry.session != os.getsid(0) and pid not in _own:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _input(data: bytes) -> IO[bytes]:
    """A file in memory, so that a process that never reads its input holds nobody up."""
    if not data:
        return Path(os.devnull).open("rb")
    stream = os.fdopen(os.memfd_create("stdin", os.MFD_CLOEXEC), "w+b")
    stream.write(data)
    stream.seek(0)
    return stream


def _limit(pid: int) -> None:
    # From outside, because code between fork and exec is unsafe beside threads. The moment until
    # then is harmless: neither a core file nor 4 GiB come about in it.
    try:
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    except (ProcessLookupError, PermissionError):
        pass  # already ended; or a set-uid program, which the kernel limits itself
