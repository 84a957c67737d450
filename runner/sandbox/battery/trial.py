"""Tries every attack of the catalog at one tier and judges what came of it."""

import json
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from runner.contract.events import CappedByClock, End, Exited, NotSpawned, Signalled
from runner.contract.study import Tier
from runner.sandbox.battery.catalog import CONTROLS, TRIALS, Proof, Trial
from runner.sandbox.battery.scene import FLOOD_MIB, KEPT_BYTES, Scene, a_scene
from runner.sandbox.cgroup import Group
from runner.sandbox.command import run
from runner.sandbox.isolation import MIB, Isolation, Limits
from runner.sandbox.output import Captured
from runner.sandbox.process import Finished

_HEART_SECONDS = 0.15
"""Several beats of a process that lives on."""


class Verdict(StrEnum):
    """How a tier stood one attack or control."""

    held = "held"
    broken = "broken"
    not_claimed = "not-claimed"
    """The tier does not promise it, or this machine cannot show it, and it was not tried."""
    not_limited = "not-limited"
    """It takes a control group, which cannot be made here; it was not tried."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one trial came to, before it is judged."""

    did: bool | None
    """None when it did not live to tell."""
    saw: str
    end: End
    began: bool
    """Whether something that it started came to work at all."""
    alive: bool
    """Whether that was still at work afterwards."""
    stderr: Captured


@dataclass(frozen=True, slots=True)
class Judged:
    """One row of the table."""

    trial: Trial
    verdict: Verdict
    saw: str


def battery(tier: Tier, root: Path, trials: Iterable[Trial] = TRIALS, *, tell: Callable[[Judged], None]) -> None:
    """Try every trial at a tier, in a private folder below `root`, and tell each verdict as it is known.

    Raises `SandboxError` if no scene can be made, or no jail of a kind that the tier was found to give.
    """
    grouped = _memory_is_limited()
    with a_scene(root) as scene:
        for trial in trials:
            if tier not in trial.tiers or trial.machine not in (None, platform.machine()):
                tell(Judged(trial, Verdict.not_claimed, ""))
            elif trial.needs_group and not grouped:
                tell(Judged(trial, Verdict.not_limited, ""))
            else:
                tell(judge(trial, _try(scene, trial, tier)))


def is_control(trial: Trial) -> bool:
    """Whether it is a positive control."""
    return trial in CONTROLS


def judge(trial: Trial, told: Told) -> Judged:
    """Pure. An attack that fell over by itself proves nothing, and counts as broken."""
    return Judged(trial, Verdict.held if _held(trial.proof, told) else Verdict.broken, _seen(trial.proof, told))


def _seen(proof: Proof, told: Told) -> str:
    if proof is Proof.counted and told.did:
        return f"{told.stderr.total_bytes} bytes counted, {len(told.stderr.kept)} kept"
    if proof in (Proof.gone, Proof.capped_and_gone):
        became = "lives on" if told.alive else "is gone" if told.began else "never began"
        return f"{told.saw}, what it started {became}"
    return told.saw


def _held(proof: Proof, told: Told) -> bool:
    match proof:
        case Proof.works:
            return told.did is True
        case Proof.blocked:
            return told.did is False
        case Proof.blocked_or_killed:
            return told.did is False or told.end in (Exited(code=137), Signalled(signal=9))
        case Proof.gone:
            return told.did is True and told.began and not told.alive
        case Proof.capped_and_gone:
            return told.end == CappedByClock() and told.began and not told.alive
        case Proof.counted:
            exact = told.stderr.total_bytes == FLOOD_MIB * MIB and len(told.stderr.kept) == KEPT_BYTES
            return told.did is True and exact
        case _:
            assert_never(proof)


def _try(scene: Scene, trial: Trial, tier: Tier) -> Told:
    scene.heart.unlink(missing_ok=True)
    isolation = Isolation(tier=tier, binds=scene.binds(), limits=trial.limits)
    arguments = (trial.module, trial.name, json.dumps(scene.facts()))
    finished = run(scene.request(tier, isolation, arguments), trial.seconds)
    did, saw = _said(finished)
    return Told(did, saw, finished.end, scene.heart.exists(), _beats(scene.heart), finished.stderr)


def _said(finished: Finished) -> tuple[bool | None, str]:
    try:
        told = json.loads(finished.stdout.text)
        return bool(told["did"]), str(told["saw"])
    except (ValueError, KeyError, TypeError):
        last = finished.stderr.text.strip().rpartition("\n")[2][:200]
        return None, ", ".join(part for part in (_ending(finished.end), last) if part)


def _ending(end: End) -> str:
    match end:
        case Exited():
            return f"exit code {end.code}"
        case Signalled():
            return f"signal {end.signal}"
        case CappedByClock():
            return "ended by the clock"
        case NotSpawned():
            return f"not started: {end.why}"
        case _:
            assert_never(end)


def _beats(heart: Path) -> bool:
    """Whether the heart of something that was left behind still beats."""
    if not heart.exists():
        return False
    before = heart.read_bytes()
    time.sleep(_HEART_SECONDS)
    return heart.read_bytes() != before


def _memory_is_limited() -> bool:
    group = Group.make(Limits())
    group.remove()
    return "memory" in group.limited
