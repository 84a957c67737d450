"""Makes the prepared forms of the software from what is pinned: one environment for all, and a tree for each variant.

What is half made is never taken for whole: `complete.json` is written last, and holds the digest of all that the
manifest pins and of every file that was made. All Python files are compiled here, alike in every variant, so that no
call compiles anything and none writes into its tree.
"""

import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.canonical import Json, encode
from runner.contract.events import Exited
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.variant import AnyVariant, Build, CommitVariant, Variant
from runner.contract.plan import as_parity
from runner.contract.seal import digest, tree_digest
from runner.environment import download_settings
from runner.errors import PreparationError
from runner.kinds import pip
from runner.kinds.parity.commits import lay_out_commits
from runner.kinds.parity.stage import epoch
from runner.kinds.parity.trees import Trees, set_times
from runner.reading.manifest import FrozenStudy
from runner.sandbox.command import run
from runner.sandbox.process import ProcessRequest
from runner.sandbox.source import files_below, unpack

COMPLETE = "complete.json"
_COMPILE_SECONDS = 600.0


def prepare(study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
    """Make what is not there yet; `say` is told each act. Raises `PreparationError`."""
    if is_prepared(study, folder):
        say(f"{study.study.id}: in place")
        return
    design, _ = as_parity(study)
    trees = Trees(folder)
    settings = download_settings()
    if folder.exists():
        shutil.rmtree(folder)
    trees.wheels.mkdir(parents=True, mode=0o700)
    say(f"{study.study.id}: making a private environment")
    pip.make_environment(trees.env, settings)
    tools = tuple(item for item in design.artifacts if item.role in (ArtifactRole.dependency, ArtifactRole.build_tool))
    say(f"{study.study.id}: fetching and installing {len(tools)} pinned files that every variant needs")
    pip.fetch(trees.python, tools, trees.wheels, settings)
    pip.install_pinned(trees.python, tools, trees.wheels, settings)
    for artifact in design.artifacts:
        if artifact not in tools:
            say(f"{study.study.id}: fetching {artifact.file}")
            source = artifact.role is ArtifactRole.source
            pip.fetch(trees.python, [artifact], trees.wheels, settings, source=source)
            _check(trees.wheels / artifact.file, artifact)
    lay_out_commits(study, design, trees, say)
    for variant in design.variants:
        if isinstance(variant, CommitVariant):
            _finish(trees, design, variant, variant.compiled, settings)
        else:
            say(f"{variant.id}: making it from {variant.artifact}")
            _make(trees, variant, settings)
            _finish(trees, design, variant, (design.package,), settings)
    (folder / COMPLETE).write_bytes(_completeness(study, trees))


def is_prepared(study: FrozenStudy, folder: Path) -> bool:
    """Whether everything is in place, exactly as the manifest pins it and as it was made."""
    try:
        return (folder / COMPLETE).read_bytes() == _completeness(study, Trees(folder))
    except OSError:
        return False


def _check(file: Path, artifact: Artifact) -> None:
    found = digest(file.read_bytes())
    if found != artifact.sha256:
        what = f"has the SHA-256 {found}, the manifest pins {artifact.sha256}"
        raise PreparationError(what, "fetch it from another mirror", where=artifact.file)


def _make(trees: Trees, variant: Variant, settings: Mapping[str, str]) -> None:
    tree, file = trees.tree(variant), trees.wheels / variant.artifact
    tree.parent.mkdir(exist_ok=True)
    match variant.build:
        case Build.source_tree:
            unpack(file, tree)
        case Build.wheel:
            _unpack_wheel(file, tree)
        case Build.built:
            pip.install_into(tree, trees.python, file, settings)


def _finish(
    trees: Trees, design: ParityDesign, variant: AnyVariant, compiled: Sequence[str], settings: Mapping[str, str]
) -> None:
    """See that the package is there, compile what is named, and give all files one time."""
    tree = trees.tree(variant)
    made_from = variant.artifact if isinstance(variant, Variant) else variant.commit
    if not (tree / design.package).is_dir():
        what = f"{made_from} has no package {design.package!r} at its top"
        raise PreparationError(what, "correct `package` in the manifest", where=variant.id)
    if missing := [name for name in compiled if not (tree / name).exists()]:
        what = f"{made_from} has no {', '.join(missing)}"
        raise PreparationError(what, "correct `compiled` in the manifest", where=variant.id)
    _compile(trees.python, tree, compiled, settings)
    set_times(tree, epoch(design.file_time))


def _unpack_wheel(file: Path, tree: Path) -> None:
    """Unpack a wheel as an installer would lay out its pure and platform files. Raises `PreparationError`."""
    try:
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                    raise PreparationError(f"{name!r} would be written outside", "pin another", where=file.name)
            archive.extractall(tree)
    except (zipfile.BadZipFile, OSError) as error:
        raise PreparationError(f"cannot be unpacked: {error}", "pin another", where=file.name) from error


def _compile(python: Path, tree: Path, names: Sequence[str], settings: Mapping[str, str]) -> None:
    """Compile every module below these names. The files' times say nothing then, and nothing is compiled again."""
    # -P: a package may hold a module that is named like one of the standard library.
    how = ("compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash")
    argv = (str(python), "-P", "-m", *how, *(str(tree / name) for name in names))
    request = ProcessRequest(argv=argv, cwd=tree, env=pip.offline(settings), output_bytes=65_536)
    finished = run(request, _COMPILE_SECONDS)
    if finished.end != Exited(code=0):
        said = (finished.stdout.text or finished.stderr.text).strip().splitlines()[-1:]
        what = f"its modules cannot be compiled{': ' if said else ''}{''.join(said)}"
        raise PreparationError(what, "pin a version for this Python", where=", ".join(names))


def _completeness(study: FrozenStudy, trees: Trees) -> bytes:
    """What a complete folder says of itself: any change to what it names makes it incomplete."""
    design, _ = as_parity(study)
    pins = {
        "artifacts": [artifact.model_dump(mode="json") for artifact in design.artifacts],
        "variants": [_pinned(item) for item in design.variants],
        "file_time": design.file_time,
        "place": str(trees.folder),
        "interpreter": f"{sys.base_prefix} {sys.version}",
    }
    return encode({"pinned": digest(encode(pins)), "trees": list(_made(design, trees))})


def _pinned(variant: AnyVariant) -> Json:
    if isinstance(variant, Variant):
        return [variant.id, variant.build.value, variant.artifact]
    # Declared paths as well: a changed file that no class names is refused here.
    declared = variant.change.model_dump(mode="json") if variant.change else None
    return [variant.id, variant.origin, variant.commit, variant.tree, list(variant.compiled), declared]


def _made(design: ParityDesign, trees: Trees) -> Iterator[str]:
    for folder in (trees.env, trees.wheels, *(trees.tree(variant) for variant in design.variants)):
        yield tree_digest((item.path, item.sha256) for item in files_below(folder))
    if design.commits:
        yield digest(trees.changes.read_bytes())
