"""Reads what a comparison pins: tasks, fixtures, drift patches, and the transcripts of the fixture backend.

Whatever can be refused before anything runs is refused here: a session that leaves its lane, a drift that would happen
never, twice or undeclared, a patch that does not fit the fixture.
"""

from collections.abc import Iterator

from runner.contract.comparison.actions import InspectionAction, SymbolOperation, ToolCallAction, Transcript
from runner.contract.comparison.design import AvailableLane, ComparisonDesign, Interface, ScriptedSession
from runner.contract.comparison.patch import parse_hunk
from runner.contract.comparison.tasks import ComparisonTask, ComparisonTasks, PatchDrift, PinnedText
from runner.contract.seal import digest
from runner.reading.pinned import STUDY_FILE, PinnedFiles


def comparison_tasks(design: ComparisonDesign, pinned: PinnedFiles) -> ComparisonTasks | None:
    """Everything that the attempts need; None if there is a problem, which is noted in `pinned`."""
    before = len(pinned.problems)
    tasks: dict[str, ComparisonTask] = {}
    texts: dict[str, str] = {}
    for index, path in enumerate(design.tasks):
        task = pinned.record(ComparisonTask, path, f"design.tasks[{index}]")
        if task is None:
            continue
        if task.id in tasks:
            pinned.note(path, "id", f"{task.id!r} is the name of another task", "give each task its own name")
        tasks[task.id] = task
        texts |= _texts(task, path, pinned)
        _check_drift(task, path, texts, pinned)
    transcripts = [
        transcript
        for index, session in enumerate(design.sessions)
        if (transcript := _transcript(design, session, f"design.sessions[{index}]", tasks, pinned)) is not None
    ]
    if design.sessions:
        given = {(session.task, session.lane) for session in design.sessions}
        for task_id, lane in ((task_id, lane.id) for task_id in tasks for lane in design.available):
            if (task_id, lane) not in given:
                what = f"no session for {task_id} in {lane}"
                pinned.note(STUDY_FILE, "design.sessions", what, "add one for every task and available lane")
    if len(pinned.problems) > before or not tasks:
        return None
    return ComparisonTasks(
        tasks=tuple(tasks.values()),
        transcripts=tuple(transcripts),
        files=tuple(
            PinnedText(path=path, sha256=digest(text.encode()), text=text) for path, text in sorted(texts.items())
        ),
    )


def _texts(task: ComparisonTask, path: str, pinned: PinnedFiles) -> Iterator[tuple[str, str]]:
    for name in task.pins:
        data = pinned.data(name, f"pinned, which {path} needs")
        if data is None:
            continue
        try:
            yield name, data.decode("utf-8")
        except UnicodeDecodeError as error:
            pinned.note(name, f"byte {error.start}", "not UTF-8", "pin text files only")


def _check_drift(task: ComparisonTask, path: str, texts: dict[str, str], pinned: PinnedFiles) -> None:
    """The patch is one hunk over a file of the fixture, and it fits."""
    if not isinstance(task.drift, PatchDrift) or task.drift.patch not in texts:
        return
    try:
        hunk = parse_hunk(texts[task.drift.patch])
        source = next((file.pinned for file in task.fixture if file.path == hunk.path), None)
        if source is None:
            raise ValueError(f"{hunk.path} is no file of the fixture of {path}")  # noqa: TRY301
        if source in texts:
            hunk.applied(texts[source])
    except ValueError as error:
        pinned.note(task.drift.patch, "", str(error), "make the patch again with `diff -u` from the fixture")


def _transcript(
    design: ComparisonDesign,
    session: ScriptedSession,
    where: str,
    tasks: dict[str, ComparisonTask],
    pinned: PinnedFiles,
) -> Transcript | None:
    """One session, held against its task and its lane."""
    transcript = pinned.record(Transcript, session.transcript, where)
    if transcript is None:
        return None
    if (transcript.task, transcript.lane) != (session.task, session.lane):
        what = (
            f"is for {transcript.task} in {transcript.lane}, {STUDY_FILE} gives it to {session.task} in {session.lane}"
        )
        pinned.note(session.transcript, "task, lane", what, "correct one of them")
        return transcript
    lane = next(lane for lane in design.available if lane.id == session.lane)
    for index, operation in _beyond(transcript, lane):
        what = f"{operation} is no operation of the lane {lane.id}, which allows {lane.interface.value}"
        pinned.note(session.transcript, f"actions[{index}].operation", what, "use an operation of the lane")
    task = tasks.get(session.task)
    if task is None:
        if len(tasks) == len(design.tasks):
            pinned.note(STUDY_FILE, f"{where}.task", f"there is no task {session.task!r}", "correct the name")
        return transcript
    times = sum(isinstance(action, InspectionAction) for action in transcript.actions)
    if isinstance(task.drift, PatchDrift) and times != 1:
        what = f"inspects what identifies its target {times} times, and the declared drift happens once"
        pinned.note(session.transcript, "actions", what, "mark exactly one identifying inspection")
    if not isinstance(task.drift, PatchDrift) and times:
        what = f"marks an identifying inspection, and {task.id} declares no drift"
        pinned.note(session.transcript, "actions", what, "remove the mark, or declare the drift in the task")
    return transcript


def _beyond(transcript: Transcript, lane: AvailableLane) -> Iterator[tuple[int, str]]:
    """Operations that the lane does not allow, with their place."""
    symbols = lane.interface is Interface.symbol_operations
    for index, action in enumerate(transcript.actions):
        operation = action.operation if isinstance(action, ToolCallAction) else None
        if operation is not None and isinstance(operation, SymbolOperation) is not symbols:
            yield index, operation.op
