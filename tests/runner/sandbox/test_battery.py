"""The attacks of `sealbook doctor`: all are held, each one works where nothing holds it, and judging is strict."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from runner.contract.events import CappedByClock, Exited, Signalled
from runner.contract.study import Tier
from runner.sandbox.abandoned import marks_of
from runner.sandbox.battery.catalog import ATTACKS, CONTROLS, TRIALS, Proof
from runner.sandbox.battery.scene import FLOOD_MIB, KEPT_BYTES, a_scene
from runner.sandbox.battery.trial import Judged, Told, Verdict, battery, judge
from runner.sandbox.isolation import MIB, SAME_USER
from runner.sandbox.output import EMPTY, Captured

BY_NAME = {trial.name: trial for trial in TRIALS}
QUICK = (
    *("use_workspace", "read_secret_beside", "write_core_pattern", "connect_host_loopback", "signal_host_process"),
    *("trace_init", "new_user_namespace", "use_inherited_file", "fork_without_end", "stop_oneself"),
)


def judged(tier, root, trials=TRIALS):
    rows: list[Judged] = []
    battery(tier, root, trials, tell=rows.append)
    return rows


@pytest.fixture(scope="module")
def work_root(tmp_path_factory):
    return tmp_path_factory.mktemp("battery")


def test_the_worst_attacks_are_held(work_root, jail):
    rows = judged(Tier.bwrap, work_root, [BY_NAME[name] for name in QUICK])

    assert {row.trial.name: row.verdict for row in rows} == dict.fromkeys(QUICK, Verdict.held), rows
    assert list(work_root.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("tier", Tier)
def test_every_attack_is_held_where_it_must_be(work_root, jail, tier):
    rows = judged(tier, work_root)

    assert [row for row in rows if row.verdict is Verdict.broken] == []
    if tier is Tier.bwrap:
        assert sum(row.verdict is Verdict.held for row in rows) >= 34


def test_the_core_pattern_is_what_it_was(work_root, jail):
    path = Path("/proc/sys/kernel/core_pattern")
    before = path.read_bytes()
    judged(Tier.bwrap, work_root, [BY_NAME["write_core_pattern"]])
    assert path.read_bytes() == before


FREE = (
    *("read_checkout", "read_secret_beside", "read_through_parent", "read_planted_link", "read_new_link"),
    *("read_by_hard_link", "connect_host_loopback", "connect_abstract", "other_socket"),
    *("signal_host_process", "see_host_processes", "write_read_only_bind", "gain_privileges"),
)


def test_what_only_reads_or_connects_succeeds_where_nothing_holds_it(work_root):
    """Else a row that says *held* would say nothing."""
    with a_scene(work_root) as scene:
        facts = scene.facts() | {"pid": os.getpid()}
        for name in FREE:
            if name == "other_socket" and os.geteuid() != 0:
                continue  # what else than packets there is to open depends on the kernel
            request = scene.request(Tier.process, SAME_USER, (BY_NAME[name].module, name, json.dumps(facts)))
            done = subprocess.run(request.argv, cwd=scene.work, env=request.env, capture_output=True, check=True)
            assert json.loads(done.stdout)["did"] is True, (name, done.stdout)


def test_an_inherited_handle_and_a_variable_too_many_are_noticed(work_root):
    with a_scene(work_root) as scene, (scene.folder / "secret").open("rb") as secret:
        facts = json.dumps(scene.facts())
        for name in ("use_inherited_file", "read_environment"):
            request = scene.request(Tier.process, SAME_USER, (BY_NAME[name].module, name, facts))
            env = {**request.env, "AWS_SECRET": "x"}
            handles = (secret.fileno(),)
            done = subprocess.run(
                request.argv, cwd=scene.work, env=env, pass_fds=handles, capture_output=True, check=True
            )
            assert json.loads(done.stdout)["did"] is True, name


def told(did=None, *, end=Exited(code=0), began=True, alive=False, total=0, kept=0):  # noqa: B008  a frozen value
    stderr = Captured(b"x" * kept, total, EMPTY.sha256)
    return Told(did, "", end, began, alive, stderr)


FLOOD = {"total": FLOOD_MIB * MIB, "kept": KEPT_BYTES}
JUDGED = {
    Proof.works: (told(True), [told(False), told(), told(end=Exited(code=1))]),
    Proof.blocked: (told(False), [told(True), told(), told(end=Signalled(signal=9)), told(end=CappedByClock())]),
    Proof.blocked_or_killed: (told(end=Exited(code=137)), [told(True), told(), told(end=CappedByClock())]),
    Proof.gone: (told(True), [told(True, began=False), told(True, alive=True), told(), told(False)]),
    Proof.capped_and_gone: (
        told(end=CappedByClock()),
        [
            told(True),
            told(end=Exited(code=137)),
            told(end=CappedByClock(), alive=True),
            told(end=CappedByClock(), began=False),
        ],
    ),
    Proof.counted: (
        told(True, **FLOOD),
        [
            told(True),
            told(**FLOOD),
            told(True, total=FLOOD["total"] - 1, kept=KEPT_BYTES),
            told(True, **FLOOD | {"kept": 1}),
        ],
    ),
}


@pytest.mark.parametrize("proof", Proof)
def test_only_the_right_end_counts_as_held_and_an_attack_that_fell_over_never_does(proof):
    trial = next(trial for trial in TRIALS if trial.proof is proof)
    right, wrong = JUDGED[proof]

    assert judge(trial, right).verdict is Verdict.held
    assert {judge(trial, one).verdict for one in wrong} == {Verdict.broken}


def test_the_catalog_holds_at_least_the_measured_battery_and_names_nothing_twice():
    assert len(ATTACKS) >= 31
    assert len(CONTROLS) >= 3
    assert len(BY_NAME) == len(TRIALS) == len({trial.tries for trial in TRIALS})
    assert all(Tier.bwrap in trial.tiers for trial in TRIALS)


def test_what_runs_inside_imports_the_standard_library_alone():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import runner.sandbox.battery.inside.attempt\n"
        "for name in ('controls', 'files', 'kernel', 'limits', 'network'):\n"
        "    __import__('runner.sandbox.battery.inside.' + name)\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, root], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_bystander_of_a_scene_carries_a_mark_by_which_it_is_found_if_the_doctor_is_killed(work_root):
    with a_scene(work_root) as scene:
        assert marks_of(scene.pid)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="there is no other instruction set to call by")
def test_without_the_filter_a_call_of_another_instruction_set_does_not_count_as_blocked(work_root):
    """Whatever the kernel answers by itself: that it knows no such call is not the filter's doing."""
    with a_scene(work_root) as scene:
        facts = json.dumps(scene.facts())
        name = "call_of_other_machine"
        request = scene.request(Tier.process, SAME_USER, (BY_NAME[name].module, name, facts))
        done = subprocess.run(request.argv, cwd=scene.work, env=request.env, capture_output=True, check=True)

    assert json.loads(done.stdout)["did"] is True
