"""A run that was changed and sealed again: its bytes are consistent, and its numbers are not."""

import shutil

import pytest

from runner.contract.attempt import Outcome
from runner.contract.seal import digest
from runner.reading.manifest import read_study
from tests.factories import ScriptedKind, a_sealed_run
from tests.runner.reading.forger import Forger, said
from tests.studies import a_study

OUTCOMES = {
    "identity-kept": Outcome.rejected,
    "persistence-kept": Outcome.failed_to_run,
    "fail-closed-kept": Outcome.timed_out,
}
REJECTED = "tool.identity-kept.1"


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recount")
    kind = ScriptedKind(outcomes=OUTCOMES, artifacts={"report.txt": b"ok\n"}, private={"db": b"x"})
    return a_sealed_run(folder, a_study(folder / "manifests"), kind)


@pytest.fixture
def forger(sealed, tmp_path) -> Forger:
    return Forger.of(sealed, tmp_path / "run")


def test_the_factory_makes_what_the_tests_change(sealed):
    tally = sealed.run.tally
    assert (tally.rejected, tally.failed_to_run, tally.timed_out, tally.accepted) == (1, 1, 1, 9)


@pytest.mark.report("A1")
@pytest.mark.parametrize("attempt", [f"tool.{check}.1" for check in OUTCOMES])
def test_a_failed_attempt_that_is_left_out_is_named(forger, attempt):
    for name in ("attempts.jsonl", "timings.jsonl", "commitments.jsonl"):
        forger.lines(
            name, lambda values: values.__setitem__(slice(None), [v for v in values if v["attempt"] != attempt])
        )
    (forger.folder / "events" / f"{attempt}.jsonl").unlink()
    shutil.rmtree(forger.folder / "artifacts" / attempt)
    found = forger.problems()
    assert said(found, "run/run.json: tally.not_started: 0 stated, the attempts give 1")


@pytest.mark.report("A1")
@pytest.mark.parametrize("attempt", [f"tool.{check}.1" for check in OUTCOMES])
def test_a_failed_attempt_that_is_called_accepted_is_named(forger, attempt):
    def accept(value):
        value |= {"outcome": "accepted", "reason": None}
        for criterion in value["criteria"]:
            criterion["verdict"] = "met"

    forger.line("attempts.jsonl", attempt, accept)
    found = forger.problems()
    assert said(found, f"run/events/{attempt}.jsonl", "is stated as met, the events judge")
    assert said(found, "run/run.json: tally.accepted: 9 stated, the attempts give 10")


def test_changed_counts_are_named_by_their_key_path(forger):
    def better(run):
        run["tally"] |= {"accepted": 10, "rejected": 0}
        run["analysis"]["disposition"] = "qualified"
        run["analysis"]["findings"] = []
        run["analysis"]["features"][0]["state"] = "accepted"

    forger.document("run.json", better)
    found = forger.problems()
    assert "run/run.json: tally.accepted: 10 stated, the attempts give 9; do not rely on this run" in found
    assert said(found, "run/run.json: tally.rejected: 0 stated, the attempts give 1")
    assert said(found, "run/run.json: analysis.disposition: qualified stated, the attempts give findings")
    assert said(found, "run/run.json: analysis.features[0].state: accepted stated, the attempts give finding")
    assert said(found, "run/run.json: analysis.findings: 0 stated, the attempts give 1")


