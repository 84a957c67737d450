"""The sources of the program `tally`: it counts words, notes each bad one, keeps a state, and has a daemon."""

CORE = '''"""Counts words and tells bad ones."""
import json, os, sqlite3, time
from pathlib import Path

VERSION = "{version}"


def check(project, state, store):
    """The findings in all files; what was counted is kept in `state`."""
    findings, counts = [], {}
    for path in sorted(Path(project).glob("*.txt")):
        lines = path.read_text().splitlines()
        counts[path.name] = sum(len(line.split()) for line in lines)
        for number, line in enumerate(lines, 1):
            if "bad" in line.split():
                findings.append({"file": path.name, "line": number, "code": "bad-word"})
    keep(Path(state), store, counts)
    return findings


def keep(state, store, counts):
    state.mkdir(exist_ok=True)
    mark = state / "mark"
    mark.write_text("")
    for name, words in counts.items():
        record = {"file": name, "words": words, "version": VERSION, "at": time.time()}
        record = shaped({**record, "written_ns": os.stat(mark).st_mtime_ns})
        if store == "sqlite":
            with sqlite3.connect(state / "words.db") as base:
                base.execute("CREATE TABLE IF NOT EXISTS words (name TEXT UNIQUE NOT NULL, data BLOB)")
                base.execute("INSERT OR REPLACE INTO words VALUES (?, ?)", (name, json.dumps(record).encode()))
            base.close()
        else:
            (state / f"{name}.json").write_text(json.dumps(record))


def shaped(record):
    return record


def told(findings):
    return "".join(json.dumps(item) + "\\n" for item in findings)
'''
MAIN = '''"""tally [--store STORE] --state DIR PROJECT: the full command."""
import sys
from tally.core import check, told


def main(words):
    store = words[words.index("--store") + 1] if "--store" in words else "files"
    findings = check(words[-1], words[words.index("--state") + 1], store)
    sys.stdout.write(told(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''
DAEMON = '''"""tally.daemon RECEIPT ask [ARGS] | stop: a server that checks over its own socket."""
import json, os, socket, sys, tempfile, time
from pathlib import Path
from tally.core import check, told


def serve(receipt):
    folder = tempfile.mkdtemp()
    place = os.path.join(folder, "tally.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        receipt.with_suffix(".part").write_text(json.dumps({"pid": os.getpid(), "socket": place}))
        receipt.with_suffix(".part").rename(receipt)
        while True:
            peer, _ = server.accept()
            with peer, peer.makefile("rwb") as stream:
                asked = json.loads(stream.readline())
                if asked["words"] == ["stop"]:
                    receipt.unlink()
                    stream.write(b"{}\\n")
                    return
                words = asked["words"]
                store = words[words.index("--store") + 1] if "--store" in words else "files"
                findings = check(words[-1], words[words.index("--state") + 1], store)
                stream.write(json.dumps({"out": told(findings), "code": 1 if findings else 0}).encode() + b"\\n")


def request(receipt, words):
    place = json.loads(receipt.read_text())["socket"]
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(place)
        with peer.makefile("rwb") as stream:
            stream.write(json.dumps({"words": words}).encode() + b"\\n")
            stream.flush()
            return json.loads(stream.readline())


def start(receipt):
    if os.fork() == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
        if os.fork() == 0:
            serve(receipt)
        os._exit(0)
    while not receipt.exists():
        time.sleep(0.005)


def main(words):
    receipt = Path(words[0])
    if words[1] == "stop":
        request(receipt, ["stop"])
        return 0
    if not receipt.exists():
        start(receipt)
        print("started")
    answer = request(receipt, words[2:])
    sys.stdout.write(answer["out"])
    return answer["code"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''
CLIENT = '''"""CLIENT RECEIPT COUNT -- ARGS...: sends requests one after the other, and times each."""
import hashlib, json, sys, time
from pathlib import Path
from tally.daemon import request


def main(receipt, count, words):
    print(json.dumps({"pid": json.loads(receipt.read_text())["pid"]}))
    for _ in range(count):
        try:
            before = time.perf_counter_ns()
            answer = request(receipt, words)
            taken = time.perf_counter_ns() - before
            said = json.dumps(answer, sort_keys=True).encode()
            print(json.dumps({"ns": taken, "sha256": hashlib.sha256(said).hexdigest(), "status": answer["code"]}))
        except OSError as error:
            print(json.dumps({"error": str(error)}))
    print(json.dumps({"pid": json.loads(receipt.read_text())["pid"]}))


main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[4:])
'''


def files(version: str, **changed: tuple[str, str]) -> dict[str, str]:
    """The program of one release, by path; `changed` replaces a text that must be in `core`, `main` or `daemon`."""
    sources = {"core": CORE.replace("{version}", version), "main": MAIN, "daemon": DAEMON}
    for name, (old, new) in changed.items():
        assert sources[name].count(old) == 1, old
        sources[name] = sources[name].replace(old, new)
    return {
        "tally/__init__.py": "",
        "tally/__main__.py": sources["main"],
        "tally/core.py": sources["core"],
        "tally/daemon.py": sources["daemon"],
    }
