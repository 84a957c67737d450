"""A small real subject: a notice board with exclusive claims, in one SQLite file below STATE or the working folder.

It also misbehaves on request, as real subjects do: it sleeps, floods, daemonizes and serves.
"""

import argparse
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time


def board():
    """The database, made on first use."""
    connection = sqlite3.connect(
        os.path.join(os.environ.get("STATE", "."), "board.db"), timeout=30, isolation_level=None
    )
    connection.execute("CREATE TABLE IF NOT EXISTS claims (name TEXT PRIMARY KEY, owner TEXT, until REAL)")
    return connection


def claim(name, owner, seconds):
    """Take a name that nobody holds now."""
    connection = board()
    connection.execute("BEGIN IMMEDIATE")
    row = connection.execute("SELECT owner, until FROM claims WHERE name = ?", (name,)).fetchone()
    if row is not None and row[1] > time.time():
        connection.execute("ROLLBACK")
        print(json.dumps({"granted": False, "held_by": row[0]}))
        return 1
    connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", (name, owner, time.time() + seconds))
    connection.execute("COMMIT")
    print(json.dumps({"granted": True, "owner": owner, "term": 1, "until": 1.5, "claims": [{"name": name}]}))
    return 0


def sleep(words):
    """Say so, and sleep."""
    print("asleep", flush=True)
    time.sleep(float(words[0]))


def touch(words):
    """Make a file and stay."""
    open(words[0], "w").close()
    time.sleep(float(words[1]))


def daemon(words):
    """Leave a process behind."""
    subprocess.Popen(["sleep", words[0]], start_new_session=True)


def rows():
    """Every claim."""
    return [{"name": name, "owner": owner} for name, owner in board().execute("SELECT name, owner FROM claims")]


ACTS = {
    "claim": lambda words: claim(words[0], words[1], float(words[2]) if len(words) > 2 else 60),
    "list": lambda words: print(json.dumps(rows())),
    "environment": lambda words: print(json.dumps(dict(os.environ))),
    "places": lambda words: print(json.dumps({"cwd": os.getcwd(), "home": os.path.expanduser("~"), "argv": words})),
    "say": lambda words: print(" ".join(words), flush=True),
    "echo": lambda words: print(sys.stdin.read(), end=""),
    "exit": lambda words: int(words[0]),
    "sleep": sleep,
    "touch": touch,
    "daemon": daemon,
    "connect": lambda words: socket.create_connection(("127.0.0.1", int(words[0])), timeout=5).close(),
}


def main():
    """One act a process."""
    parser = argparse.ArgumentParser(prog="board")
    parser.add_argument("act", choices=ACTS)
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    return ACTS[given.act](given.words)


if __name__ == "__main__":
    sys.exit(main())
