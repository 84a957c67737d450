"""Turns the raw bytes of an attempt into entries and values: a file is one, a database one for each of its rows.

A write-ahead log is read as a part of its database, as SQLite itself would; the log and its index are containers too.
"""

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from runner.contract.parity.inventory import Entry, Form, entry_of, spelled, value_of

_DATABASE = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a database: what is not yet in it, and an index of that, which is made anew when needed."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One entry and the JSON value that it is compared by; None where it has none."""

    entry: Entry
    value: object


def observed(files: Mapping[str, bytes]) -> dict[str, Observed]:
    """Every entry of some files, by path, sorted."""
    found: dict[str, Observed] = {}
    for path, data in files.items():
        if data.startswith(_DATABASE):
            container = _container(path, data)
            try:
                rows = dict(_rows(path, data, files.get(f"{path}-wal", b"")))
            except sqlite3.Error:
                # Compared as bytes: what cannot be read row by row is not excused either.
                found[path] = Observed(container.model_copy(update={"form": Form.data}), None)
                continue
            found[path] = Observed(container, None)
            found |= rows
        elif path.endswith(_BESIDE) and files.get(path[:-4], b"").startswith(_DATABASE):
            found[path] = Observed(_container(path, data), None)
        else:
            found[path] = Observed(entry_of(path, data), value_of(data)[1])
    return dict(sorted(found.items()))


def _container(path: str, data: bytes) -> Entry:
    return Entry(
        path=path, form=Form.container, bytes=len(data), sha256=hashlib.sha256(data).hexdigest(), value_sha256=None
    )


@contextmanager
def _opened(data: bytes, log: bytes) -> Iterator[sqlite3.Connection]:
    """A database as it stands with its log."""
    with tempfile.TemporaryDirectory() if log else nullcontext() as folder:
        if folder is None:
            connection = sqlite3.connect(":memory:")
            # Bytes 18 and 19 say that there may be a log (2) or not (1). There is none, and memory cannot have one.
            connection.deserialize(data[:18] + b"\x01\x01" + data[20:])
        else:
            file = Path(folder, "database")
            file.write_bytes(data)
            file.with_name("database-wal").write_bytes(log)
            connection = sqlite3.connect(file)
        with closing(connection):
            yield connection


def _rows(path: str, data: bytes, log: bytes) -> Iterator[tuple[str, Observed]]:
    """Each row of each table, called by its first column, and the definition of each table and index."""
    with _opened(data, log) as connection:
        connection.text_factory = bytes
        tables = connection.execute("SELECT name, type, sql FROM sqlite_master ORDER BY name").fetchall()
        for name, kind, sql in tables:
            table = name.decode()
            yield _row(f"{path}#schema/{table}", {"sql": sql})
            if kind != b"table":
                continue
            times: dict[str, int] = {}
            quoted = table.replace('"', '""')
            cursor = connection.execute(f'SELECT * FROM "{quoted}" ORDER BY 1')  # noqa: S608 -- a name of its own file
            columns = [column[0] for column in cursor.description]
            for values in cursor:
                key = _key(values[0])
                times[key] = times.get(key, 0) + 1
                suffix = f"~{times[key]}" if times[key] > 1 else ""
                yield _row(f"{path}#{table}/{key}{suffix}", dict(zip(columns, values, strict=True)))


def _key(value: object) -> str:
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    return text if text and len(text) <= 200 else hashlib.sha256(text.encode()).hexdigest()


def _row(path: str, columns: Mapping[str, object]) -> tuple[str, Observed]:
    raw = repr(sorted(columns.items())).encode()  # one spelling of what the columns hold, byte for byte
    value = {name: _column(item) for name, item in columns.items()}
    entry = Entry(
        path=path,
        form=Form.json,
        bytes=sum(len(item) for item in columns.values() if isinstance(item, bytes)),
        sha256=hashlib.sha256(raw).hexdigest(),
        value_sha256=hashlib.sha256(spelled(value).encode()).hexdigest(),
    )
    return path, Observed(entry, value)


def _column(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    form, parsed = value_of(value)
    if form is Form.json and isinstance(parsed, dict | list):
        return parsed
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"sha256": hashlib.sha256(value).hexdigest()}
