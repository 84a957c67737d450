"""The preview: builds into a temporary folder, serves it on this machine, rebuilds on a change.

Nothing is written to the project. Sources that cannot be built show their problems in the
browser instead of a stale page.
"""

import os
import re
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from livereload import Server
from tornado.ioloop import IOLoop
from tornado.web import StaticFileHandler
from watchfiles import Change, DefaultFilter, watch

from runner.contract.errors import ContractError, Problem, printable
from sitegen.build import produce
from sitegen.catalog import FOLDER as CATALOGS
from sitegen.errors import OutputError, SiteError
from sitegen.output import Sink, replacing
from sitegen.render import theme_folder

HOST = "127.0.0.1"
SOURCES = ("content", "templates", "manifests", "docs", ".sealbook/runs")
RUNS = ".sealbook/runs"
SEALED = "sealed"
"""Of a run in the private folder, only what is sealed shows on a page."""
WAKE_MILLISECONDS = 500
"""How often the watcher looks whether a folder of sources has come or gone."""
RELOAD = "__livereload__"
"""The path that livereload announces to browsers without holding it back."""
_POLICY = re.compile(rb'<meta[^>]*http-equiv="Content-Security-Policy"[^>]*>', re.IGNORECASE)

Say = Callable[[str], None]
Stamp = frozenset[tuple[str, int, int]]


def serve(root: Path, *, port: int, open_browser: bool, say: Say) -> None:
    """Serve the site of `root` until interrupted. `say` prints one line for a person.

    Raises `OutputError` if the port is taken. The temporary folder is gone afterwards.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # an ordinary kill cleans up as Ctrl-C does
    with tempfile.TemporaryDirectory(prefix="sealbook-") as folder:
        preview = Preview(root, Path(folder), say)
        watcher = SourceWatcher(preview, IOLoop.current())
        try:
            _refuse_taken(port)
            preview.refresh()
            server = Server(watcher=watcher)
            server.SFH = _handler(preview)
            delay = 0 if open_browser else None
            server.serve(port=port, host=HOST, root=str(preview.site), open_url_delay=delay)
        except KeyboardInterrupt:
            pass
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise OutputError(Problem(f"{HOST}:{port}", "", why, "choose another --port")) from error
        finally:
            watcher.stop()
    if watcher.broken:
        raise RuntimeError("the preview's watcher ended; its traceback stands above")


def _refuse_taken(port: int) -> None:
    """Raise OSError if the port cannot be had now, as the server would after the seconds of a build."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind((HOST, port))


class Preview:
    """The site as last built, or why it could not be."""

    def __init__(self, root: Path, folder: Path, say: Say) -> None:
        self.root = root
        self.site = folder / "site"
        self.hidden = Path(os.path.realpath(folder))
        self.failure: bytes | None = None
        self._say = say
        self._stamp: Stamp = frozenset()

    def refresh(self) -> bool:
        """Build if a source differs from the last build; whether it did."""
        stamp = self._look()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            with replacing(self.site) as folder:
                made = produce(self.root, _WithoutPolicy(folder))
        except (SiteError, ContractError) as error:
            self.failure = _failure_page(error.problems)
            for problem in error.problems:
                self._say(f"sealbook: {problem}")
            self._say(f"not built: {len(error.problems)} problems")
        else:
            self.failure = None
            for caution in made.cautions:
                self._say(f"sealbook: warning: {printable(str(caution))}")
            self._say(f"built {made.pages} pages")
        return True

    def folders(self) -> tuple[Path, ...]:
        """The folders of sources that exist now."""
        own = (self.root / name for name in SOURCES)
        return tuple(folder for folder in (*own, theme_folder(), CATALOGS) if folder.is_dir())

    def concerns(self, path: str) -> bool:
        """Whether a page may depend on this file. What the preview itself writes never does."""
        if Path(os.path.realpath(path)).is_relative_to(self.hidden):
            return False
        runs = self.root / RUNS
        return not Path(path).is_relative_to(runs) or SEALED in Path(path).relative_to(runs).parts

    def _look(self) -> Stamp:
        """Size and time of change of every source: equal stamps, equal sites."""
        seen: set[str] = set()
        stamps = set()
        for folder in self.folders():
            for parent, below, names in os.walk(folder, followlinks=True):
                real = os.path.realpath(parent)
                if real in seen:  # two links to one folder, or a link to a folder above
                    below.clear()
                    continue
                seen.add(real)
                for name in names:
                    path = Path(parent) / name
                    if self.concerns(str(path)) and path.is_file():
                        state = path.stat()
                        stamps.add((str(path), state.st_size, state.st_mtime_ns))
        return frozenset(stamps)


