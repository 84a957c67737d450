"""Builds a subject from a source checkout that the user gives, offline, in an environment of its own.

The checkout is only read: it is copied first, built from one copy and tested from another. No
installed command, daemon or environment of the user is touched.
"""

import shutil
import tomllib
from pathlib import Path

from packaging.utils import canonicalize_name

from runner.contract.artifact import ArtifactRole
from runner.contract.evidence import CheckoutSubject
from runner.contract.qualification.design import InstalledSubject
from runner.contract.seal import tree_digest
from runner.environment import download_settings, home
from runner.errors import NotPreparedError, PreparationError, UsageError
from runner.kinds import pip
from runner.kinds.qualification.facts import built_from, curated_files
from runner.kinds.qualification.installed import Installed
from runner.kinds.qualification.prepare import installed_subjects, of_roles
from runner.provenance.git import source_of
from runner.reading.manifest import FrozenStudy
from runner.sandbox.source import copy_tree, files_below

_TOOLS = (ArtifactRole.dependency, ArtifactRole.test_tool, ArtifactRole.build_tool)


def build_checkout(study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
    """Make `folder` what `prepared` is, with one subject built from `checkout` instead.

    Raises `UsageError` if the checkout is that of no subject, and `PreparationError` if it
    cannot be built. What was half made is removed.
    """
    chosen = subject_of(study, checkout)
    pinned, built = Installed.of(prepared, chosen), Installed.of(folder, chosen)
    if not pinned.wheels.is_dir():
        raise NotPreparedError("its build tools are not in place", "run `sealbook prepare` first", where=chosen.id)
    try:
        built.folder.mkdir(parents=True, mode=0o700)
        for other in installed_subjects(study):
            if other.id != chosen.id:
                (folder / other.id).symlink_to(Installed.of(prepared, other).folder)
        _build(checkout, pinned, built)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def subject_of(study: FrozenStudy, checkout: Path) -> InstalledSubject:
    """The subject whose distribution the checkout's pyproject.toml names. Raises `UsageError`."""
    subjects = {canonicalize_name(item.distribution): item for item in installed_subjects(study)}
    todo = f"give a checkout of {' or '.join(sorted(item.distribution for item in subjects.values()))}"
    try:
        with (checkout / "pyproject.toml").open("rb") as stream:
            name = tomllib.load(stream)["project"]["name"]
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError(f"no readable pyproject.toml: {reason}", todo, where=str(checkout)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise UsageError("its pyproject.toml states no project name", todo, where=str(checkout)) from error
    subject = subjects.get(canonicalize_name(name)) if isinstance(name, str) else None
    if subject is None:
        raise UsageError(f"{name!r} is no subject of {study.study.id}", todo, where=str(checkout))
    return subject


def is_built_from(study: FrozenStudy, checkout: Path, folder: Path) -> bool:
    """Whether the checkout still holds the source that `build_checkout` made `folder` from.

    Raises `UsageError` if the checkout is that of no subject.
    """
    built = Installed.of(folder, subject_of(study, checkout))
    if not built.checkout.is_file():
        return False
    compared = built.folder / "compared"
    try:
        copy_tree(checkout, compared)
        return _tree(compared) == built_from(built).tree
    finally:
        shutil.rmtree(compared, ignore_errors=True)


def _tree(folder: Path) -> str:
    return tree_digest((item.path, item.sha256) for item in files_below(folder))


def _build(checkout: Path, pinned: Installed, built: Installed) -> None:
    settings = download_settings()
    state = source_of(checkout, home())
    copy_tree(checkout, built.source)
    tree = _tree(built.source)
    pip.make_environment(built.env, settings)
    pip.install_pinned(built.python, of_roles(built.subject, *_TOOLS), pinned.wheels, settings)
    scratch = built.folder / "build"
    copy_tree(built.source, scratch)
    try:
        pip.install_source(built.python, scratch, settings)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if not built.command.is_file():
        what = f"the checkout installs no program {built.subject.command!r}"
        raise PreparationError(what, "give a checkout of this subject", where=built.subject.id)
    facts = CheckoutSubject(subject=built.subject.id, source=state, tree=tree, files=curated_files(built))
    built.checkout.write_bytes(facts.canonical())
