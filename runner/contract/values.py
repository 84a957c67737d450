"""The small values that every record is made of."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from runner.contract.canonical import MAX_INTEGER, encode


class Record(BaseModel):
    """A frozen, strict value. Unknown fields are refused: a new field is a new format version."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)

    def canonical(self) -> bytes:
        """The RFC 8785 bytes of this record."""
        return encode(self.model_dump(mode="json"))


def without_surrogates(text: str) -> str:
    """Text that evidence can hold: a lone surrogate, which JSON can smuggle in, is spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def twice(names: Iterable[str]) -> tuple[str, ...]:
    """Those of `names` that stand more than once."""
    return tuple(name for name, times in Counter(names).items() if times > 1)


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", min_length=1, max_length=60)]
"""Lower-case words joined by hyphens: safe in a file name, a URL and an anchor."""
AttemptId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+\.[a-z0-9-]+\.[1-9][0-9]*(?:\.r[1-9][0-9]*)?$")]
"""`arm.task.trial`, with `.rN` for the N-th retry of an interrupted attempt."""
RunId = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}T[0-9]{6}Z(?:-[1-9][0-9]*)?$")]
"""UTC start of the run in basic ISO 8601, with a counter if two runs start in one second."""
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
CommitId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
Instant = Annotated[
    str,
    StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"),
]
"""RFC 3339 in UTC, to the second."""
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
RelativePath = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z0-9._][A-Za-z0-9._+-]*(?:/[A-Za-z0-9_][A-Za-z0-9._+-]*)*$",
        max_length=200,
    ),
]
"""A path below its folder: portable characters only, no `..`, no leading slash."""
MAX_LINE = 4000
Line = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE)]
Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Nanoseconds = Annotated[int, Field(ge=0, le=MAX_INTEGER)]


class Text(Record):
    """One statement in both languages of the site."""

    en: Line
    zh: Line


class Ratio(Record):
    """A rate that keeps its denominator. 0/0 is undefined, which is a word and not a number."""

    numerator: Count
    denominator: Count

    @property
    def defined(self) -> bool:
        """Whether there is anything to divide by."""
        return self.denominator > 0


class PinnedFile(Record):
    """A file that the manifest fixes by its bytes."""

    path: RelativePath
    sha256: Sha256


class FileDigest(Record):
    """One file as it was found: what it is called, how long it is, what it hashes to."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=400)]
    bytes: Count
    sha256: Sha256


class KnownUsage(Record):
    """Model usage as the provider reported it."""

    usage: Literal["known"] = "known"
    requests: Count
    prompt_tokens: Count
    completion_tokens: Count


class UnknownUsage(Record):
    """Model usage that nobody measured. It is not zero, and totals over it are "at least"."""

    usage: Literal["unknown"] = "unknown"
    reason: Line


class NoModelUsage(Record):
    """No model took part, so there is nothing to count."""

    usage: Literal["no_model"] = "no_model"


Usage = Annotated[KnownUsage | UnknownUsage | NoModelUsage, Field(discriminator="usage")]
