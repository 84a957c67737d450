"""The shipped study freezes what it says, and says what it does not establish."""

import pytest

from runner.contract.artifact import ArtifactRole
from runner.contract.license import LicenseState, TextAbsent, TextFound
from runner.contract.plan import ExclusionReason, Selection
from runner.contract.qualification.design import Feature, GatedSubject, InstalledSubject
from runner.contract.qualification.steps import RaceStep, RunStep, StartStep, WaitStep
from runner.kinds.qualification.plan import plan
from runner.reading.manifest import FrozenStudy


def installed(study: FrozenStudy) -> list[InstalledSubject]:
    return [subject for subject in study.study.design.arms if isinstance(subject, InstalledSubject)]


def test_each_feature_of_each_subject_has_a_check_or_is_not_offered_with_its_help_pinned(study):
    for tasks in study.tasks.subjects:
        checked = {check.feature for check in tasks.checks}
        denied = [entry.feature for entry in tasks.not_offered]
        assert checked.isdisjoint(denied)
        assert checked | set(denied) == set(Feature)
        assert 3 * len(denied) <= len(Feature)
        assert all(study.study.pinned_digest(entry.help) for entry in tasks.not_offered)


def test_every_check_judges_something_beyond_its_set_up(study):
    for tasks in study.tasks.subjects:
        for check in tasks.checks:
            judged = [step for step in check.steps if isinstance(step, RunStep | RaceStep) and not step.setup]
            assert judged, f"{tasks.subject}.{check.id}"


def test_claims_are_raced_by_sixteen_processes_in_five_trials(study):
    for tasks in study.tasks.subjects:
        raced = [check for check in tasks.checks if check.feature is Feature.exclusive_claim and check.trials > 1]
        assert raced
        for check in raced:
            assert check.trials == 5
            last = [step for step in check.steps if isinstance(step, RaceStep)][-1]
            assert (last.contenders, last.winners) == (16, 1)


def test_writers_are_killed_at_several_boundaries(study):
    for tasks in study.tasks.subjects:
        boundaries = {
            (step.boundary.at, getattr(step.boundary, "moment", ""), getattr(step.boundary, "statement", ""))
            for check in tasks.checks
            if check.feature is Feature.crash
            for step in check.steps
            if isinstance(step, StartStep)
        }
        assert len(boundaries) >= 3
        assert any("COMMIT" in boundary for boundary in boundaries)


def test_a_dead_owner_is_waited_for_in_real_time_and_without_a_shifted_clock(study):
    (aqua,) = (tasks for tasks in study.tasks.subjects if tasks.subject == "aqua")
    (slow,) = (check for check in aqua.checks if check.slow)
    assert slow.feature is Feature.dead_owner
    assert sum(step.milliseconds for step in slow.steps if isinstance(step, WaitStep)) > 300_000
    assert not any(getattr(step, "clock_shift_seconds", 0) for step in slow.steps)


def test_every_file_that_is_installed_has_a_license_row_that_names_it(study):
    texts = [row.detected.artifact for row in study.licenses.rows]
    for subject in installed(study):
        for artifact in subject.artifacts:
            assert artifact.file in texts


def test_every_license_row_is_about_a_pinned_file_or_a_subject_that_nobody_has(study):
    pinned = {artifact.file for subject in installed(study) for artifact in subject.artifacts}
    gated = {subject.id for subject in study.study.design.subjects if isinstance(subject, GatedSubject)}
    for row in study.licenses.rows:
        assert row.detected.artifact in pinned or (row.id in gated and isinstance(row.detected, TextAbsent))


def test_no_license_row_is_cleared_because_nobody_has_concluded(study):
    states = {row.id: row.state for row in study.licenses.rows}
    assert LicenseState.cleared not in states.values()
    assert states["echo"] is LicenseState.unknown
    assert all(isinstance(row.detected, TextFound) or row.id == "echo" for row in study.licenses.rows)


def test_one_distribution_has_one_digest_wherever_it_is_pinned(study):
    digests: dict[str, str] = {}
    for subject in installed(study):
        for artifact in subject.artifacts:
            assert digests.setdefault(artifact.file, artifact.sha256) == artifact.sha256
            assert artifact.file.endswith("-py3-none-any.whl") or artifact.role is ArtifactRole.source


@pytest.mark.rule("R17")
@pytest.mark.parametrize(
    ("limit", "en", "zh"),
    [
        ("scripted-boundaries", "third-party agents", "第三方代理"),
        ("not-a-distributed-installation", "distributed installation", "分布式安装"),
        ("logical-hosts", "not a separate physical host", "不是独立的物理主机"),
    ],
)
def test_the_scope_is_limited_to_scripted_crashes_on_one_machine(study, limit, en, zh):
    assert_says(study, limit, en, zh)


@pytest.mark.rule("R18")
def test_commands_that_a_worker_supplies_are_said_to_be_recorded_only(study):
    assert_says(study, "worker-commands-not-attested", "neither executed nor attested", "既不执行，也不证明")


@pytest.mark.rule("R21")
def test_a_pass_is_said_to_be_a_qualification_and_no_more(study):
    assert_says(study, "qualification-only", "neither a reproduction by outsiders nor proof", "既不是外部复现")


@pytest.mark.rule("R22")
def test_a_recovery_is_said_never_to_be_accepted_code(study):
    assert_says(study, "recovery-is-not-accepted-code", "never accepted code", "绝不等于代码被验收")


def assert_says(study: FrozenStudy, limit: str, en: str, zh: str) -> None:
    (found,) = (item for item in study.study.limits if item.id == limit)
    assert en in found.text.en
    assert zh in found.text.zh


@pytest.mark.rule("R6")
def test_echo_is_planned_as_excluded_for_want_of_access_and_never_attempted(study):
    planned = plan(study, Selection.full)
    echo = [item for item in planned.exclusions if item.arm == "echo"]
    assert {item.task for item in echo} == {feature.value for feature in Feature}
    assert {item.reason for item in echo} == {ExclusionReason.access_gated}
    assert not any(slot.arm == "echo" for slot in planned.slots)


def test_a_quick_run_leaves_out_what_waits_for_minutes_and_says_so(study):
    full, quick = plan(study, Selection.full), plan(study, Selection.quick)
    gone = {(slot.arm, slot.task) for slot in full.slots} - {(slot.arm, slot.task) for slot in quick.slots}
    said = {(item.arm, item.task) for item in quick.exclusions if item.reason is ExclusionReason.left_out_of_quick_run}
    assert gone == said == {("aqua", "dead-owner-in-real-time")}
