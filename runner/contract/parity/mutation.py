"""The declared mutation: a change that must make the same harness fail, and for the reason that is stated before."""

from typing import Annotated

from pydantic import Field, model_validator

from runner.contract.values import Line, Record, RelativePath, Sha256, Slug, Text


class Mutation(Record):
    """One replacement of text in a private copy of a variant's tree."""

    variant: Slug
    """Whose tree is copied and changed."""
    file: RelativePath
    sha256: Sha256
    """Of the file as it is before; it must be so again, unchanged, after the attempt."""
    find: Annotated[str, Field(min_length=1, max_length=4000)]
    """Must be there exactly once."""
    replace: Annotated[str, Field(max_length=4000)]
    backend: Slug
    scenario: Slug
    criterion: Line
    """The criterion of the scenario that must not be met; every other failure is no proof."""
    exit_status: Annotated[int, Field(ge=0, le=255)]
    """With which the changed program ends in the call that the criterion judges."""
    invariant: Text
    """What the scenario asserts, said without regard to the program: why the mutant must be rejected."""

    @property
    def call(self) -> str:
        """The step of the scenario that the criterion judges."""
        return self.criterion.partition(".")[0]

    @model_validator(mode="after")
    def _changes_something(self) -> "Mutation":
        if self.find == self.replace:
            raise ValueError("find and replace are equal, so that nothing is mutated")
        return self
