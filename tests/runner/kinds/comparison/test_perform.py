"""One attempt of a comparison: what an agent did, what the independent check made of it, and what it cannot touch."""

import json
from typing import ClassVar

import pytest

from runner.contract.attempt import Outcome, Reason, ReasonCode, Verdict
from runner.contract.comparison.tasks import Asked
from runner.contract.seal import digest
from tests.comparisons import (
    DRIFTED,
    EDITS,
    GOOD,
    INSPECTION,
    NOTICED,
    REMOVED,
    SYMBOLS,
    TEXT,
    USES,
    Tiny,
    both_lanes,
    marked,
    replaced,
    run,
    tool,
    usage,
    written,
)

NAME = f"{TEXT}.narrow.1"


def attempt(tmp_path, tiny: Tiny, lane: str = TEXT, **options):
    """The one attempt of a lane, with its run."""
    sealed = run(tmp_path, tiny.read(tmp_path / "manifests"), asked=Asked(lane=lane), **options)
    return sealed, sealed.attempt(f"{lane}.narrow.1")


def verdicts(found):
    return {item.id: item.verdict for item in found.criteria}


def document(sealed, name, which=NAME):
    return json.loads(sealed.data(f"artifacts/{which}/{name}"))


@pytest.mark.rule("T66", "T69", "T80", "T88")
def test_both_lanes_start_from_the_same_bytes_and_are_accepted_by_the_same_check(tmp_path):
    sealed = run(tmp_path, Tiny().read(tmp_path / "manifests"))

    assert [item.outcome for item in sealed.attempts] == [Outcome.accepted] * 2
    before = {lane: document(sealed, "workspace.json", f"{lane}.narrow.1")["before_sha256"] for lane in (SYMBOLS, TEXT)}
    assert before[SYMBOLS] == before[TEXT]
    differences = {sealed.data(f"artifacts/{lane}.narrow.1/candidate.diff") for lane in (SYMBOLS, TEXT)}
    assert len(differences) == 1, "rope and the edits come to the same text"
    assert sealed.run.analysis.disposition.value == "complete"


@pytest.mark.rule("T70", "T81")
def test_a_second_run_elsewhere_gives_the_same_bytes(tmp_path):
    frozen = Tiny(repetitions=2).read(tmp_path / "manifests")
    one, other = run(tmp_path / "one", frozen), run(tmp_path / "other", frozen)

    names = [file.path for file in one.files if file.path.startswith("artifacts/")]
    assert len(names) == 4 * 6
    assert [one.data(name) for name in names] == [other.data(name) for name in names]
    assert one.data("attempts.jsonl") == other.data("attempts.jsonl")
    assert one.run.analysis == other.run.analysis


@pytest.mark.rule("T72", "T73")
def test_everything_that_a_script_made_says_so(tmp_path):
    sealed, found = attempt(tmp_path, Tiny())

    assert found.detail.fixture
    assert sealed.run.facts.fixture
    assert sealed.run.analysis.fixture
    for name in ("transcript.json", "ledger.json", "observation.json", "workspace.json", "acceptance.json"):
        assert document(sealed, name)["fixture"] is True
    assert document(sealed, "ledger.json")["agent"]["model"] == "script-1"


@pytest.mark.rule("T77")
def test_a_session_that_lies_about_its_success_is_judged_by_what_it_left(tmp_path):
    sealed, found = attempt(
        tmp_path, Tiny(sessions=both_lanes(usage()), head='claimed_outcome = "completed, every criterion passed"')
    )

    assert found.outcome is Outcome.rejected
    assert verdicts(found)["signature"] is Verdict.not_met
    assert document(sealed, "transcript.json")["claimed_outcome"].startswith("completed")
    assert document(sealed, "ledger.json")["outcome"] == "failed"


