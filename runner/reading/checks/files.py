"""Whether the files of a run are those that its attempts name, and what the events in them bear out."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from runner.contract.attempt import Attempt
from runner.contract.errors import ContractError, Problem
from runner.contract.events import Event
from runner.contract.evidence import Run
from runner.contract.plan import Plan
from runner.contract.values import FileDigest
from runner.reading.checks.comparisons import check_comparison
from runner.reading.checks.events import check_events, replaced_in
from runner.reading.checks.observations import check_observation
from runner.reading.checks.parities import check_parity
from runner.reading.checks.steps import StepsCheck

_REMEDY = "do not rely on this run"
_REMEMBERED = 4096


class FilesCheck:
    """Reads each attempt's events once, through `read`, and keeps only how many there are."""

    def __init__(
        self,
        run: Run,
        plan: Plan,
        sealed: Mapping[str, FileDigest],
        shown: str,
        read: Callable[[str], Sequence[Event]],
        data: Callable[[str], bytes],
    ) -> None:
        self.events: dict[int, int] = {}
        """How many events the attempt of a line has; no entry where they cannot be read."""
        self._run = run
        self._plan = plan
        self._sealed = sealed
        self._shown = shown
        self._read = read
        self._data = data
        self._steps = StepsCheck(plan, data)
        self._borne_out: set[tuple[str, str, str]] = set()
        self._replaced = 0
        self._missing: set[str] = set()
        self._unclaimed = {path for path in sealed if "/" in path}
        self._problems: list[Problem] = []

    def see(self, number: int, attempt: Attempt) -> None:
        """Take the attempt of line `number`."""
        for path in (attempt.events, *attempt.artifacts):
            if path is not None:
                self._unclaimed.discard(path)
                if path not in self._sealed:
                    self._missing.add(path)
        if attempt.events is None:
            events: Sequence[Event] = ()
        elif attempt.events not in self._sealed:
            return
        else:
            try:
                events = self._read(attempt.events)
            except ContractError as error:
                self._problems += error.problems
                return
        self._replaced += replaced_in(events)
        self.events[number] = len(events)
        found = (
            *check_events(attempt, events),
            *self._of_steps(attempt, events),
            *check_observation(attempt, self._sealed, self._data),
            *check_comparison(attempt, events, self._plan, self._run, self._is_there(attempt), self._data),
            *check_parity(attempt, events, self._plan, self._sealed, self._data),
        )
        for problem in found:
            where = f"{self._shown}/{problem.file}"
            self._problems.append(Problem(where, problem.where, problem.what, problem.todo))

    def _of_steps(self, attempt: Attempt, events: Sequence[Event]) -> Sequence[Problem]:
        """Problems between events and plan. Those of many trials are equal, byte for byte, and are held once."""
        digest = self._sealed[attempt.events].sha256 if attempt.events else ""
        key = (attempt.arm, attempt.task, digest)
        if key in self._borne_out and not attempt.artifacts:
            return ()
        problems = tuple(self._steps.problems(attempt, events, self._is_there(attempt)))
        if not problems and len(self._borne_out) < _REMEMBERED:
            self._borne_out.add(key)
        return problems

    def _is_there(self, attempt: Attempt) -> Callable[[str], bool]:
        return lambda path: path in self._sealed and path in attempt.artifacts

    def end(self) -> Iterator[Problem]:
        """Every problem, after the last attempt. Their files are named as the run is."""
        for path in sorted(self._missing):
            yield Problem(f"{self._shown}/{path}", "", "an attempt names it, and it is not there", _REMEDY)
        for path in sorted(self._unclaimed):
            yield Problem(f"{self._shown}/{path}", "", "belongs to no attempt", _REMEDY)
        yield from self._problems
        if self._replaced > self._run.replaced:
            what = f"{self._run.replaced} stated, the events alone give {self._replaced}"
            yield Problem(f"{self._shown}/run.json", "replaced", what, _REMEDY)
