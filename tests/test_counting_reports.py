"""Reports of tools that lost, repeated or miscounted attempts: what a whole tiny study makes of each."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from runner.contract.attempt import Outcome
from runner.contract.canonical import Json, encode, read
from runner.contract.plan import Slot
from runner.contract.seal import digest
from runner.contract.tally import Endings
from runner.errors import CorruptLedgerError, RunStoppedError
from runner.execute.run import execute
from runner.ledger import LEDGER_FILE, Entry, read_prefix
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun
from tests.factories import ScriptedKind, Silent, a_sealed_run, an_order, counted
from tests.runner.reading.forger import Forger, said
from tests.sitegen.built import make_site
from tests.sitegen.projects import RUN, TEXTS, write
from tests.studies import a_study

PAGE = "{}/results/2026-11-30-first.html"
TABLE = "{}/attempts/tiny/" + RUN + "/index.html"


def shown(root: Path, sealed: SealedRun) -> Mapping[str, bytes]:
    """The files of the site in which this run is published."""
    for path, text in TEXTS.items():
        write(root, path, text)
    shutil.copytree(sealed.folder, root / "manifests/tiny/evidence" / RUN)
    shutil.rmtree(root / ".sealbook")
    return make_site(root).files


def counts(page: bytes, row: str) -> dict[str, int]:
    """One row of the table of counts of a result, by the head of its column."""
    table = next(part for part in page.decode().split("<table") if f'<th scope="row">{row}</th>' in part)
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', table)[1:]
    line = re.search(rf'<th scope="row">{row}</th>(.*?)</tr>', table)
    assert line is not None
    numbers = [int(text) for text in re.findall(r"<a [^>]*>([0-9]+)</a>", line[1])]
    return dict(zip(heads, numbers, strict=True))


def rows(files: Mapping[str, bytes], task: str) -> list[str]:
    """The attempts of one check in the table of all attempts."""
    return re.findall(rf'<a class="mono" href="[^"]*">(tool\.{task}\.[^<]*)</a>', files[TABLE.format("en")].decode())


@pytest.mark.report("A2")
def test_a_check_whose_last_trial_failed_to_run_is_one_check_with_three_attempts(tmp_path):
    ends = (Outcome.rejected, Outcome.rejected, Outcome.failed_to_run)
    kind = ScriptedKind({f"tool.identity-kept.{trial}": outcome for trial, outcome in enumerate(ends, 1)})
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests", trials=3), kind)

    of_it = [attempt.outcome for attempt in sealed.attempts if attempt.task == "identity-kept"]
    checks = {slot.task for slot in sealed.plan.slots}
    tallied = sealed.run.tally
    assert (of_it, sealed.plan.verdict_rule) == (list(ends), "last-attempt-of-slot")
    assert (tallied.planned, tallied.rejected, tallied.failed_to_run) == (3 * len(checks), 2, 1)
    files = shown(tmp_path, sealed)
    assert rows(files, "identity-kept") == [f"tool.identity-kept.{trial}" for trial in (1, 2, 3)]
    assert counts(files[PAGE.format("en")], "Tool")["planned"] == 3 * len(checks)


def rewrite(run: Path, name: str, change: dict[str, Json]) -> None:
    """Give a kept attempt another form, as another version of the runner would have written it: its ledger agrees."""
    file = run / "attempts" / f"{name}.json"
    before, value = file.read_bytes(), read(file.read_bytes())
    assert isinstance(value, dict)
    file.chmod(0o600)
    file.write_bytes(encode(value | change))
    entries = read_prefix((run / LEDGER_FILE).read_bytes()).entries
    again = [
        Entry(entry.record, entry.attempt, entry.at_ns, digest(file.read_bytes()))
        if entry.sha256 == digest(before)
        else entry
        for entry in entries
    ]
    (run / LEDGER_FILE).write_bytes(b"".join(entry.line() for entry in again))


@pytest.mark.report("A3")
def test_attempts_of_an_unknown_or_older_form_are_done_and_named_and_none_is_made_again(tmp_path):
    study = a_study(tmp_path / "manifests")
    names = [slot.attempt_id(0) for slot in ScriptedKind().plan(study, an_order(tmp_path, study).selection).slots]

    def stop(attempt: str, bench: object) -> None:
        if attempt == names[5]:
            raise KeyboardInterrupt

    with pytest.raises(RunStoppedError, match="5 attempts are kept"):
        execute(an_order(tmp_path, study, ScriptedKind(during=stop)), Silent())
    (run,) = an_order(tmp_path, study).runs.iterdir()
    for name in names[1:3]:
        rewrite(run, name, {"machine": "another"})
    rewrite(run, names[4], {"attempt": {"id": names[4], "outcome": "accepted"}})
    before = {path: path.read_bytes() for path in (run / "attempts").iterdir()}

    resumed = ScriptedKind()
    with pytest.raises(CorruptLedgerError) as refused:
        execute(an_order(tmp_path, study, resumed), Silent())

    told = str(refused.value)
    assert "3 of the 5 attempts that are done stand in a form that this version cannot read" in told
    assert "start another with --new" in told
    for name, place in ((names[1], "machine"), (names[2], "machine"), (names[4], "attempt.id")):
        assert f"attempts/{name}.json: {place}: " in told
    assert f"attempts/{names[0]}.json" not in told
    assert resumed.performed == []
    assert {path: path.read_bytes() for path in (run / "attempts").iterdir()} == before


@pytest.mark.report("A4")
def test_six_planned_and_the_third_cut_off_are_seven_attempts_of_which_six_count(tmp_path):
    study = a_study(tmp_path / "manifests")
    slots = ScriptedKind().plan(study, an_order(tmp_path, study).selection).slots
    third = slots[2].attempt_id(0)

    def stop(attempt: str, bench: object) -> None:
        if attempt == third:
            raise KeyboardInterrupt

    with pytest.raises(RunStoppedError):
        execute(an_order(tmp_path, study, ScriptedKind(during=stop)), Silent())
    sealed = a_sealed_run(tmp_path, study, ScriptedKind())

    six = tuple(slots[:6])
    attempts = [attempt for attempt in sealed.attempts if (attempt.arm, attempt.task, attempt.trial) in keys(six)]
    found = counted(Endings(six), attempts).tally(excluded=0)
    assert (len(attempts), found.planned, found.accepted, found.superseded) == (7, 6, 6, 1)
    assert [a.outcome for a in attempts if a.attempt.startswith(third)] == [Outcome.interrupted, Outcome.accepted]
    files = shown(tmp_path, sealed)
    assert rows(files, slots[2].task) == [third, f"{third}.r1"]
    for language, superseded in (("en", "superseded"), ("zh", "被后续尝试取代")):
        whole = counts(files[PAGE.format(language)], "Tool")
        planned, accepted, *_ = whole.values()
        assert (planned, accepted, whole[superseded]) == (len(slots), len(slots), 1)


def keys(slots: tuple[Slot, ...]) -> set[tuple[str, str, int]]:
    """What names a slot."""
    return {(slot.arm, slot.task, slot.trial) for slot in slots}


@pytest.mark.report("A5")
def test_what_passed_after_the_cap_is_not_accepted_and_is_told_beside_the_headline(tmp_path):
    late = "tool.identity-kept.1"
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests"), ScriptedKind(late=frozenset({late})))

    attempt, tallied = sealed.attempt(late), sealed.run.tally
    assert (attempt.outcome, attempt.passed_after_cap) == (Outcome.timed_out, True)
    assert {criterion.verdict.value for criterion in attempt.criteria} == {"met"}
    assert (tallied.accepted, tallied.timed_out, tallied.passed_after_cap) == (tallied.planned - 1, 1, 1)
    files = shown(tmp_path, sealed)
    page = counts(files[PAGE.format("en")], "Tool")
    assert (page["accepted"], page["timed out"], page["passed after the cap"]) == (tallied.planned - 1, 1, 1)
    assert b"passed after the cap" in files[f"en/attempts/tiny/{RUN}/{late}.html"]


@pytest.mark.report("A6")
def test_the_parts_of_every_row_of_counts_add_up_to_what_was_planned(tmp_path):
    ends = {"identity-kept": Outcome.failed_to_run, "exclusive-claim-kept": Outcome.rejected}
    kind = ScriptedKind(ends, late=frozenset({"tool.persistence-kept.1"}))
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests", trials=3), kind)

    files = shown(tmp_path, sealed)
    for language in ("en", "zh"):
        whole = list(counts(files[PAGE.format(language)], "Tool").values())
        planned, parts = whole[0], whole[1 : 1 + len(Outcome)]
        assert planned == sum(parts) == 3 * len({slot.task for slot in sealed.plan.slots})
        assert parts[2] == 3, "failed to run"
        assert (parts[1], parts[3]) == (3, 1), "rejected, timed out"


def equally_titled(study: Path) -> FrozenStudy:
    """Give every check of a study one and the same title."""
    tasks, manifest = study / "tasks/tool.toml", study / "study.toml"
    before = tasks.read_bytes()
    titled = re.sub(rb"(?m)^title = .*$", b'title = { en = "Same title", zh = "\xe5\x90\x8c\xe5\x90\x8d" }', before)
    tasks.write_bytes(titled)
    manifest.write_text(manifest.read_text().replace(digest(before), digest(titled)))
    return read_study(study)


@pytest.mark.report("A8")
def test_checks_of_one_title_stay_as_many_checks(tmp_path):
    frozen = equally_titled(a_study(tmp_path / "manifests").folder)
    sealed = a_sealed_run(tmp_path, frozen, ScriptedKind())

    files = shown(tmp_path, sealed)
    listed = [name for slot in sealed.plan.slots for name in rows(files, slot.task)]
    assert listed == [slot.attempt_id(0) for slot in sealed.plan.slots]
    pages = {files[f"en/attempts/tiny/{RUN}/{name}.html"] for name in listed}
    assert len(pages) == len(listed)
    assert all(b"Same title" in page for page in pages)


@pytest.mark.report("A8")
def test_two_attempts_of_one_name_are_refused_with_both_places(tmp_path):
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests"), ScriptedKind())
    forger = Forger.of(sealed, tmp_path / "run")
    name = sealed.attempts[1].attempt
    forger.lines("attempts.jsonl", lambda values: values.insert(2, values[1] | {"outcome": "rejected"}))

    assert said(forger.problems(), f"run/attempts.jsonl: line 3: {name} stands twice, first on line 2")
