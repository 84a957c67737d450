"""Where the prepared forms of the software lie, and what is known of each."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.contract.parity.design import ParityDesign, Variant
from runner.contract.parity.detail import VariantFacts
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

    def tree(self, variant: Variant) -> Path:
        """What is put on the path of a process of this variant."""
        return self.folder / "variants" / variant.id


def facts_of(trees: Trees, design: ParityDesign) -> Iterator[VariantFacts]:
    """What is known of every variant. Raises OSError if a tree is not whole."""
    production = {item.id: _production(trees.tree(item) / design.package) for item in design.variants}
    for variant in design.variants:
        files = tuple(files_below(trees.tree(variant)))
        mine = production[variant.id]
        other = production[variant.against] if variant.against else {}
        both = mine.keys() & other.keys()
        yield VariantFacts(
            variant=variant.id,
            artifact=file_digest(trees.wheels / variant.artifact, variant.artifact),
            files=len(files),
            tree=tree_digest((item.path, item.sha256) for item in files),
            extensions=sum(item.path.endswith(_EXTENSION) for item in files),
            same_as=variant.against,
            same_files=sum(mine[path].sha256 == other[path].sha256 for path in both),
            other_files=tuple(sorted(path for path in both if mine[path].sha256 != other[path].sha256)),
            more_files=len(mine.keys() - other.keys()) if variant.against else 0,
            missing_files=len(other.keys() - mine.keys()) if variant.against else 0,
        )


def _production(package: Path) -> Mapping[str, FileDigest]:
    return {item.path: item for item in files_below(package)}


def set_times(folder: Path, seconds: int) -> None:
    """Give everything below a folder, and the folder itself, one modification time."""
    for parent, folders, names in os.walk(folder, topdown=False):
        for name in (*names, *folders):
            os.utime(Path(parent, name), (seconds, seconds), follow_symlinks=False)
    os.utime(folder, (seconds, seconds))
