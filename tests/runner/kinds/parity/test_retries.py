"""What an attempt is called, and is held against, when the runner was stopped in the middle of the one before it."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from runner.contract.attempt import Outcome
from runner.contract.plan import Plan, Selection, Slot
from runner.errors import RunStoppedError
from runner.execute.run import execute
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.kind import Parity
from tests.factories import Silent, an_order
from tests.parities import SCENARIOS, Toy

ROW = "files-bad-word.1"
ONE = "[[scenarios]]".join(SCENARIOS.split("[[scenarios]]")[:1] + SCENARIOS.split("[[scenarios]]")[2:])


class Stopped(Parity):
    """Somebody stops the runner while `head` is attempted."""

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        if slot.arm == "head":
            raise KeyboardInterrupt
        return super().perform(plan, slot, bench)


@pytest.mark.long
@pytest.mark.rule("P99")
def test_what_is_held_against_a_retried_attempt_is_held_against_its_last_retry(tmp_path):
    toy = Toy(scenarios=ONE, backends=("files",), timed=(("files", "bad-word"),))
    frozen = toy.study(tmp_path / "manifests")
    toy.prepared(tmp_path / "prepared")
    with tempfile.TemporaryDirectory(prefix="toy-") as short:

        def order(kind: Parity):
            asked = an_order(tmp_path, frozen, kind, selection=Selection.correctness_only)  # type: ignore[arg-type]
            return replace(asked, work_root=Path(short))

        with pytest.raises(RunStoppedError):
            execute(order(Stopped()), Silent())
        run = execute(order(Parity()), Silent())

    assert run.attempt(f"head.{ROW}").outcome is Outcome.interrupted
    assert run.attempt(f"head.{ROW}.r1").outcome is Outcome.accepted
    assert json.loads(run.data(f"artifacts/head.{ROW}.r1/inventory.json"))["attempt"] == f"head.{ROW}.r1"
    for arm in ("wheel", "sdist"):
        assert run.attempt(f"{arm}.{ROW}").outcome is Outcome.accepted
        assert json.loads(run.data(f"artifacts/{arm}.{ROW}/comparison.json"))["left"] == f"head.{ROW}.r1"
