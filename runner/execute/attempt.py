"""Performs one attempt in a folder of its own and writes down what came of it.

The order of writing is the order of trust: events and artifacts, private files and their
salts, and last the attempt file, which names them all by digest.
"""

import hashlib
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt
from runner.contract.canonical import encode, parse
from runner.contract.evidence import Commitment, Facts, Timing
from runner.contract.plan import Plan, Slot
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import FileDigest, RelativePath
from runner.execute.folder import RunFolder
from runner.execute.kept import Kept
from runner.execute.unperformed import faulty
from runner.execute.workroom import workroom
from runner.kinds.kind import Bench, Kind, Performed, Unperformed
from runner.sandbox.redact import Redactor, machine_names, machine_places
from runner.store import make_folder, put, put_all, put_copy

_PATH: TypeAdapter[str] = TypeAdapter(RelativePath)
_MESSAGE_CHARACTERS = 2000
_MOST_RETRIES = 1000
"""As many as `Attempt.retry` can say."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is the same for every attempt of a run."""

    kind: Kind
    plan: Plan
    folder: RunFolder
    prepared: Path
    work_root: Path
    tier: Tier
    facts: Facts
    now_ns: Callable[[], int]
    new_salt: Callable[[], bytes]

    @property
    def nothing(self) -> Unperformed:
        """What is recorded of an attempt that was not performed to its end."""
        return self.kind.unperformed(self.plan, self.facts)


def perform(around: Surroundings, slot: Slot, retry: int, started_ns: int) -> Kept:
    """Perform one slot. Whatever the kind raises becomes an attempt that failed to run."""
    name = slot.attempt_id(retry)
    room = around.kind.room(slot, retry)
    with workroom(around.folder, around.work_root, name, room) as folder:
        bench = Bench(
            folder=folder,
            prepared=around.prepared,
            tier=around.tier,
            facts=around.facts,
            now_ns=around.now_ns,
            kept=lambda slot, name: kept_of(around.folder.path, slot, name),
            retry=retry,
        )
        try:
            performed = around.kind.perform(around.plan, slot, bench)
            _check(performed, folder)
        except Exception as error:  # noqa: BLE001  a fault of ours is kept as an attempt, and the run goes on
            message = _message(error, around, folder)
            performed = faulty(around.plan, slot, message, around.now_ns(), around.nothing)
        attempt = Attempt(
            attempt=name,
            arm=slot.arm,
            task=slot.task,
            trial=slot.trial,
            retry=retry,
            outcome=performed.outcome,
            reason=performed.reason,
            passed_after_cap=performed.passed_after_cap,
            criteria=performed.criteria,
            usage=performed.usage,
            tier=around.tier,
            events=f"events/{name}.jsonl",
            artifacts=tuple(f"artifacts/{name}/{artifact}" for artifact in sorted(performed.artifacts)),
            detail=performed.detail,
        )
        files = _publish(around.folder.path, attempt, performed)
        commitments = _commit(around, name, performed)
    timing = Timing(attempt=name, started_ns=started_ns, ended_ns=around.now_ns(), event_ns=performed.event_ns)
    return Kept(attempt=attempt, timing=timing, commitments=commitments, files=files, replaced=performed.replaced)


def _check(performed: Performed, folder: Path) -> None:
    """Raise ValueError for what no kind may hand over: it could not be sealed."""
    if len(performed.event_ns) != len(performed.events):
        raise ValueError(f"{len(performed.events)} events with {len(performed.event_ns)} instants")
    for name in performed.artifacts:
        _PATH.validate_python(name)
    for name, path in performed.private.items():
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"the private file {name} lies outside the attempt's folder")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise ValueError(f"the private file {name} is a link or no file at all")


def _message(error: Exception, around: Surroundings, folder: Path) -> str:
    places = {
        folder: "work",
        around.prepared: "prepared",
        around.folder.path: "run",
        around.work_root: "work-root",
        **machine_places(),
    }
    said = f"{type(error).__name__}: {error}"
    said = said.encode("utf-8", "backslashreplace").decode("utf-8")
    return Redactor(places, machine_names()).redact(said).text[:_MESSAGE_CHARACTERS]


def _publish(folder: Path, attempt: Attempt, performed: Performed) -> tuple[FileDigest, ...]:
    """Write events and artifacts; return what was written, by path."""
    lines = b"".join(event.canonical() + b"\n" for event in performed.events)
    contents = {f"events/{attempt.attempt}.jsonl": lines}
    for name, data in sorted(performed.artifacts.items()):
        contents[f"artifacts/{attempt.attempt}/{name}"] = data
    for parent in dict.fromkeys((folder / path).parent for path in contents):
        make_folder(parent, below=folder)
    put_all({folder / path: data for path, data in contents.items()})
    return tuple(FileDigest(path=path, bytes=len(data), sha256=digest(data)) for path, data in contents.items())


def _commit(around: Surroundings, attempt: str, performed: Performed) -> tuple[Commitment, ...]:
    """Keep private files with a salt each; return what can be said of them in public."""
    if not performed.private:
        return ()
    private = around.folder.path / "private" / attempt
    commitments: list[Commitment] = []
    salts: list[bytes] = []
    for name, source in sorted(performed.private.items()):
        kept = private / "files" / f"{len(commitments) + 1}"
        make_folder(kept.parent, below=around.folder.path)
        put_copy(kept, source)
        salt = around.new_salt()
        length, salted = _salted(kept, salt)
        commitments.append(Commitment(attempt=attempt, name=name, bytes=length, salted_sha256=salted))
        salts.append(encode({"file": kept.name, "name": name, "salt": salt.hex()}) + b"\n")
    put(private / "salts.jsonl", b"".join(salts))
    return tuple(commitments)


def kept_of(run: Path, slot: Slot, name: str) -> Path | None:
    """The private file of a name that the last attempt at a slot kept in this run; None if it kept none."""
    # Of an attempt that the runner's own end cut off nothing is kept, so that the first of them may be missing.
    folders = [run / "private" / slot.attempt_id(retry) for retry in reversed(range(_MOST_RETRIES + 1))]
    for folder in filter(Path.is_dir, folders):
        for line in (folder / "salts.jsonl").read_bytes().splitlines():
            stated = parse(line, file="salts.jsonl")
            if isinstance(stated, dict) and stated["name"] == name:
                return folder / "files" / str(stated["file"])
    return None


def _salted(path: Path, salt: bytes) -> tuple[int, str]:
    whole = hashlib.sha256(salt)
    length = 0
    with path.open("rb") as stream:
        while chunk := stream.read(1024 * 1024):
            whole.update(chunk)
            length += len(chunk)
    return length, whole.hexdigest()
