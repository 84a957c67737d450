"""Nobody changes a sealed run unseen: neither a bit, nor a file, nor a number sealed again afterwards."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.contract.errors import ContractError, SealMismatchError
from runner.contract.plan import Selection
from runner.contract.qualification.design import Feature
from runner.contract.seal import SEAL_FILE
from runner.reading.folder import open_sealed_folder
from runner.reading.sealed import open_run
from tests.factories import ScriptedKind, a_sealed_run
from tests.studies import NOT_OFFERED, a_study


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """A small sealed run: two attempts, everything else is left out of the quick run."""
    folder = tmp_path_factory.mktemp("tampering")
    performed = (Feature.identity, Feature.persistence)
    slow = [feature for feature in Feature if feature not in (*performed, *NOT_OFFERED)]
    study = a_study(folder / "manifests", slow=slow, gated=())
    kind = ScriptedKind(artifacts={"report.txt": b"all is well\n"}, private={"db": b"state"})
    return a_sealed_run(folder, study, kind, selection=Selection.quick)


@pytest.fixture
def copy(sealed, tmp_path) -> Path:
    """A copy that the test may change."""
    folder = tmp_path / "run"
    shutil.copytree(sealed.folder, folder)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def assert_noticed(folder: Path, changed: Path) -> None:
    """The verifier refuses the folder and names the file; a changed seal accuses every file it lists."""
    with pytest.raises(SealMismatchError) as refused:
        open_run(folder)
    name = str(changed.relative_to(folder.parent))
    assert changed.name == SEAL_FILE or name in str(refused.value) or SEAL_FILE in str(refused.value)


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def flip_bits(folder: Path, path: Path, bits: Iterator[int] | range) -> int:
    """Flip one bit after the other, each time in a file that is otherwise whole."""
    data = path.read_bytes()
    count = 0
    with path.open("r+b") as stream:
        for bit in bits:
            os.pwrite(stream.fileno(), flipped(data, bit)[bit // 8 : bit // 8 + 1], bit // 8)
            try:
                open_sealed_folder(folder, "run")
            except SealMismatchError:
                count += 1
            else:
                pytest.fail(f"bit {bit} of {path.name} was flipped unseen")
            os.pwrite(stream.fileno(), data[bit // 8 : bit // 8 + 1], bit // 8)
    assert path.read_bytes() == data
    return count


def test_the_untouched_copy_verifies(copy, sealed):
    assert open_run(copy).seal_sha256 == sealed.seal_sha256
    assert list(open_run(copy).files) == list(sealed.files)


def test_a_flipped_bit_is_noticed_in_every_file(copy):
    for path in files_of(copy):
        bits = path.stat().st_size * 8
        assert flip_bits(copy, path, range(0, bits, bits // 25 + 1)) >= 20
    open_run(copy)


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_every_flipped_bit_of_every_file_is_noticed(copy, part):
    flips = sum(flip_bits(copy, p, range(part, p.stat().st_size * 8, 4)) for p in files_of(copy))
    assert flips == sum(len(range(part, p.stat().st_size * 8, 4)) for p in files_of(copy)) > 30_000


@pytest.mark.long
def test_every_truncation_of_every_file_is_noticed(copy):
    for path in files_of(copy):
        data = path.read_bytes()
        for length in range(len(data)):
            path.write_bytes(data[:length])
            with pytest.raises(SealMismatchError):
                open_sealed_folder(copy, "run")
        path.write_bytes(data)
    open_run(copy)


def test_a_truncated_or_longer_file_is_noticed(copy):
    for path in files_of(copy):
        data = path.read_bytes()
        for changed in (b"", data[:1], data[:-1], data + b"\n", data + b"\0"):
            path.write_bytes(changed)
            assert_noticed(copy, path)
        path.write_bytes(data)
    open_run(copy)


def test_a_removed_file_is_noticed(copy):
    for path in files_of(copy):
        aside = copy.parent / "aside"
        path.rename(aside)
        assert_noticed(copy, path)
        aside.rename(path)
    open_run(copy)


def test_two_files_that_changed_places_are_noticed(copy):
    files = files_of(copy)
    contents = {path: path.read_bytes() for path in files}
    for one in files:
        for other in files:
            if contents[one] == contents[other]:
                continue
            one.write_bytes(contents[other])
            other.write_bytes(contents[one])
            assert_noticed(copy, one)
            one.write_bytes(contents[one])
            other.write_bytes(contents[other])
    open_run(copy)


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("notes.txt", "is not sealed"),
        ("events/more.jsonl", "is not sealed"),
        ("artifacts/tool.identity-kept.1/more/deep.txt", "is not sealed"),
        ("Run.json", "differs in case from run.json"),
        (".hidden", "is not sealed"),
        ("SHA256SUMS.sig", "is not sealed"),
        ("run.json\n", "run.json\\n"),
    ],
)
def test_an_added_file_is_noticed(copy, added, said):
    (copy / added).parent.mkdir(parents=True, exist_ok=True)
    (copy / added).write_bytes(b"x")
    with pytest.raises(SealMismatchError) as refused:
        open_run(copy)
    assert said in str(refused.value)


def test_whatever_is_no_file_is_noticed_and_never_waited_for(copy):
    (copy / "link").symlink_to("run.json")
    os.mkfifo(copy / "fifo")
    (copy / "empty").mkdir()
    (copy / "loop").symlink_to(".")
    with pytest.raises(SealMismatchError) as refused:
        open_run(copy)
    assert str(refused.value).splitlines() == [
        "run/empty: is an empty folder; remove it",
        "run/fifo: is no regular file; remove it, or restore the sealed bytes",
        "run/link: is a symbolic link; remove it, or restore the sealed bytes",
        "run/loop: is a symbolic link; remove it, or restore the sealed bytes",
    ]


def test_a_sealed_file_that_became_a_link_or_a_fifo_is_noticed(copy):
    outside = copy.parent / "run.json"
    (copy / "run.json").rename(outside)
    (copy / "run.json").symlink_to(outside)
    assert_noticed(copy, copy / "run.json")
    (copy / "run.json").unlink()
    os.mkfifo(copy / "run.json")
    assert_noticed(copy, copy / "run.json")


def test_the_seal_itself_may_be_no_link(copy):
    outside = copy.parent / "sums"
    (copy / SEAL_FILE).rename(outside)
    (copy / SEAL_FILE).symlink_to(outside)
    with pytest.raises(SealMismatchError, match=SEAL_FILE):
        open_run(copy)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[::-1], "lines are not sorted"),
        (lambda lines: [*lines, lines[-1]], "is listed twice"),
        (lambda lines: [lines[0].upper(), *lines[1:]], "line 1: not `HEX  PATH`"),
        (lambda lines: [lines[0].replace("  ", " *"), *lines[1:]], "line 1: not `HEX  PATH`"),
        (lambda lines: [line.replace("  run", "  ../run") for line in lines], "no run has such a file"),
        (lambda lines: [line for line in lines if "plan.json" not in line], "no run is without it"),
        (lambda lines: [], "no run is without it"),
    ],
)
def test_a_seal_in_any_other_form_is_refused(copy, change, said):
    lines = change((copy / SEAL_FILE).read_text().splitlines())
    if said == "no run has such a file":
        lines.sort(key=lambda line: line[66:])
    (copy / SEAL_FILE).write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(SealMismatchError) as refused:
        open_run(copy)
    assert said in str(refused.value)


def test_a_file_that_changes_after_it_was_verified_is_noticed(copy):
    opened = open_run(copy)
    path = copy / "events" / "tool.identity-kept.1.jsonl"
    path.write_bytes(path.read_bytes().replace(b"exit 0", b"exit 1"))
    with pytest.raises(ContractError, match="changed after it was compared with the seal"):
        opened.events("tool.identity-kept.1")
    with pytest.raises(ContractError, match="changed after it was compared with the seal"):
        opened.data("events/tool.identity-kept.1.jsonl")


def test_all_differences_are_told_at_once(copy):
    (copy / "plan.json").unlink()
    (copy / "extra").write_bytes(b"")
    (copy / "run.json").write_bytes(b"{}")
    with pytest.raises(SealMismatchError) as refused:
        open_run(copy)
    assert [problem.file for problem in refused.value.problems] == ["run/extra", "run/plan.json", "run/run.json"]
