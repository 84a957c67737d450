"""What a qualification is about to run on, read from what is installed."""

from pathlib import Path

from runner.contract.canonical import load, parse
from runner.contract.evidence import CheckoutSubject, PinnedSubject, QualificationFacts, SubjectFacts
from runner.contract.qualification.design import InstalledSubject
from runner.contract.values import FileDigest
from runner.errors import PreparationError
from runner.kinds.qualification.installed import Installed
from runner.reading.manifest import FrozenStudy
from runner.sandbox.source import file_digest


def facts(study: FrozenStudy, prepared: Path) -> QualificationFacts:
    """The facts of every installed subject. Raises `PreparationError` if a curated file is missing."""
    return QualificationFacts(
        subjects=tuple(
            _of(Installed.of(prepared, subject))
            for subject in study.study.design.arms
            if isinstance(subject, InstalledSubject)
        )
    )


def curated_files(installed: Installed) -> tuple[FileDigest, ...]:
    """The digests of the manifest's curated files, as installed."""
    for name in installed.subject.curated:
        if not (installed.packages / name).is_file():
            what = f"{installed.subject.distribution} installs no file {name!r}"
            raise PreparationError(what, "correct `curated` in the manifest", where=installed.subject.id)
    return tuple(file_digest(installed.packages / name, name) for name in installed.subject.curated)


def built_from(installed: Installed) -> CheckoutSubject:
    """What was noted of the checkout when the subject was built from it."""
    name = installed.checkout.name
    return load(CheckoutSubject, parse(installed.checkout.read_bytes(), file=name), file=name)


def _of(installed: Installed) -> SubjectFacts:
    files = curated_files(installed)
    if not installed.checkout.is_file():
        subject = installed.subject
        return PinnedSubject(subject=subject.id, artifacts=subject.artifacts, files=files)
    return built_from(installed).model_copy(update={"files": files})
