"""Where the prepared forms of the software lie, and what is known of each."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import CommitFacts, VariantFacts
from runner.contract.parity.numstat import FileChange
from runner.contract.parity.variant import AnyVariant, CommitVariant, Variant
from runner.contract.seal import tree_digest
from runner.contract.values import FileDigest
from runner.sandbox.source import file_digest, files_below

_EXTENSION = ".so"


@dataclass(frozen=True, slots=True)
class Trees:
    """What `prepare` made of one study."""

    folder: Path

    @property
    def env(self) -> Path:
        """The virtual environment with what all variants need, and none of them."""
        return self.folder / "env"

    @property
    def python(self) -> Path:
        """Its interpreter, which runs every variant."""
        return self.env / "bin" / "python"

    @property
    def wheels(self) -> Path:
        """The pinned files, as they were fetched."""
        return self.folder / "wheels"

    @property
    def changes(self) -> Path:
        """What git says of the changes between commits; there in a study of commits alone."""
        return self.folder / "changes.json"

    def tree(self, variant: AnyVariant) -> Path:
        """What is put on the path of a process of this variant."""
        return self.folder / "variants" / variant.id


def facts_of(
    trees: Trees, design: ParityDesign, changes: Mapping[str, tuple[FileChange, ...]]
) -> Iterator[VariantFacts | CommitFacts]:
    """What is known of every variant; `changes` is what git said of commits. Raises OSError if a tree is not whole."""
    for variant in design.variants:
        files = tuple(files_below(trees.tree(variant)))
        tree = tree_digest((item.path, item.sha256) for item in files)
        if isinstance(variant, CommitVariant):
            yield CommitFacts(
                variant=variant.id,
                commit=variant.commit,
                files=len(files),
                tree=tree,
                against=variant.against,
                changes=changes[variant.id],
            )
        else:
            yield _of_package(trees, design, variant, files, tree)


def _of_package(
    trees: Trees, design: ParityDesign, variant: Variant, files: Sequence[FileDigest], tree: str
) -> VariantFacts:
    mine = _production(trees.tree(variant) / design.package)
    against = design.variant(variant.against) if variant.against else None
    other = _production(trees.tree(against) / design.package) if against else {}
    both = mine.keys() & other.keys()
    return VariantFacts(
        variant=variant.id,
        artifact=file_digest(trees.wheels / variant.artifact, variant.artifact),
        files=len(files),
        tree=tree,
        extensions=sum(item.path.endswith(_EXTENSION) for item in files),
        same_as=variant.against,
        same_files=sum(mine[path].sha256 == other[path].sha256 for path in both),
        other_files=tuple(sorted(path for path in both if mine[path].sha256 != other[path].sha256)),
        more_files=len(mine.keys() - other.keys()) if against else 0,
        missing_files=len(other.keys() - mine.keys()) if against else 0,
    )


def _production(package: Path) -> Mapping[str, FileDigest]:
    return {item.path: item for item in files_below(package)}


def set_times(folder: Path, seconds: int) -> None:
    """Give everything below a folder, and the folder itself, one modification time."""
    for parent, folders, names in os.walk(folder, topdown=False):
        for name in (*names, *folders):
            os.utime(Path(parent, name), (seconds, seconds), follow_symlinks=False)
    os.utime(folder, (seconds, seconds))
