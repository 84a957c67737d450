"""Makes each subject's private environment from pinned files. The only step with a network.

A virtual environment writes its own absolute path into its programs, so it is made where it will
stay instead of being renamed into place. What is half made is never taken for whole: the file
`complete.json` is written last, and whatever lacks it is made anew. It holds the digest of all
that the manifest pins, of the place and the interpreter, and of every installed file, so that a
change of any of them is noticed before a run.
"""

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.canonical import encode
from runner.contract.plan import as_qualification
from runner.contract.qualification.design import InstalledSubject
from runner.contract.seal import digest, tree_digest
from runner.environment import download_settings
from runner.errors import PreparationError
from runner.kinds import pip
from runner.kinds.qualification.help_output import check_help
from runner.kinds.qualification.installed import Installed
from runner.reading.manifest import FrozenStudy
from runner.sandbox.source import files_below, unpack

COMPLETE = "complete.json"


def prepare(study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
    """Make what is not there yet; `say` is told each act. Raises `PreparationError`."""
    settings = download_settings()
    for subject in installed_subjects(study):
        installed = Installed.of(folder, subject)
        if _is_complete(study, installed):
            say(f"{subject.id}: in place")
            continue
        _make(study, installed, settings, say)


def is_prepared(study: FrozenStudy, folder: Path) -> bool:
    """Whether every subject is in place, exactly as the manifest pins it and as it was installed."""
    return all(_is_complete(study, Installed.of(folder, subject)) for subject in installed_subjects(study))


def installed_subjects(study: FrozenStudy) -> tuple[InstalledSubject, ...]:
    """The subjects that can be installed at all."""
    return tuple(item for item in study.study.design.arms if isinstance(item, InstalledSubject))


def of_roles(subject: InstalledSubject, *roles: ArtifactRole) -> tuple[Artifact, ...]:
    """The subject's artifacts of these roles, in the manifest's order."""
    return tuple(artifact for artifact in subject.artifacts if artifact.role in roles)


WHEELS = (ArtifactRole.subject, ArtifactRole.dependency, ArtifactRole.test_tool, ArtifactRole.build_tool)


def _make(study: FrozenStudy, installed: Installed, settings: Mapping[str, str], say: Callable[[str], None]) -> None:
    subject = installed.subject
    if installed.folder.exists():
        shutil.rmtree(installed.folder)
    installed.wheels.mkdir(parents=True, mode=0o700)
    wheels, sources = of_roles(subject, *WHEELS), of_roles(subject, ArtifactRole.source)
    say(f"{subject.id}: making a private environment")
    pip.make_environment(installed.env, settings)
    say(f"{subject.id}: fetching {len(wheels)} pinned files")
    pip.fetch(installed.python, wheels, installed.wheels, settings)
    say(f"{subject.id}: installing them")
    pip.install_pinned(installed.python, wheels, installed.wheels, settings)
    for artifact in sources:
        say(f"{subject.id}: fetching and unpacking {artifact.file}")
        pip.fetch(installed.python, [artifact], installed.wheels, settings, source=True)
        found = digest((installed.wheels / artifact.file).read_bytes())
        if found != artifact.sha256:
            what = f"has the SHA-256 {found}, the manifest pins {artifact.sha256}"
            raise PreparationError(what, "fetch it from another mirror", where=artifact.file)
        unpack(installed.wheels / artifact.file, installed.source)
    if not installed.command.is_file():
        what = f"{subject.distribution} installs no program {subject.command!r}"
        raise PreparationError(what, "correct `command` in the manifest", where=subject.id)
    for tasks in as_qualification(study)[1].subjects:
        if tasks.subject == subject.id:
            for entry in tasks.not_offered:
                say(f"{subject.id}: comparing the help for {entry.feature.value}")
                check_help(installed, entry, study.folder / entry.help)
    (installed.folder / COMPLETE).write_bytes(_completeness(study, installed))


def _is_complete(study: FrozenStudy, installed: Installed) -> bool:
    try:
        return (installed.folder / COMPLETE).read_bytes() == _completeness(study, installed)
    except OSError:
        return False


def _completeness(study: FrozenStudy, installed: Installed) -> bytes:
    """What a complete folder says of itself: any change to what it names makes it incomplete."""
    tasks = [item for item in as_qualification(study)[1].subjects if item.subject == installed.subject.id]
    help_files = [(entry.help, study.study.pinned_digest(entry.help)) for item in tasks for entry in item.not_offered]
    pins = {
        "artifacts": [artifact.model_dump(mode="json") for artifact in installed.subject.artifacts],
        "command": installed.subject.command,
        "help": [[path, pinned or ""] for path, pinned in help_files],
        "place": str(installed.folder),
        "interpreter": f"{sys.base_prefix} {sys.version}",
    }
    trees = (installed.packages, installed.programs, installed.wheels, installed.source)
    return encode(
        {
            "pinned": digest(encode(pins)),
            "trees": [_tree(tree) for tree in trees],
        }
    )


def _tree(folder: Path) -> str:
    return tree_digest((item.path, item.sha256) for item in files_below(folder)) if folder.exists() else ""