@pytest.mark.rule("T76")
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../../precious", "a path with an empty part, `.` or `..` may leave the workspace"),
        ("{absolute}", "an absolute path leaves the workspace"),
    ],
)
def test_a_write_outside_is_forbidden_and_the_file_there_stays_as_it_was(tmp_path, path, why):
    precious = tmp_path / "work-root" / "precious"
    precious.parent.mkdir(parents=True)
    precious.write_bytes(b"kept\n")
    before = digest(precious.read_bytes())
    asked = path.replace("{absolute}", str(precious))
    sealed, found = attempt(tmp_path, Tiny(sessions=both_lanes(tool(written(asked, "gone\n")), *EDITS)))

    assert digest(precious.read_bytes()) == before
    assert found.outcome is Outcome.rejected
    assert verdicts(found) == {**dict.fromkeys(verdicts(found), Verdict.met), "authority": Verdict.not_met}
    acted = document(sealed, "transcript.json")["actions"][0]
    assert (acted["result"], acted["said"]) == ("forbidden", why)
    assert document(sealed, "observation.json")["metrics"]["failed_attempts"]["value"] == 1


@pytest.mark.rule("T77")
def test_a_change_beyond_the_expected_files_fails_authority_and_review(tmp_path):
    more = tool(written("shop/extra.py", "X = 1\n"))
    _, found = attempt(tmp_path, Tiny(sessions=both_lanes(*EDITS, more)))

    assert {key for key, verdict in verdicts(found).items() if verdict is Verdict.not_met} == {"review", "authority"}


def test_a_caller_that_was_forgotten_is_found(tmp_path):
    _, found = attempt(tmp_path, Tiny(sessions=both_lanes(EDITS[0])))

    assert {key for key, verdict in verdicts(found).items() if verdict is Verdict.not_met} == {"callers", "meaning"}


@pytest.mark.parametrize("name", ["by-text", "by-symbol"])
def test_an_operation_that_cannot_be_done_is_turned_down_and_the_session_goes_on(tmp_path, name):
    nothing = {
        TEXT: tool(replaced("shop/sums.py", "no such text", "x")),
        SYMBOLS: tool('{ op = "rename_symbol", path = "shop/sums.py", symbol = "nobody", to = "x" }'),
    }
    sessions = {lane: (nothing[lane], *GOOD[lane]) for lane in (SYMBOLS, TEXT)}
    sealed, found = attempt(tmp_path, Tiny(sessions=sessions), name)

    assert found.outcome is Outcome.accepted
    assert found.detail.turned_down == 1
    assert document(sealed, "observation.json", f"{name}.narrow.1")["metrics"]["failed_attempts"]["value"] == 1


class TestDrift:
    """A sibling changes under the agent."""

    SESSION = (
        usage(),
        INSPECTION,
        tool(replaced("shop/uses.py", '(lines, "EUR")', "(lines)", digest(USES.encode()))),
        *NOTICED,
        tool(replaced("shop/uses.py", '(lines, "EUR")', "(lines)", digest(DRIFTED.encode()))),
        EDITS[0],
    )
    BY_SYMBOL = (usage(), INSPECTION, *NOTICED, tool(REMOVED))

    def tiny(self, *actions: str, **more) -> Tiny:
        return Tiny(drift=True, sessions=both_lanes(*(actions or self.SESSION), symbols=self.BY_SYMBOL), **more)

    @pytest.mark.rule("T79", "T80")
    def test_it_happens_once_in_both_lanes_and_what_it_brought_is_kept(self, tmp_path):
        sealed = run(tmp_path, self.tiny().read(tmp_path / "manifests"))

        assert [item.outcome for item in sealed.attempts] == [Outcome.accepted] * 2
        assert [
            document(sealed, "transcript.json", item.attempt)["drift_applications"] for item in sealed.attempts
        ] == [1, 1]
        for item in sealed.attempts:
            (drifted,) = [event for event in sealed.events(item.attempt) if event.event == "drifted"]
            assert drifted.before_sha256 == digest(USES.encode())
            assert drifted.after_sha256 == digest(DRIFTED.encode())
        stale = document(sealed, "transcript.json")["actions"][2]
        assert stale["result"] == "stale"

    def test_an_agent_that_does_not_notice_is_not_said_to_have_noticed(self, tmp_path):
        actions = [action for action in self.SESSION if action != marked("stale_failure")]
        _, found = attempt(tmp_path, self.tiny(*actions))

        assert verdicts(found)["stale-detection"] is Verdict.not_met
        assert found.detail.drift_applications == 1
        assert found.outcome is Outcome.rejected

    def test_a_notice_before_the_drift_is_a_guess_and_no_notice(self, tmp_path):
        _, found = attempt(tmp_path, self.tiny(marked("stale_failure"), *self.SESSION))

        assert verdicts(found)["stale-detection"] is Verdict.not_met

    def test_an_agent_that_overwrites_what_the_drift_brought_has_not_recovered(self, tmp_path):
        session = (
            *self.SESSION[:5],
            tool(written("shop/uses.py", USES.replace('(lines, "EUR")', "(lines)"))),
            EDITS[0],
        )
        _, found = attempt(tmp_path, self.tiny(*session))

        assert verdicts(found)["recovery"] is Verdict.not_met


