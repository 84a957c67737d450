"""A project with a published run that is held, and decisions on its holds."""

import shutil
from pathlib import Path

from runner.contract.decision import Decision, Ruling
from runner.contract.seal import DECISION_FILE, SEAL_FILE, digest, format_seal
from runner.decide import Wanted, drafted, record
from runner.reading.decision import SealedDecision
from tests.sitegen.pages.parity_sample import STUDY
from tests.sitegen.projects import RUN

GATES = ("files-bad-word:0", "files-bad-word:1")
FINDING = "wheel.files-bad-word.1"
HOLDS = (*GATES, FINDING)
"""What the earlier run of the sample holds."""
FIRST, SECOND = "2026-12-02T03:04:05Z", "2026-12-03T04:05:06Z"


def a_held_project(made: Path, root: Path) -> Path:
    """A copy of the sample project `made` in which the run that is held is published."""
    shutil.copytree(made, root, symlinks=True)
    runs = root / ".sealbook" / "runs" / STUDY
    evidence = root / "manifests" / STUDY / "evidence"
    evidence.mkdir()
    (runs / RUN / "sealed").rename(evidence / RUN)
    shutil.rmtree(runs / RUN)
    return root


def wanted(*holds: str, ruling: Ruling | None = Ruling.not_taken, every: bool = False, **texts: str) -> Wanted:
    """A decision that has everything; `texts` replaces some of it."""
    stated = {
        "name": "Ada Example",
        "role": "release owner",
        "reason_en": "The full command is too slow for the editors that wait for it.",
        "reason_zh": "完整命令太慢，编辑器等不起。",
    }
    return Wanted(ruling=ruling, holds=holds, every=every, **(stated | texts))


def decided(root: Path, now: str, *holds: str, ruling: Ruling = Ruling.not_taken, **texts: str) -> SealedDecision:
    """Record a decision on holds of the published run, or on all where none is named."""
    asked = wanted(*holds, ruling=ruling, every=not holds, **texts)
    return record(drafted(root / "manifests" / STUDY, root / ".sealbook" / "runs" / STUDY, RUN, asked, now))


def twice_decided(root: Path) -> Path:
    """Record two decisions: one on the first gate and the finding, a later one on that gate, none on the other gate."""
    decided(root, FIRST, GATES[0], FINDING)
    decided(
        root,
        SECOND,
        GATES[0],
        ruling=Ruling.accepted_as_it_is,
        name="Bo Example",
        role="project lead",
        reason_en="The editors no longer wait for the command.",
        reason_zh="编辑器不再等待这条命令。",
    )
    return root


def seal_again(folder: Path, record_bytes: bytes) -> None:
    """Put other bytes in the place of a decision and seal them, as somebody would who holds the files."""
    for name, data in ((DECISION_FILE, record_bytes), (SEAL_FILE, format_seal({DECISION_FILE: digest(record_bytes)}))):
        (folder / name).chmod(0o644)
        (folder / name).write_bytes(data)


def forged(folder: Path, **changes: object) -> None:
    """Change fields of a sealed decision and seal it again."""
    whole = Decision.model_validate_json((folder / DECISION_FILE).read_bytes())
    seal_again(folder, whole.model_copy(update=changes).canonical())
