"""Freezes a Python program at an SQLite statement, so that the runner can kill it right there.

SQLite's own trace tells when a statement begins to run, be it in a script, in a `with` block or
one that the module adds itself, such as COMMIT. "After" is when the call that ran it returns, or
when the next statement of the connection begins. The whole process is frozen with SIGSTOP: none of its
threads goes on, nothing is closed, rolled back or flushed. Occurrences are counted over all
connections of one process.
"""

import functools
import os
import signal
import sqlite3

_RUNS_STATEMENTS = ("execute", "executemany", "executescript")


def hold(moment, statement, occurrence, mark):
    """Freeze this process `moment` ("before" or "after") the n-th such statement, and make `mark`."""
    watch = _Watch(moment, statement, occurrence, mark)
    real = sqlite3.connect

    @functools.wraps(real)
    def connect(*arguments, **options):
        factory = options.pop("factory", None)
        if factory is None and len(arguments) > 5:
            factory = arguments[5]
            arguments = (*arguments[:5], _watched_connection(factory, watch), *arguments[6:])
            return real(*arguments, **options)
        return real(*arguments, factory=_watched_connection(factory or sqlite3.Connection, watch), **options)

    sqlite3.connect = sqlite3.dbapi2.connect = connect


class _Watch:
    """Counts the statements that match and freezes the process at the right one."""

    def __init__(self, moment, statement, occurrence, mark):
        self.moment, self.left, self.mark = moment, occurrence, mark
        self.wanted = " ".join(statement.split()).casefold()
        self.ran_on = None

    def begins(self, connection, sql):
        """A statement begins to run on `connection`."""
        self.returned(connection)
        text = " ".join(sql[: 10 * len(self.wanted) + 1000].split()).casefold()
        rest = text[len(self.wanted) :][:1]
        if not text.startswith(self.wanted) or rest.isalnum() or rest == "_":
            return
        self.left -= 1
        if self.left == 0:
            if self.moment == "before":
                self.freeze()
            self.ran_on = id(connection)

    def returned(self, connection):
        """What began on `connection` has run."""
        if self.ran_on == id(connection):
            self.freeze()

    def freeze(self):
        """Never return. Only SIGKILL from outside ends it."""
        os.close(os.open(self.mark, os.O_WRONLY | os.O_CREAT, 0o600))
        while True:
            os.kill(os.getpid(), signal.SIGSTOP)


def _watched_connection(base, watch):
    class Watched(base):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            super().set_trace_callback(functools.partial(watch.begins, self))

        def set_trace_callback(self, callback):
            """Let the program trace as well."""

            def both(sql):
                if callback is not None:
                    callback(sql)
                watch.begins(self, sql)

            super().set_trace_callback(both)

        def cursor(self, factory=sqlite3.Cursor):
            return super().cursor(_watched_cursor(factory, watch))

        def __exit__(self, *failure):
            outcome = super().__exit__(*failure)
            watch.returned(self)
            return outcome

    for name in (*_RUNS_STATEMENTS, "commit", "rollback"):
        setattr(Watched, name, _telling(getattr(base, name), watch, lambda connection: connection))
    Watched.__name__, Watched.__qualname__, Watched.__module__ = base.__name__, base.__qualname__, base.__module__
    return Watched


@functools.lru_cache(maxsize=None)
def _watched_cursor(base, watch):
    members = {
        name: _telling(getattr(base, name), watch, lambda cursor: cursor.connection) for name in _RUNS_STATEMENTS
    }
    return type(base.__name__, (base,), members)


def _telling(real, watch, connection_of):
    @functools.wraps(real)
    def method(self, *arguments, **options):
        result = real(self, *arguments, **options)
        watch.returned(connection_of(self))
        return result

    return method