class TestProbe:
    """An independent tool, which the task asks and the command names."""

    TABLE = """
[probe]
tool = "checker"
seconds = 5
output_bytes = 2048
check = ["{probe}", "check"]
test = ["{probe}", "test"]
run = ["{probe}", "run"]
graph = ["{probe}", "graph"]
limits = { en = "A graph of nothing.", zh = "空图。" }
"""
    RULE: ClassVar[dict[str, str]] = {
        "asked": '{ rule = "probe", commands = ["check", "graph"] }',
        "run": '{ rule = "probe", commands = ["run"] }',
    }

    def judged(self, tmp_path, text: str | None):
        probes = {}
        if text is not None:
            program = tmp_path / "checker"
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o700)
            probes = {"checker": program}
        tiny = Tiny(probe=self.TABLE, rules=self.RULE)
        return attempt(tmp_path, tiny, probes=probes)

    @pytest.mark.rule("T85", "T87")
    def test_all_four_commands_run_on_the_start_and_on_the_candidate_apart_from_both(self, tmp_path):
        sealed, found = self.judged(tmp_path, 'grep -c unit shop/sums.py || true; touch "$0".x 2>/dev/null; exit 0')

        assert found.outcome is Outcome.accepted
        asked = [event for event in sealed.events(NAME) if event.event == "process"]
        assert [event.step for event in asked] == [
            f"probe-{name}-{tree}" for name in ("check", "test", "run", "graph") for tree in ("start", "candidate")
        ]
        assert [event.stdout.text for event in asked[:2]] == ["1\n", "0\n"]
        (probed,) = [event for event in sealed.events(NAME) if event.event == "probed"]
        assert probed.before_sha256 == probed.after_sha256 == sealed.run.facts.probes[0].file.sha256
        projection = document(sealed, "projection.json")
        assert projection["limits"]["en"] == "A graph of nothing."
        assert len(projection["source_sha256"]) == 64
        assert projection["fixture"] is True

    @pytest.mark.rule("T85")
    @pytest.mark.parametrize(
        ("program", "said"),
        [
            ("exit 3", "check on the start failed"),
            ("head -c 5000 /dev/zero", "check on the start printed too much"),
            ("kill -9 $$", "check on the start failed"),
            ('printf "\\n# more" >> "$0"', "the probe's binary changed meanwhile"),
        ],
        ids=["nonzero", "output-cap", "killed", "changed-midway"],
    )
    def test_a_probe_that_fails_fails_the_rows_that_ask_it(self, tmp_path, program, said):
        sealed, found = self.judged(tmp_path, program)

        assert found.outcome is Outcome.rejected
        assert set(verdicts(found).values()) == {Verdict.not_met}
        assert said in document(sealed, "acceptance.json")["rows"][0]["rules"][0]["observed"]

    def test_a_probe_that_is_another_one_than_the_run_began_with_is_not_believed(self, tmp_path):
        program = tmp_path / "checker"
        program.write_text('#!/bin/sh\ngrep -q "^# more" "$0" || printf "# more\\n" >> "$0"\n')
        program.chmod(0o700)
        tiny = Tiny(probe=self.TABLE, rules=self.RULE)
        sealed = run(tmp_path, tiny.read(tmp_path / "manifests"), probes={"checker": program})

        observed = [
            document(sealed, "acceptance.json", f"{lane}.narrow.1")["rows"][0]["rules"][0]["observed"]
            for lane in (SYMBOLS, TEXT)
        ]
        assert observed == [
            "the probe's binary changed meanwhile",
            "the probe's binary is another one than the run began with",
        ]

    def test_of_a_probe_that_went_away_no_digest_is_told(self, tmp_path):
        sealed, found = self.judged(tmp_path, 'rm -f "$0"')

        assert set(verdicts(found).values()) == {Verdict.not_met}
        assert not [event for event in sealed.events(NAME) if event.event == "probed"]

    @pytest.mark.rule("T85")
    def test_without_its_binary_no_row_that_asks_it_is_accepted(self, tmp_path):
        sealed, found = self.judged(tmp_path, None)

        assert set(verdicts(found).values()) == {Verdict.not_met}
        assert sealed.run.facts.probes[0].probe == "absent"


