"""SHA256SUMS: the seal over a finished run, checkable with coreutils alone.

One line a file, `HEX  PATH`, sorted by the bytes of the path, with a final line feed. The seal
covers every file of the run's folder except itself and signatures over it.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from runner.contract.errors import Problem, SealMismatchError

SEAL_FILE = "SHA256SUMS"
NOT_SEALED = frozenset({SEAL_FILE, "SHA256SUMS.sig", "statement.dsse.json"})
RUN_FILE = "run.json"
PLAN_FILE = "plan.json"
ATTEMPTS_FILE = "attempts.jsonl"
TIMINGS_FILE = "timings.jsonl"
COMMITMENTS_FILE = "commitments.jsonl"
FIXED_FILES = (RUN_FILE, PLAN_FILE, ATTEMPTS_FILE, TIMINGS_FILE, COMMITMENTS_FILE)
FOLDERS = ("events", "artifacts")
_LINE = re.compile(r"^([0-9a-f]{64})  ([A-Za-z0-9._+/-]+)$")


def digest(data: bytes) -> str:
    """The SHA-256 of `data` in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def format_seal(digests: Mapping[str, str]) -> bytes:
    """The bytes of SHA256SUMS over `digests` (path to SHA-256)."""
    lines = (f"{digests[path]}  {path}\n" for path in sorted(digests, key=str.encode))
    return "".join(lines).encode()


def parse_seal(data: bytes, *, file: str) -> dict[str, str]:
    """Path to digest, in order. Raises `SealMismatchError` unless the bytes are canonical."""
    listed: dict[str, str] = {}
    problems: list[Problem] = []
    try:
        lines = data.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise SealMismatchError(
            Problem(file, f"byte {error.start}", "not ASCII", "restore the sealed bytes")
        ) from error
    for number, line in enumerate(lines[:-1], 1):
        match = _LINE.match(line)
        if match is None:
            what = "not `HEX  PATH`" + (" (ends in CR)" if line.endswith("\r") else "")
            problems.append(Problem(file, f"line {number}", what, "restore the sealed bytes"))
        elif match[2] in listed:
            what = f"{match[2]} is listed twice"
            problems.append(Problem(file, f"line {number}", what, "restore the sealed bytes"))
        else:
            listed[match[2]] = match[1]
    if not problems and format_seal(listed) != data:
        what = "lines are not sorted or the last one has no line feed"
        problems.append(Problem(file, "", what, "restore the sealed bytes"))
    if problems:
        raise SealMismatchError(*problems)
    return listed


def tree_digest(files: Iterable[tuple[str, str]]) -> str:
    """One digest over many files: the SHA-256 of their sorted `sha256sum` lines."""
    return digest(format_seal(dict(files)))
