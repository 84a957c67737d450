"""What the runner could not do, and how it says so.

RunnerError                  could not be done: exit 3
├── UsageError               asked for something that is not there: exit 2
├── GateMissedError          a sealed run verifies, and did not come to what its study asks for: exit 1
├── NotPreparedError         `sealbook prepare` has not been run for this manifest
├── PreparationError         what the manifest pins could not be fetched or built
├── BackendError             who acts cannot be had: a server, an agent program, an endpoint
│   └── HumanDecisionError   a person has to decide first, and the message says what
├── SandboxError             a process or a workspace could not be kept apart
├── TierUnavailableError     this machine, or this kind of study, cannot give the tier that is asked for
├── StorageError             the disk refused a write, a sync or a link
├── CorruptLedgerError       a run's ledger is damaged before its end, or disagrees with its files
├── RunInUseError            another process holds the run
├── RunChangedError          manifest, runner or source differ from those the run began with
├── RunStoppedError          the user stopped the run; it can be resumed
├── NothingStartedError      the run is sealed, and not one attempt was started
├── SetUpFailedError         the run is sealed, and not one attempt came to be judged
├── PublicationRefusedError  the run may not be published as it is
└── AuditRefusedError        the observation may not be relied on as it is

The outcome of an attempt is never one of these: it is a value. Messages are lower case and
have no final stop.
"""

from typing import ClassVar, Self

from runner.contract.errors import Problem


class RunnerError(Exception):
    """The runner could not do what was asked; says what, where, and what to do."""

    code: ClassVar[str] = "runner-error"
    """A word for machines; it never changes."""
    exit_code: ClassVar[int] = 3

    def __init__(self, what: str, todo: str = "", *, where: str = "") -> None:
        said = f"{where}: {what}" if where else what
        super().__init__(f"{said}; {todo}" if todo else said)
        self.problems: tuple[Problem, ...] = (Problem(where, "", what, todo),)

    @classmethod
    def of(cls, *problems: Problem) -> Self:
        """Several things at once."""
        error = cls("\n".join(str(problem) for problem in problems))
        error.problems = problems
        return error


class UsageError(RunnerError):
    """Something was named that is not there."""

    code = "usage"
    exit_code = 2


class GateMissedError(RunnerError):
    """Of a sealed run more was asked than that it verifies, and it does not show that."""

    code = "gate-missed"
    exit_code = 1


class NotPreparedError(RunnerError):
    """What the manifest pins is not in place."""

    code = "not-prepared"


class PreparationError(RunnerError):
    """What the manifest pins could not be fetched, built or confirmed."""

    code = "preparation-failed"


class SandboxError(RunnerError):
    """A process or a workspace could not be kept apart."""

    code = "sandbox"


class BackendError(RunnerError):
    """Who acts in an attempt cannot be had."""

    code = "backend"


class HumanDecisionError(BackendError):
    """Nothing goes on before a person has decided."""

    code = "human-decision"


class TierUnavailableError(RunnerError):
    """The tier that a study demands cannot be had. Nothing was started, and no weaker one is taken for it."""

    code = "tier-unavailable"


class StorageError(RunnerError):
    """The disk refused."""

    code = "storage"


class CorruptLedgerError(RunnerError):
    """A ledger that no crash can explain. It is kept as it is."""

    code = "ledger-corrupt"


class RunInUseError(RunnerError):
    """Two runners never share a run."""

    code = "run-in-use"


class RunChangedError(RunnerError):
    """A run is resumed only under what it began with."""

    code = "run-changed"


class RunStoppedError(RunnerError):
    """The user stopped the run."""

    code = "run-stopped"


class NothingStartedError(RunnerError):
    """Not one attempt was started. The sealed record says so too."""

    code = "nothing-started"


class SetUpFailedError(RunnerError):
    """Not one attempt came to be judged. The sealed record says so too."""

    code = "set-up-failed"


class PublicationRefusedError(RunnerError):
    """The run may not be published as it is."""

    code = "publication-refused"


class AuditRefusedError(RunnerError):
    """The observation may not be relied on as it is."""

    code = "audit-refused"