@pytest.mark.rule("T82")
def test_a_stream_that_nobody_watched_makes_the_observation_unusable_and_never_zero(tmp_path):
    tiny = Tiny(streams='streams = ["model_usage", "tool_calls"]')
    sealed, found = attempt(tmp_path, tiny)

    assert found.outcome is Outcome.accepted
    assert found.detail.observed.observation == "unusable"
    metric = document(sealed, "observation.json")["metrics"]["human_interventions"]
    assert metric == {
        "status": "unavailable",
        "method": "count_typed_human_intervention_events",
        "reason": "the stream human_interventions was not watched",
    }
    assert {item.reason for item in sealed.run.analysis.missing} >= {found.detail.observed.reason}
    (lane,) = [item for item in sealed.run.analysis.lanes if item.arm == TEXT]
    assert (lane.observed, lane.metrics.totals) == (0, "none")


@pytest.mark.rule("T74", "T75")
def test_the_workspace_holds_the_fixture_and_nothing_else_and_is_gone_afterwards(tmp_path):
    sealed, _ = attempt(tmp_path, Tiny(sessions=both_lanes(usage())))

    held = [path for path, _ in document(sealed, "workspace.json")["files"]]
    assert held == ["shop/__init__.py", "shop/sums.py", "shop/uses.py"]
    assert list((tmp_path / "work-root").iterdir()) == []


@pytest.mark.rule("T78")
def test_a_finished_ledger_can_be_written_by_nobody(tmp_path):
    sealed, _ = attempt(tmp_path, Tiny())

    for name in ("ledger.json", "transcript.json", "observation.json"):
        path = sealed.folder / "artifacts" / NAME / name
        assert path.stat().st_mode & 0o222 == 0


def test_a_session_longer_than_the_cap_is_timed_out_and_not_judged(tmp_path, monkeypatch):
    frozen = Tiny().read(tmp_path / "manifests")
    caps = frozen.study.caps.model_copy(update={"attempt_seconds": 0})
    from dataclasses import replace as changed

    sealed_study = changed(frozen, study=frozen.study.model_copy(update={"caps": caps}))
    from runner.contract.plan import Selection, Slot
    from runner.contract.study import Tier
    from runner.kinds.comparison.kind import Comparison
    from runner.kinds.kind import Bench

    kind = Comparison()
    facts = kind.facts(frozen, tmp_path)
    ticks = iter(range(1_000))
    bench = Bench(
        folder=tmp_path / "room", prepared=tmp_path, tier=Tier.process, facts=facts, now_ns=lambda: next(ticks)
    )
    bench.folder.mkdir()
    performed = kind.perform(kind.plan(sealed_study, Selection.full), Slot(arm=TEXT, task="narrow", trial=1), bench)

    assert performed.outcome is Outcome.timed_out
    assert performed.reason == Reason(code=ReasonCode.wall_cap, at="acting")
    assert set(performed.artifacts) == {"transcript.json"}
