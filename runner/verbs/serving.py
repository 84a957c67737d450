"""`sealbook serve-script`: lets an agent or a chat client talk to a script instead of a model."""

import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from runner.backends.performance import Performance, Request
from runner.backends.read_script import read_script
from runner.backends.scripted_server import ScriptedServer
from runner.contract.errors import InvalidRecordError, Problem
from runner.errors import BackendError, UsageError
from runner.reading.files import said
from runner.verbs.answers import AsJson, print_json


def serve_script_verb(
    script: Annotated[Path, typer.Argument(metavar="FILE", help="A script: a JSON file of assistant turns.")],
    *,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="On 127.0.0.1; by default a free one.")
    ] = None,
    socket: Annotated[
        Path | None, typer.Option("--socket", metavar="PATH", help="Listen on a unix socket instead of a port.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write every request here, a JSON line each.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Serve a script as an OpenAI-compatible endpoint on this machine, until Ctrl-C.

    Prints the base URL (or the socket) first. Refuses what the script does not expect, and says so. Exit
    code 0 if every turn was asked for and nothing was refused, 1 otherwise.
    """
    if port is not None and socket is not None:
        raise UsageError("--port and --socket exclude each other", "give one of them")
    played = read_script(script, str(script))
    with _recording(record) as keep:

        def notice(request: Request) -> None:
            keep(request)
            why = f": {'; '.join(request.why)}" if request.why else ""
            typer.echo(f"{request.number}  {request.method} {request.path}  {request.became}{why}", err=True)

        performance = Performance(played, notice)
        with ScriptedServer(performance, port=port or 0, path=socket) as server, _until_stopped() as stopped:
            if as_json:
                print_json({"serving": server.address, "model": played.model, "turns": len(played.turns)})
            else:
                typer.echo(server.address)
            stopped.wait()
    _judge(performance, str(script))


@contextmanager
def _recording(path: Path | None) -> Iterator[Callable[[Request], None]]:
    """A place to write requests to, each as soon as it came. An existing file is never overwritten."""
    if path is None:
        yield lambda _: None
        return
    try:
        stream = path.open("xb")
    except OSError as error:
        raise BackendError(f"cannot write the record: {said(error)}", "give another file", where=str(path)) from error
    with stream:

        def keep(request: Request) -> None:
            line = json.dumps(request.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            stream.write(line.encode("utf-8", "backslashreplace") + b"\n")
            stream.flush()

        yield keep


@contextmanager
def _until_stopped() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set: being stopped is how a server ends."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _judge(performance: Performance, shown: str) -> None:
    """Raise `InvalidRecordError` if what was asked was not what the script is about."""
    problems = [
        Problem(shown, f"request {item.number}", "; ".join(item.why), "see what was asked with --record")
        for item in performance.requests
        if item.why
    ]
    if performance.unsaid:
        todo = "shorten the script, or see why nobody asked further"
        problems.append(Problem(shown, "turns", f"{performance.unsaid} turns at its end were never asked for", todo))
    if problems:
        raise InvalidRecordError(*problems)