class _WithoutPolicy:
    """Hands pages on that may load livereload's script, which a page's own policy forbids."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Hand one file on."""
        changed = (_POLICY.sub(b"", b"".join(pieces)),) if path.endswith(".html") else pieces
        self._sink.put(path, changed)


class SourceWatcher:
    """What livereload asks of a watcher, answered by the kernel instead of by polling.

    Builds happen in a thread of its own, so that pages are served meanwhile.
    """

    def __init__(self, preview: Preview, loop: IOLoop) -> None:
        self.broken = False
        self.filepath: str | None = None
        self._tasks = {"sources": preview}
        self._changes: list[tuple[str, int]] = []
        self._preview = preview
        self._loop = loop
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, callback: Callable[[], None]) -> bool:
        """Begin to watch; `callback` tells the browsers. True: livereload need not poll."""
        self._thread = threading.Thread(target=self._run, args=(callback,), name="watcher")
        self._thread.start()
        return True

    def examine(self) -> tuple[str, None]:
        """What changed, as livereload wants it: the whole site."""
        return RELOAD, None

    def stop(self) -> None:
        """End the thread and wait for a build under way."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, callback: Callable[[], None]) -> None:
        self.broken = True
        try:
            while not self._stopped.is_set():
                self._watch(self._preview.folders(), callback)
            self.broken = False
        finally:
            if self.broken:
                self._loop.add_callback(self._loop.stop)

    def _watch(self, folders: tuple[Path, ...], callback: Callable[[], None]) -> None:
        """Watch until a folder of sources comes or goes. What changed before the watch began is seen at once."""
        first = True
        for changes in watch(
            *folders,
            watch_filter=_Relevant(self._preview),
            stop_event=self._stopped,
            rust_timeout=WAKE_MILLISECONDS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            if (changes or first) and self._preview.refresh():
                self._loop.add_callback(callback)
            first = False
            if self._preview.folders() != folders:
                return


class _Relevant(DefaultFilter):
    """Lets through what editors and runs change, without their temporary files."""

    def __init__(self, preview: Preview) -> None:
        super().__init__()
        self._preview = preview

    def __call__(self, change: Change, path: str) -> bool:
        return super().__call__(change, path) and self._preview.concerns(path)


def _handler(preview: Preview) -> type[StaticFileHandler]:
    class PreviewHandler(StaticFileHandler):
        """Serves the last build fresh, or the page that says why there is none."""

        def prepare(self) -> None:
            if preview.failure is not None and self.request.path.endswith(("/", ".html")):
                self.set_status(500)
                self.set_header("Content-Type", "text/html; charset=UTF-8")
                self.finish(preview.failure)

        def set_extra_headers(self, path: str) -> None:  # noqa: ARG002  the shape of tornado's hook
            self.set_header("Cache-Control", "no-store")

        def should_return_304(self) -> bool:
            return False

    return PreviewHandler


def _failure_page(problems: Iterable[Problem]) -> bytes:
    items = "".join(f"<li><code>{escape(str(problem))}</code></li>" for problem in problems)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Not built</title>'
        "<style>body{font:1rem/1.5 system-ui;margin:2rem;max-width:60rem}li{margin:.5rem 0}</style></head>"
        f"<body><h1>The site could not be built</h1><ul>{items}</ul></body></html>"
    ).encode()