ATTEMPT_DEFECTS = {
    "an accepted attempt with a reason": (
        "tool.hold-expiry-kept.1",
        lambda a: a.update(reason={"code": "wall-cap", "at": None}),
        "is accepted for the reason wall-cap",
    ),
    "a rejected attempt without a reason": (
        REJECTED,
        lambda a: a.update(reason=None),
        "is rejected for the reason none",
    ),
    "criteria of another task": (REJECTED, lambda a: a["criteria"].pop(), "has other criteria than its task"),
    "criteria in another order": (REJECTED, lambda a: a["criteria"].reverse(), "has other criteria than its task"),
    "another tier": (REJECTED, lambda a: a.update(tier="bwrap"), "was made at the tier bwrap, the run at process"),
    "no events": (REJECTED, lambda a: a.update(events=None), "is rejected and has no events file"),
    "events of another attempt": (
        REJECTED,
        lambda a: a.update(events="events/tool.fail-closed-kept.1.jsonl"),
        "names events/tool.fail-closed-kept.1.jsonl as its events",
    ),
    "an artifact left out": (REJECTED, lambda a: a.update(artifacts=[]), "belongs to no attempt"),
    "another's artifact": (
        REJECTED,
        lambda a: a.update(artifacts=["artifacts/tool.fail-closed-kept.1/report.txt"]),
        "names artifacts outside",
    ),
    "not in the plan": (REJECTED, lambda a: a.update(trial=2), "is not in the plan"),
    "another name": (
        REJECTED,
        lambda a: a.update(attempt="tool.identity-kept.2"),
        "should be called tool.identity-kept.1",
    ),
    "a retry of nothing": (
        REJECTED,
        lambda a: a.update(retry=1, attempt=f"{REJECTED}.r1"),
        f"is a retry of {REJECTED}, which is not there",
    ),
    "passed after the cap": (
        REJECTED,
        lambda a: a.update(passed_after_cap=True),
        "does not say rightly in `passed_after_cap`",
    ),
    "interrupted, and judged": (
        REJECTED,
        lambda a: a.update(outcome="interrupted", reason={"code": "runner-ended", "at": None}),
        "is interrupted, and something was judged",
    ),
}


@pytest.mark.parametrize("defect", ATTEMPT_DEFECTS)
def test_an_attempt_that_disagrees_with_plan_or_itself_is_named(forger, defect):
    attempt, change, expected = ATTEMPT_DEFECTS[defect]
    forger.line("attempts.jsonl", attempt, change)
    assert said(forger.problems(), expected)


def test_attempts_in_another_order_or_twice_are_named(forger):
    forger.lines("attempts.jsonl", lambda values: values.reverse())
    found = forger.problems()
    assert said(found, "run/attempts.jsonl: is not in plan order")
    forger.lines("attempts.jsonl", lambda values: values.append(values[0]))
    assert said(forger.problems(), "stands twice")


def test_an_outcome_that_was_seen_is_not_attempted_again(forger):
    def again(values):
        first = next(v for v in values if v["attempt"] == REJECTED)
        values.insert(values.index(first) + 1, first | {"attempt": f"{REJECTED}.r1", "retry": 1})

    forger.lines("attempts.jsonl", again)
    assert said(forger.problems(), f"{REJECTED}.r1 retries an attempt that ended as rejected")


def test_a_plan_that_leaves_out_a_check_or_invents_an_exclusion_is_named(forger):
    def shorter(plan):
        plan["slots"] = [s for s in plan["slots"] if s["task"] != "identity-kept"]
        plan["exclusions"] = plan["exclusions"][1:]
        plan["exclusions"][0] = plan["exclusions"][0] | {"task": "made-up"}

    forger.document("plan.json", shorter)
    found = forger.problems()
    assert said(found, "run/plan.json: slots: are not what the manifest's checks give: missing tool.identity-kept.1")
    assert said(found, "run/plan.json: exclusions[0]: nothing in the manifest excludes tool.made-up so")
    assert said(found, "run/plan.json: exclusions: lacks tool.")
    assert said(found, "run/run.json: plan_sha256")


RUN_DEFECTS = {
    "another study": (lambda r: r.update(study="other"), "study: other stated, the plan is for tiny"),
    "another selection": (lambda r: r.update(selection="quick"), "selection: quick stated, the plan is full"),
    "another end": (lambda r: r.update(ended_at="2026-12-01T00:00:00Z"), "ended_at: 2026-12-01T00:00:00Z stated"),
    "no subjects": (lambda r: r["facts"].update(subjects=[]), "are not the installed subjects of the plan"),
    "another artifact": (
        lambda r: r["facts"]["subjects"][0]["artifacts"][0].update(sha256="0" * 64),
        "facts.subjects[0].artifacts: are not those that the plan pins",
    ),
    "a curated file left out": (
        lambda r: r["facts"]["subjects"][0].update(files=[]),
        "facts.subjects[0].files: are not the curated files of the plan",
    ),
}


@pytest.mark.parametrize("defect", RUN_DEFECTS)
def test_a_run_that_disagrees_with_its_plan_is_named(forger, defect):
    change, expected = RUN_DEFECTS[defect]
    forger.document("run.json", change)
    assert said(forger.problems(), "run/run.json", expected)


