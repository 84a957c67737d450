"""A synthetic run is a sealed run like any other, and says by its number of attempts alone what is in it."""

import subprocess

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.reading.sealed import open_run
from tests.bench.synthetic_attempts import slots_for
from tests.bench.synthetic_run import write_project, write_run
from tests.bench.synthetic_study import MIN_SLOTS, trials_of
from tests.factories import current
from tests.sitegen.built import make_site

ATTEMPTS = 1200


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("synthetic") / "run", ATTEMPTS)


def test_a_synthetic_run_verifies_and_holds_the_attempts_asked_for(folder):
    sealed = open_run(folder)
    assert len(sealed.attempts) == ATTEMPTS
    assert sealed.run.tally.planned == slots_for(ATTEMPTS) < ATTEMPTS
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)


def test_it_holds_every_outcome_every_reason_retries_exclusions_artifacts_and_commitments(folder):
    sealed = open_run(folder)
    assert {attempt.outcome for attempt in sealed.attempts} == set(Outcome)
    assert {attempt.reason.code for attempt in sealed.attempts if attempt.reason} == set(ReasonCode) - {
        ReasonCode.reference_missing
    }  # of parity studies alone
    assert sealed.run.tally.superseded > 0
    assert sealed.run.tally.passed_after_cap > 0
    assert sealed.run.tally.excluded > 0
    assert len(sealed.commitments) > 0
    assert any(attempt.artifacts for attempt in sealed.attempts)


def test_the_attempts_that_count_are_those_that_the_contract_says(folder):
    sealed = open_run(folder)
    assert sealed.current == current(sealed.attempts)
    assert len(sealed.attempts) - len(sealed.current) == sealed.run.tally.superseded


def test_equal_numbers_give_equal_bytes(folder, tmp_path):
    assert open_run(write_run(tmp_path / "run", ATTEMPTS)).seal_sha256 == open_run(folder).seal_sha256


@pytest.mark.parametrize("attempts", [MIN_SLOTS, 99, 100, 1000, 10_000, 100_000])
def test_any_number_of_attempts_is_met_exactly_by_checks_of_at_most_100_trials(attempts):
    slots = slots_for(attempts)
    trials = trials_of(max(slots, MIN_SLOTS))
    assert sum(trials) == max(slots, MIN_SLOTS)
    assert 1 <= min(trials) <= max(trials) <= 100


@pytest.mark.long
def test_a_synthetic_project_builds(tmp_path):
    write_project(tmp_path / "project", 60)
    assert make_site(tmp_path / "project").pages > 60
