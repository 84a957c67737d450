"""Numbers that come from run.json, each with the place that quotes it.

A number reaches a page only through a pointer into the sealed document, so that what the page
says and what it links to cannot differ.
"""

from dataclasses import dataclass, field

from runner.contract.canonical import Json
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages import place
from sitegen.sources import RunSource

RUN_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Bound:
    """A value of the evidence in words, and where it is quoted."""

    text: str
    target: str
    """The anchor on the run's evidence page, from the site's root."""
    file: str
    pointer: str
    digest: str
    """SHA-256 of the file."""
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Quotes:
    """Reads run.json by JSON pointer, in the words of one language."""

    run: RunSource
    folder: str
    """The language's folder, with its final slash."""
    catalog: Catalog
    document: Json = field(repr=False)
    digest: str

    def at(self, pointer: str) -> Bound:
        """The value at an RFC 6901 pointer. Raises KeyError if the document has none there."""
        value = self.value(pointer)
        match value:
            case bool() | None:
                text = self.catalog.say("value.yes" if value else "value.no")
            case int():
                text = figures.count(value, self.catalog)
            case str():
                text = value
            case list() | dict():
                text = figures.count(len(value), self.catalog)
        sealed = self.run.sealed
        page = place.evidence(sealed.run.study, sealed.run.run)
        return Bound(
            text=text,
            target=f"{self.folder}{page}#{place.anchor(RUN_FILE, pointer)}",
            file=RUN_FILE,
            pointer=pointer,
            digest=self.digest,
            zero=value == 0,
        )

    def value(self, pointer: str) -> Json:
        """The JSON value at a pointer. Raises KeyError if there is none."""
        return pointed(self.document, pointer)


def pointed(document: Json, pointer: str) -> Json:
    """The value at an RFC 6901 pointer into `document`. Raises KeyError if there is none."""
    value = document
    for part in pointer.split("/")[1:]:
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]  # type: ignore[index]
        except (IndexError, TypeError, ValueError) as error:
            raise KeyError(pointer) from error
    return value


def quotes(run: RunSource, folder: str, catalog: Catalog) -> Quotes:
    """The quotes of a sealed run."""
    digest = next(file.sha256 for file in run.sealed.files if file.path == RUN_FILE)
    return Quotes(run, folder, catalog, run.sealed.run.model_dump(mode="json"), digest)
