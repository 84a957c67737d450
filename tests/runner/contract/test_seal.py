"""SHA256SUMS: one spelling, the one that coreutils writes, and everything else is refused."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.errors import SealMismatchError
from runner.contract.seal import SEAL_FILE, digest, format_seal, parse_seal, tree_digest

A, B = digest(b"a"), digest(b"b")
FILES = {
    "run.json": b"{}",
    "plan.json": b"",
    "attempts.jsonl": b"{}\n{}\n",
    "events/tool.claim.1.jsonl": b"x\n",
    "events/tool.claim.1.r1.jsonl": b"y\n",
    "events/tool.claim-2.1.jsonl": b"z\n",
    "events/tool.claim_2.1.jsonl": "中文\r\n".encode(),
    "events/Tool+claim.1.jsonl": bytes(range(256)),
    "artifacts/tool.claim.1/out.txt": b"out",
    "artifacts/tool.claim.10/out.txt": b"out",
}


@pytest.fixture
def sealed(tmp_path) -> Path:
    """A folder with a seal over its files, and a program's view of it."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / SEAL_FILE).write_bytes(format_seal({name: digest(data) for name, data in FILES.items()}))
    return Path(tmp_path)


def coreutils(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, check=False)


def test_the_seal_is_what_coreutils_writes_over_the_same_files_in_byte_order(sealed, required_tool):
    names = sorted(FILES, key=str.encode)
    written = coreutils(required_tool("sha256sum"), sealed, *names)
    assert written.stdout == (sealed / SEAL_FILE).read_bytes()


def test_coreutils_accepts_a_seal_and_notices_a_changed_and_a_missing_file(sealed, required_tool):
    program = required_tool("sha256sum")
    assert coreutils(program, sealed, "--strict", "--quiet", "-c", SEAL_FILE).returncode == 0
    (sealed / "run.json").write_bytes(b"{ }")
    changed = coreutils(program, sealed, "--strict", "--quiet", "-c", SEAL_FILE)
    assert (changed.returncode, changed.stdout) == (1, b"run.json: FAILED\n")
    (sealed / "run.json").unlink()
    assert coreutils(program, sealed, "--strict", "--quiet", "-c", SEAL_FILE).returncode == 1


def test_the_digest_of_a_tree_is_sha256sum_of_its_sha256sum_lines(sealed, required_tool):
    lines = coreutils(required_tool("sha256sum"), sealed, *sorted(FILES, key=str.encode)).stdout
    assert tree_digest((name, digest(data)) for name, data in FILES.items()) == hashlib.sha256(lines).hexdigest()


def test_a_seal_is_read_back_in_order():
    listed = parse_seal(f"{A}  a/b.txt\n{B}  a0\n".encode(), file=SEAL_FILE)
    assert list(listed.items()) == [("a/b.txt", A), ("a0", B)]


def test_a_seal_over_nothing_is_empty():
    assert format_seal({}) == b""
    assert parse_seal(b"", file=SEAL_FILE) == {}


NOT_A_LINE = "not `HEX  PATH`"
NOT_SORTED = "lines are not sorted or the last one has no line feed"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (f"{A}  a\r\n{B}  b\r\n", [f"line {n}: {NOT_A_LINE} (ends in CR)" for n in (1, 2)]),
        (f"{A.upper()}  a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A} a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}   a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}\ta\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A} *a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"\\{A}  a\\nb\n", [f"line 1: {NOT_A_LINE}"]),
        (f"SHA256 (a) = {A}\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A[:-1]}  a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}0  a\n", [f"line 1: {NOT_A_LINE}"]),
        (f" {A}  a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}  a \n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}  a b\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}  \n", [f"line 1: {NOT_A_LINE}"]),
        (f"# files\n{A}  a\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}  a\n\n", [f"line 2: {NOT_A_LINE}"]),
        ("\n", [f"line 1: {NOT_A_LINE}"]),
        (f"{A}  a\n{B}  a\n", ["line 2: a is listed twice"]),
        (f"{A}  a\n{A}  a\n{B} b\n", ["line 2: a is listed twice", f"line 3: {NOT_A_LINE}"]),
        (f"{A}  b\n{B}  a\n", [NOT_SORTED]),
        (f"{A}  a0\n{B}  a/b\n", [NOT_SORTED]),
        (f"{A}  a", [NOT_SORTED]),
        (f"{A}  a\n{B}  b", [NOT_SORTED]),
        (f"{A}  é\n", ["byte 66: not ASCII"]),
        (f"\ufeff{A}  a\n", ["byte 0: not ASCII"]),
    ],
)
def test_every_other_spelling_is_refused_line_by_line(data, expected):
    with pytest.raises(SealMismatchError) as refused:
        parse_seal(data.encode(), file="run/SHA256SUMS")
    remedy = "restore the sealed bytes"
    assert [str(problem) for problem in refused.value.problems] == [f"run/SHA256SUMS: {e}; {remedy}" for e in expected]


PATHS = st.from_regex(r"[A-Za-z0-9._+-]{1,8}(/[A-Za-z0-9._+-]{1,8}){0,2}", fullmatch=True)
DIGESTS = st.integers(0, 2**256 - 1).map(lambda number: f"{number:064x}")


@given(st.dictionaries(PATHS, DIGESTS, max_size=6))
def test_what_is_written_is_read_back_whatever_the_order(listed):
    data = format_seal(listed)
    assert parse_seal(data, file=SEAL_FILE) == listed
    assert format_seal(dict(reversed(listed.items()))) == data


@given(st.dictionaries(PATHS, DIGESTS, min_size=1, max_size=4), st.data())
def test_no_two_byte_strings_are_the_same_seal(listed, data):
    good = format_seal(listed)
    position = data.draw(st.integers(0, len(good) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != good[position]))
    changed = good[:position] + bytes([byte]) + good[position + 1 :]
    try:
        read_as = parse_seal(changed, file=SEAL_FILE)
    except SealMismatchError:
        return
    assert read_as != listed
