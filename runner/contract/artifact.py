"""A file that `prepare` fetches from a package index: which one it must be, and what it is there for."""

from enum import StrEnum

from runner.contract.values import Line, Record, RelativePath, Sha256


class ArtifactRole(StrEnum):
    """Why an artifact is in the private environment."""

    subject = "subject"
    dependency = "dependency"
    test_tool = "test-tool"
    build_tool = "build-tool"
    source = "source"


class Artifact(Record):
    """One file of a package index, fixed by its bytes."""

    name: Line
    version: Line
    file: RelativePath
    sha256: Sha256
    role: ArtifactRole
