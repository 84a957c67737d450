"""Reads what a qualification pins: the checks of every installed subject."""

from runner.contract.canonical import load
from runner.contract.errors import InvalidRecordError
from runner.contract.qualification.design import InstalledSubject, QualificationDesign
from runner.contract.qualification.tasks import QualificationTasks, SubjectTasks, TaskFile
from runner.reading.pinned import STUDY_FILE, PinnedFiles


def qualification_tasks(design: QualificationDesign, pinned: PinnedFiles) -> QualificationTasks:
    """The checks of all installed subjects; what is wrong with them is noted in `pinned`."""
    subjects: list[SubjectTasks] = []
    for number, subject in enumerate(design.subjects):
        if isinstance(subject, InstalledSubject):
            tasks = _subject_tasks(pinned, subject, f"design.subjects[{number}]")
            if tasks is not None:
                subjects.append(tasks)
    return QualificationTasks(subjects=tuple(subjects))


def _subject_tasks(pinned: PinnedFiles, subject: InstalledSubject, where: str) -> SubjectTasks | None:
    """The checks in all task files of one subject; on a problem None, with the problems noted."""
    files: list[TaskFile] = []
    for index, path in enumerate(subject.tasks):
        file = pinned.record(TaskFile, path, f"{where}.tasks[{index}]")
        if file is None:
            continue
        if file.subject != subject.id:
            what = f"{file.subject!r} is not the subject {subject.id!r} that names this file"
            pinned.note(path, "subject", what, "correct the name")
        for entry, item in enumerate(file.not_offered):
            if pinned.study.pinned_digest(item.help) is None:
                todo = f"add it to `pinned` in {STUDY_FILE}"
                pinned.note(path, f"not_offered[{entry}].help", f"{item.help} is not pinned", todo)
        files.append(file)
    if len(files) < len(subject.tasks):
        return None
    whole = {
        "subject": subject.id,
        "checks": [check.model_dump(mode="json") for file in files for check in file.checks],
        "not_offered": [entry.model_dump(mode="json") for file in files for entry in file.not_offered],
    }
    alone = len(files) == 1
    try:
        return load(
            SubjectTasks,
            whole,
            file=f"{pinned.shown}/{subject.tasks[0]}" if alone else f"{pinned.shown}/{STUDY_FILE}",
            where="" if alone else f"{where}.tasks",
        )
    except InvalidRecordError as error:
        pinned.problems.extend(error.problems)
        return None
