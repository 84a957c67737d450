"""Reads what a parity study pins: its scenarios, and the files that they lay out."""

from runner.contract.comparison.tasks import PinnedText
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.overlap import OverlapInventory
from runner.contract.parity.tasks import (
    AskStep,
    CallStep,
    ParityTasks,
    RestartStep,
    Scenario,
    ScenarioFile,
    of_scenario,
)
from runner.contract.parity.timing import TimingProtocol
from runner.contract.seal import digest
from runner.reading.pinned import STUDY_FILE, PinnedFiles


def parity_tasks(design: ParityDesign, pinned: PinnedFiles) -> ParityTasks | None:
    """Everything that the attempts need; None if there is a problem, which is noted in `pinned`."""
    before = len(pinned.problems)
    file = pinned.record(ScenarioFile, design.scenarios, "design.scenarios")
    if file is None:
        return None
    texts: dict[str, str] = {}
    for index, scenario in enumerate(file.scenarios):
        _take_scenario(design, scenario, f"scenarios[{index}]", pinned, texts)
    timing = design.timing
    if isinstance(timing, TimingProtocol) and pinned.data(timing.client, "design.timing.client") is not None:
        _take(timing.client, pinned, texts)
    for variant, name in design.overlaps.items():
        if pinned.record(OverlapInventory, name, f"design.variants, {variant}.change.overlap") is not None:
            _take(name, pinned, texts)
    known = {scenario.id for scenario in file.scenarios}
    for index, rule in enumerate(design.rules):
        if unknown := sorted(set(rule.scenarios) - known):
            what = f"there is no scenario {', '.join(unknown)}"
            pinned.note(STUDY_FILE, f"design.rules[{index}].scenarios", what, "correct the names")
    _check_mutation(design, file.scenarios, pinned)
    _check_timing(design, file.scenarios, pinned)
    if len(pinned.problems) > before:
        return None
    return ParityTasks(
        reference=design.variants[0].id,
        backends=tuple(backend.id for backend in design.backends),
        scenarios=file.scenarios,
        files=tuple(
            PinnedText(path=path, sha256=digest(text.encode()), text=text) for path, text in sorted(texts.items())
        ),
    )


def _take_scenario(
    design: ParityDesign, scenario: Scenario, where: str, pinned: PinnedFiles, texts: dict[str, str]
) -> None:
    for folder in scenario.folders:
        names = [pin.path for pin in pinned.study.pinned if pin.path.startswith(f"{folder}/")]
        if not names:
            what = f"no pinned file lies below {folder}"
            pinned.note(design.scenarios, where, what, "pin the folder's files, or correct its name")
        for name in names:
            _take(name, pinned, texts)
    if design.daemon is None and scenario.asks:
        what = f"{scenario.id} asks a daemon, and the design has none"
        pinned.note(design.scenarios, f"{where}.steps", what, f"declare `design.daemon` in {STUDY_FILE}")


def _take(name: str, pinned: PinnedFiles, texts: dict[str, str]) -> None:
    data = pinned.data(name, "pinned")
    if data is not None and name not in texts:
        try:
            texts[name] = data.decode("utf-8")
        except UnicodeDecodeError as error:
            pinned.note(name, f"byte {error.start}", "not UTF-8", "pin text files only")


def _check_mutation(design: ParityDesign, scenarios: tuple[Scenario, ...], pinned: PinnedFiles) -> None:
    mutation = design.mutation
    scenario = next((item for item in scenarios if item.id == mutation.scenario), None)
    if scenario is None:
        what = f"there is no scenario {mutation.scenario!r}"
        pinned.note(STUDY_FILE, "design.mutation.scenario", what, "correct the name")
    elif mutation.criterion not in (judged := tuple(of_scenario(scenario))):
        what = f"{mutation.criterion!r} is not judged in {scenario.id}, which has {', '.join(judged)}"
        pinned.note(STUDY_FILE, "design.mutation.criterion", what, "name one of these")
    else:
        step = next((item for item in scenario.steps if item.id == mutation.call), None)
        if not isinstance(step, CallStep | AskStep):
            what = f"{mutation.criterion!r} judges no call, so that no exit status belongs to it"
            pinned.note(STUDY_FILE, "design.mutation.criterion", what, "name a criterion of a call or an ask")


def _check_timing(design: ParityDesign, scenarios: tuple[Scenario, ...], pinned: PinnedFiles) -> None:
    by_id = {scenario.id: scenario for scenario in scenarios}
    for index, row in enumerate(design.timing.rows):
        scenario = by_id.get(row.scenario)
        where = f"design.timing.rows[{index}].scenario"
        if scenario is None:
            pinned.note(STUDY_FILE, where, f"there is no scenario {row.scenario!r}", "correct the name")
            continue
        command = next((item for item in scenario.steps if item.id == design.timing.command), None)
        if not isinstance(command, CallStep):
            what = f"{row.scenario} has no call {design.timing.command!r} that could be timed"
            pinned.note(STUDY_FILE, where, what, "name a step of the kind call in design.timing.command")
        if isinstance(design.timing, TimingProtocol) and not any(
            isinstance(item, RestartStep) for item in scenario.steps
        ):
            pinned.note(STUDY_FILE, where, f"{row.scenario} never restarts its daemon", "time a scenario that does")
