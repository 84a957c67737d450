"""The shipped manifest, changed by chance in bytes, lines and values: it is read or refused, in time, with places."""

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner.contract.errors import ContractError, Problem
from runner.contract.plan import Selection
from runner.contract.seal import digest
from runner.kinds.qualification.plan import plan
from runner.reading.manifest import read_study
from tests.manifests.conftest import STUDY

MANIFEST = "study.toml"
VALUE = re.compile(rb'"(?:[^"\\\n]|\\.)*"|\b\d+\b|\btrue\b|\bfalse\b')
TEXTS = [b'""', b'"x"', b'"{nobody}"', b'"../x"', b'"/"', b'"a b"', b'"\\u0000"', b'"' + b"k" * 5000 + b'"']
OTHERS = [b"0", b"-1", b"1.5", b"nan", b"2000-01-01", b"true", b"[]", b"{}", b"[[]]", b'["x"]', b"{ a = 1 }"]
HUGE = [b"9" * 20, b"1" * 5001, b".".join([b"k"] * 200) + b" = 1", b"[" * 200 + b"]" * 200]
BROKEN = ["\u202e\x7f".encode(), b"'", b'"""', b"#", b"\n"]
Edit = Callable[[bytes], bytes]


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """One change, at a place drawn as a share of the file, so that it fits any file and shrinks well."""
    how = draw(st.sampled_from(["value", "exchange", "bytes", "drop-line", "repeat-line", "move-line"]))
    first, second = draw(st.tuples(st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True)))
    new = draw(st.sampled_from([*TEXTS, *OTHERS, *HUGE, *BROKEN]) if how == "value" else st.binary(max_size=4))

    def edit(data: bytes) -> bytes:
        values = list(VALUE.finditer(data))
        lines = data.splitlines(keepends=True)
        if not values or not lines:
            return data
        if how in ("value", "exchange"):
            old, other = values[int(first * len(values))], values[int(second * len(values))]
            return data[: old.start()] + (new if how == "value" else other[0]) + data[old.end() :]
        if how == "bytes":
            at = int(first * len(data))
            return data[:at] + new + data[at + int(second * 4) :]
        line = lines.pop(int(first * len(lines)))
        if how != "drop-line":
            lines.insert(int(second * len(lines)), line * (2 if how == "repeat-line" else 1))
        return b"".join(lines)

    return edit


@pytest.fixture(scope="module")
def copies(pytestconfig, tmp_path_factory) -> tuple[Path, Path]:
    """The shipped manifest without its evidence: a copy that stays, and one to change."""
    folders = []
    for name in ("whole", "changed"):
        folder = tmp_path_factory.mktemp(name) / STUDY
        source = pytestconfig.rootpath / "manifests" / STUDY
        folders.append(Path(shutil.copytree(source, folder, ignore=shutil.ignore_patterns("evidence"))))
    return folders[0], folders[1]


def read_changed(copies: tuple[Path, Path], share: float, changes: list[Edit]) -> tuple[Problem, ...]:
    """Change one file, pin it again, and read: what is said of it, or nothing if it is read and planned."""
    whole, changed = copies
    files = sorted(path.relative_to(whole) for path in whole.rglob("*.toml"))
    file = files[int(share * len(files))]
    good = bad = (whole / file).read_bytes()
    for change in changes:
        bad = change(bad)
    (changed / file).write_bytes(bad)
    if str(file) != MANIFEST:
        manifest = (whole / MANIFEST).read_bytes()
        (changed / MANIFEST).write_bytes(manifest.replace(digest(good).encode(), digest(bad).encode()))
    said: tuple[Problem, ...] = ()
    started = time.process_time()
    try:
        plan(read_study(changed), Selection.full)
    except ContractError as error:
        said = error.problems or (Problem("", "", "", ""),)
    took = time.process_time() - started
    for name in {file, Path(MANIFEST)}:
        shutil.copyfile(whole / name, changed / name)
    assert took < 30, "a manifest is read or refused at once, not after half a minute"
    return said


def check_problems(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        assert problem.file.startswith(f"{STUDY}/")
        assert problem.what
        assert problem.todo
        assert str(problem).isprintable()
        assert len(str(problem)) < 1000


CHANGES = st.lists(edits(), min_size=1, max_size=3)
SHARE = st.floats(0, 1, exclude_max=True)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(SHARE, CHANGES)
def test_sixty_changed_manifests_are_read_or_refused_with_places(copies, share, changes):
    check_problems(read_changed(copies, share, changes))


@pytest.mark.long
@settings(max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
@given(SHARE, CHANGES)
def test_a_thousand_changed_manifests_are_read_or_refused_with_places(copies, share, changes):
    check_problems(read_changed(copies, share, changes))


def test_the_manifest_without_a_change_is_read(copies):
    assert read_changed(copies, 0, []) == ()
