"""SHA256SUMS: the seal over a finished run, checkable with coreutils alone.

One line a file, `HEX  PATH`, sorted by the bytes of the path, with a final line feed. The seal
covers every file of the folder except itself and signatures over it. A decision is sealed as a run is.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
DECISION_FILE = "decision.json"


@dataclass(frozen=True, slots=True)
class SealedForm:
    """Which files a sealed folder of one kind has."""

    what: str
    """How messages call it."""
    files: tuple[str, ...]
    """It has each of them."""
    folders: tuple[str, ...]
    """Below them it may have more."""
    place: str
    """The folder of a study that it lies in."""


RUN_FORM = SealedForm("run", FIXED_FILES, FOLDERS, "evidence")
DECISION_FORM = SealedForm("decision", (DECISION_FILE,), (), "decisions")
_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9._+/-]+)")
_ANY_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_LAST_ASCII = 0x7F
_RESTORE = "restore the sealed bytes"


def digest(data: bytes) -> str:
    """The SHA-256 of `data` in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def seal_lines(digests: Mapping[str, str]) -> Iterator[bytes]:
    """The lines of SHA256SUMS over `digests` (path to SHA-256), one by one: a run may have very many files."""
    return (f"{digests[path]}  {path}\n".encode() for path in sorted(digests, key=str.encode))


def format_seal(digests: Mapping[str, str]) -> bytes:
    """The bytes of SHA256SUMS over `digests` (path to SHA-256)."""
    return b"".join(seal_lines(digests))


def parse_seal(data: bytes, *, file: str) -> dict[str, str]:
    """Path to digest, in order. Raises `SealMismatchError` unless the bytes are canonical."""
    listed: dict[str, str] = {}
    problems: list[Problem] = []
    if not data.isascii():
        at = next(place for place, byte in enumerate(data) if byte > _LAST_ASCII)
        raise SealMismatchError(Problem(file, f"byte {at}", "not ASCII", _RESTORE))
    in_order, last = True, ""
    for number, found in enumerate(_ANY_LINE.finditer(data), 1):
        line = found[0]
        match = _LINE.fullmatch(line.decode("ascii").removesuffix("\n"))
        if match is None:
            what = "not `HEX  PATH`" + (" (ends in CR)" if line.endswith(b"\r\n") else "")
            problems.append(Problem(file, f"line {number}", what, _RESTORE))
            continue
        sha256, path = match.groups()
        if path in listed:
            problems.append(Problem(file, f"line {number}", f"{path} is listed twice", _RESTORE))
        listed.setdefault(path, sha256)
        in_order, last = in_order and last < path, path
    if not problems and not (in_order and (not data or data.endswith(b"\n"))):
        what = "lines are not sorted or the last one has no line feed"
        problems.append(Problem(file, "", what, _RESTORE))
    if problems:
        raise SealMismatchError(*problems)
    return listed


def tree_digest(files: Iterable[tuple[str, str]]) -> str:
    """One digest over many files: the SHA-256 of their sorted `sha256sum` lines."""
    return digest(format_seal(dict(files)))
