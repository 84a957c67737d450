"""Whether a tier can be had on this machine, found out by really using it once."""

import functools
from pathlib import Path

from runner.contract.events import Exited
from runner.contract.study import Tier
from runner.errors import SandboxError, TierUnavailableError
from runner.sandbox.command import run
from runner.sandbox.isolation import Bind, Isolation
from runner.sandbox.process import Finished, ProcessRequest

_TRY_SECONDS = 20.0
_USERNS_SWITCHES = (
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
)
"""Where distributions forbid what bubblewrap needs: the file, the value that forbids, the setting that allows."""


def require(tier: Tier, *, for_what: str = "") -> None:
    """Return if the tier can be had. Raises `TierUnavailableError` with what stands in the way and what to do."""
    if problem := missing(tier):
        what, todo = problem
        raise TierUnavailableError(f"tier {tier.value} cannot be had on this machine: {what}", todo, where=for_what)


@functools.cache
def missing(tier: Tier) -> tuple[str, str] | None:
    """What stands in the way of a tier, and what to do about it; None when nothing does."""
    if tier is Tier.process:
        return None
    try:
        finished = _try()
    except SandboxError as error:
        problem = error.problems[0]
        return problem.what, problem.todo
    if finished.end == Exited(code=0):
        return None
    return _explain(finished)


def _try() -> Finished:
    jail = Isolation(tier=Tier.bwrap, binds=(Bind(Path("/usr/share")),))
    env = {"PATH": "/usr/bin:/bin"}
    return run(ProcessRequest(("true",), Path("/usr/share"), env, 4096, isolation=jail), _TRY_SECONDS)


def _explain(finished: Finished) -> tuple[str, str]:
    said = finished.stderr.text.strip().rpartition("\n")[2] or getattr(finished.end, "why", "it did not end well")
    if "Unknown option" in said:
        return f"bubblewrap is too old: {said}", "install bubblewrap 0.8 or later"
    for path, forbids, allows in _USERNS_SWITCHES:
        file = Path(path)
        if file.exists() and file.read_text(encoding="ascii").strip() == forbids:
            return f"user namespaces are switched off: {said}", f"allow them, such as by `sysctl -w {allows}`"
    return f"bubblewrap does not start: {said}", "let this user make user namespaces; a container may forbid them"