def test_timings_that_do_not_fit_are_named(forger):
    def change(values):
        values[0]["event_ns"].pop()
        values[1]["ended_ns"] = 0
        values.pop()

    forger.lines("timings.jsonl", change)
    found = forger.problems()
    assert said(found, "run/timings.jsonl: line 1", "events and", "instants")
    assert said(found, "run/timings.jsonl: line 2", "runs backwards")
    assert said(found, "run/timings.jsonl: does not name every attempt once")


def test_commitments_of_no_attempt_are_named(forger):
    forger.lines("commitments.jsonl", lambda values: values[0].update(attempt="tool.other.1"))
    assert said(forger.problems(), "run/commitments.jsonl: line 1: belongs to tool.other.1")


def test_more_replacements_in_events_than_the_run_states_are_named(forger):
    forger.lines(f"events/{REJECTED}.jsonl", lambda values: values[0]["stdout"].update(replaced=3))
    assert said(forger.problems(), "run/run.json: replaced: 0 stated, the events alone give 3")


def test_forms_are_checked_line_by_line_and_key_by_key(forger):
    path = forger.folder / "attempts.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"trial":1', b'"trial": 1')
    lines[2] = lines[2].replace(b'"trial":1', b'"trial":1,"trial":1')
    lines[3] = lines[3].replace(b'"trial":1', b'"trial":0')
    lines[4] = lines[4].replace(b"}\n", b',"zeal":1}\n')
    lines[-1] = lines[-1].rstrip(b"\n")
    path.write_bytes(b"".join(lines))
    found = forger.problems()
    assert said(found, "run/attempts.jsonl: line 2, byte ", "valid JSON, but not in RFC 8785 form")
    assert said(found, "run/attempts.jsonl: line 3", "key 'trial' stands twice")
    assert said(found, "run/attempts.jsonl: line 4, trial: input should be greater than or equal to 1 (found 0)")
    assert said(found, "run/attempts.jsonl: line 5, zeal", "extra inputs are not permitted")
    assert said(found, f"run/attempts.jsonl: line {len(lines)}: does not end in a line feed")


EVENT_DEFECTS = {
    "other words of a process": (
        lambda events: events[0].update(argv=["{env}/bin/tool", "steal"]),
        "line 1: starts ask with other words than the plan",
    ),
    "another folder": (lambda events: events[0].update(cwd="other"), "line 1: starts ask in another folder"),
    "a step that there is none of": (lambda events: events[0].update(step="other"), "line 1: is of a step other"),
    "another end": (
        lambda events: events[0]["end"].update(code=3),
        "line 2: ask.1 is judged as met, what the process wrote says otherwise",
    ),
    "another observation": (
        lambda events: events[1].update(observed="exit 7"),
        "line 2: ask.1 states as observed 'exit 7', judged again it is 'exit 0'",
    ),
    "another expectation": (lambda events: events[1].update(expected="exit 9"), "line 2: ask.1 states as expected"),
    "an output that a rule refuses": (
        lambda events: events[0]["stdout"].update(text="no\n", kept_bytes=3, total_bytes=3, sha256=digest(b"no\n")),
        "line 3: ask.2 is judged as met, what the process wrote says otherwise",
    ),
    "a judgement of no process": (lambda events: events.pop(0), "judges ask.1, and no process of ask ended before"),
}


@pytest.mark.parametrize("defect", EVENT_DEFECTS)
def test_an_event_that_plan_and_output_do_not_bear_out_is_named(forger, defect):
    change, words = EVENT_DEFECTS[defect]
    forger.lines("events/tool.hold-expiry-kept.1.jsonl", change)

    assert said(forger.problems(), "run/events/tool.hold-expiry-kept.1.jsonl: ", words)


def test_a_published_output_that_is_gone_is_named(tmp_path):
    study = a_study(tmp_path / "manifests").folder
    tasks, manifest = study / "tasks/tool.toml", study / "study.toml"
    before = tasks.read_bytes()
    after = before.replace(b'id = "ask"', b'id = "ask"\npublish = "report"')
    tasks.write_bytes(after)
    manifest.write_text(manifest.read_text().replace(digest(before), digest(after)))
    kind = ScriptedKind(artifacts={"report.txt": ScriptedKind().output.encode()})
    forger = Forger.of(a_sealed_run(tmp_path, read_study(study), kind), tmp_path / "run")
    report = f"artifacts/{REJECTED}/report.txt"
    shutil.rmtree((forger.folder / report).parent)

    assert said(forger.problems(), f"run/{report}: an attempt names it, and it is not there")
