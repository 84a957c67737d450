"""The words of the pages, from one gettext catalog a language.

Message ids are dotted keys (`outcome.accepted`). A message that is missing is an error that
names key and language, never an English word on a Chinese page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("messages")


@dataclass(frozen=True, slots=True)
class Catalog:
    """All words of one language."""

    language: str
    messages: Mapping[str, tuple[str, ...]]
    """Key to its text, or to its plural forms in the order of the language."""

    def say(self, key: str, **values: object) -> str:
        """The message `key` with its placeholders `{name}` filled in. It is text, not markup.

        A message with plural forms takes the one for `n`. Raises `ContentError` for an unknown
        key and for a placeholder without a value.
        """
        raise NotImplementedError


def read_catalogs(folder: Path = FOLDER) -> Mapping[str, Catalog]:
    """Every catalog by language. Raises `ContentError` with all that does not agree."""
    raise NotImplementedError
