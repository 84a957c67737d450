"""Makes the prepared forms of the software that are commits of the repository in which the study lies.

What is laid out is checked by its bytes, whichever git wrote it. What git says of the difference is kept beside the
trees, since a run has no repository to ask.
"""

import shutil
from collections.abc import Callable

from pydantic import TypeAdapter

from runner.contract.canonical import parse_record
from runner.contract.errors import Problem
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.numstat import FileChange, more_files
from runner.contract.parity.variant import CommitVariant
from runner.contract.seal import tree_digest
from runner.contract.values import Record, Slug
from runner.environment import home
from runner.errors import PreparationError
from runner.kinds.parity.trees import Trees
from runner.provenance.commits import Commits, commits_of
from runner.reading.manifest import FrozenStudy
from runner.sandbox.source import files_below


class _Kept(Record):
    variant: Slug
    changes: tuple[FileChange, ...]


class _AllKept(Record):
    variants: tuple[_Kept, ...]


_KEPT: TypeAdapter[_AllKept] = TypeAdapter(_AllKept)


def lay_out_commits(study: FrozenStudy, design: ParityDesign, trees: Trees, say: Callable[[str], None]) -> None:
    """Write the files of every variant that is a commit, and what each changes. Raises `PreparationError`."""
    wanted = [item for item in design.variants if isinstance(item, CommitVariant)]
    if not wanted:
        return
    scratch = trees.folder / "commits.git"
    commits = commits_of(study.folder, home(), scratch)
    _require(commits, wanted)
    for variant in wanted:
        say(f"{variant.id}: laying out {variant.commit}")
        trees.tree(variant).parent.mkdir(exist_ok=True)
        commits.lay_out(variant.commit, trees.tree(variant))
        found = tree_digest((item.path, item.sha256) for item in files_below(trees.tree(variant)))
        if found != variant.tree:
            what = f"its files have the digest {found}, the manifest pins {variant.tree}"
            raise PreparationError(what, "pin this digest, if this commit is meant", where=variant.id)
    kept = tuple(_Kept(variant=item.id, changes=_changes(commits, design, trees, item)) for item in wanted)
    trees.changes.write_bytes(_AllKept(variants=kept).canonical())
    shutil.rmtree(scratch)


def kept_changes(trees: Trees) -> dict[str, tuple[FileChange, ...]]:
    """What git said of every change, by variant. Raises OSError where nothing is kept."""
    kept = parse_record(_KEPT, trees.changes.read_bytes(), file=trees.changes.name)
    return {item.variant: item.changes for item in kept.variants}


def _require(commits: Commits, wanted: list[CommitVariant]) -> None:
    missing: list[Problem] = []
    for variant in wanted:
        try:
            commits.require(variant.commit, where=variant.id)
        except PreparationError as error:
            missing += error.problems
    if missing:
        raise PreparationError.of(*missing)


def _changes(commits: Commits, design: ParityDesign, trees: Trees, variant: CommitVariant) -> tuple[FileChange, ...]:
    """What git says of the change to a variant. Raises `PreparationError` if it cannot be of these files."""
    if variant.against is None or variant.change is None:
        return ()
    base = design.variant(variant.against)
    found = commits.changes(design.commits[base.id], variant.commit)
    if unknown := variant.change.unclassified(item.path for item in found):
        todo = f"name it in design.variants, {variant.id}.change.classes"
        raise PreparationError.of(
            *(Problem(variant.id, path, "is changed, and no class says what it is", todo) for path in unknown)
        )
    before, after = (sum(1 for _ in files_below(trees.tree(item))) for item in (base, variant))
    if after - before != more_files(found):
        what = f"has {after - before} files more than {base.id} as laid out, {more_files(found)} by git's difference"
        todo = "compare commits without submodules and without files that attributes leave out of an export"
        raise PreparationError(what, todo, where=variant.id)
    return found
