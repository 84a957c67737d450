"""The words of the pages, from the gettext files of each language: `messages/en/study.po` and so on.

Message ids are dotted keys (`outcome.accepted`). A message that is missing is an error that
names key and language, never an English word on a Chinese page.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NoReturn

from babel import Locale
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal

from runner.contract.errors import Problem
from sitegen.errors import Collected, ContentError
from sitegen.sources import LANGUAGES

FOLDER = Path(__file__).with_name("messages")
SHOWN = "sitegen/messages"
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_CLDR_ORDER = ("zero", "one", "two", "few", "many", "other")
_MSGID = re.compile(rb'^msgid "(.+)"\s*$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All words of one language."""

    language: str
    messages: Mapping[str, tuple[str, ...]]
    """Key to its text, or to its plural forms in the order of the language."""
    parts: Mapping[str, str]
    """Key to the name of the file that holds it, the same in every language."""

    def say(self, key: str, **values: object) -> str:
        """The message `key` with its placeholders `{name}` filled in. It is text, not markup.

        Whole numbers are grouped as the language does. A message with plural forms takes the one
        for the number `n`. Raises `ContentError` for an unknown key and for a placeholder
        without a value.
        """
        forms = self.messages.get(key)
        if forms is None:
            self._fail(key, "no such message", "add it to the catalog of every language")
        form = forms[self._plural(key, values)] if len(forms) > 1 else forms[0]

        def fill(match: re.Match[str]) -> str:
            if match[1] not in values:
                self._fail(key, f"no value for {match[0]}", "give the page's code that value")
            return self.number(values[match[1]])

        return PLACEHOLDER.sub(fill, form)

    def word(self, member: StrEnum) -> str:
        """The word for a member of an enumeration of the contract, which `word_key` names."""
        return self.say(word_key(member))

    def number(self, value: object) -> str:
        """A whole number with the language's grouping; anything else as its text."""
        if isinstance(value, int) and not isinstance(value, bool):
            return _grouped(value, self.language)
        return str(value)

    def _plural(self, key: str, values: Mapping[str, object]) -> int:
        number = values.get("n")
        if not isinstance(number, int):
            self._fail(key, "has plural forms and got no number n", "give it the count as n")
        return _plural_index(number, self.language)

    def _fail(self, key: str, what: str, todo: str) -> NoReturn:
        raise ContentError(Problem(_shown(self.language, self.parts.get(key)), key, what, todo))


@lru_cache(maxsize=4096)
def _plural_index(number: int, language: str) -> int:
    return _plural_tags(language).index(Locale.parse(language).plural_form(number))


@lru_cache(maxsize=4096)
def _grouped(value: int, language: str) -> str:
    """Kept, since pages show the same small numbers again and again."""
    return str(format_decimal(value, locale=language))


def word_key(member: StrEnum) -> str:
    """The key of an enumeration's member: `FeatureState.not_offered` is `feature_state.not-offered`."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(member).__name__).lower()
    return f"{name}.{member.value}"


def read_catalogs(folder: Path = FOLDER) -> Mapping[str, Catalog]:
    """Every catalog by language. Raises `ContentError` with all that does not agree."""
    found = Collected()
    catalogs = {}
    for language in LANGUAGES:
        with found.noting():
            catalogs[language] = _read(folder / language, language, found)
    for path in sorted(folder.iterdir()):
        if path.name not in LANGUAGES:
            found.add(f"{SHOWN}/{path.name}", "", "no page is in this language", "remove it")
    keys = {key for catalog in catalogs.values() for key in catalog.messages}
    for key in sorted(keys):
        _agree(key, catalogs, found)
    found.refuse(ContentError)
    return catalogs


def _agree(key: str, catalogs: Mapping[str, Catalog], found: Collected) -> None:
    """Note a key that a language lacks or keeps elsewhere, and placeholders that differ between languages."""
    wanted: set[str] = set()
    for catalog in catalogs.values():
        wanted.update(_placeholders(catalog.messages.get(key, ())))
    part = next(catalog.parts[key] for catalog in catalogs.values() if key in catalog.parts)
    for language, catalog in catalogs.items():
        file = _shown(language, part)
        if key not in catalog.messages:
            found.add(file, key, "no such message, but another language has it", "translate it")
        elif catalog.parts[key] != part:
            found.add(file, key, f"stands in {catalog.parts[key]} instead", "keep it here in every language")
        elif missing := wanted - _placeholders(catalog.messages[key]):
            names = ", ".join(f"{{{name}}}" for name in sorted(missing))
            found.add(file, key, f"lacks {names}, which another language has", "use the same placeholders")


def _read(folder: Path, language: str, found: Collected) -> Catalog:
    """All files of one language as one catalog."""
    messages: dict[str, tuple[str, ...]] = {}
    parts: dict[str, str] = {}
    paths = sorted(folder.glob("*.po"))
    if not paths:
        raise ContentError(Problem(_shown(language), "", "no such catalog", "restore it"))
    for path in paths:
        for key, forms in _read_part(path, language, found).items():
            if key in parts:
                found.add(_shown(language, path.name), key, f"stands in {parts[key]} too", "keep one of them")
            messages[key], parts[key] = forms, path.name
    return Catalog(language, messages, parts)


def _read_part(path: Path, language: str, found: Collected) -> dict[str, tuple[str, ...]]:
    file = _shown(language, path.name)
    try:
        data = path.read_bytes()
        parsed = read_po(BytesIO(data), locale=language, abort_invalid=True)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ContentError(Problem(file, "", why, "restore the catalog")) from error
    except (PoFileError, UnicodeDecodeError) as error:
        raise ContentError(Problem(file, "", f"not a catalog: {error}", "mend its syntax")) from error
    for name, times in Counter(_MSGID.findall(data)).items():
        if times > 1:
            found.add(file, name.decode("utf-8", "replace"), "stands twice", "keep one of them")
    messages = {}
    for message in parsed:
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        string = message.string or ""
        forms = (string,) if isinstance(string, str) else tuple(string)
        if len(forms) not in (1, len(_plural_tags(language))) or not all(forms):
            found.add(file, key, "empty, or without all plural forms of its language", "translate it")
        elif message.fuzzy:
            found.add(file, key, "marked as fuzzy", "check the translation and remove the mark")
        elif any("{" in rest or "}" in rest for rest in (PLACEHOLDER.sub("", form) for form in forms)):
            found.add(file, key, "a brace that is no placeholder {name}", "correct the placeholder")
        messages[key] = forms
    return messages


def _plural_tags(language: str) -> list[str]:
    """The plural categories of a language, in the order of its `msgstr[N]`."""
    tags = Locale.parse(language).plural_form.tags | {"other"}
    return [tag for tag in _CLDR_ORDER if tag in tags]


def _placeholders(forms: tuple[str, ...]) -> set[str]:
    return {name for form in forms for name in PLACEHOLDER.findall(form)}


def _shown(language: str, part: str | None = None) -> str:
    """How messages call a catalog, or one file of it."""
    return f"{SHOWN}/{language}/{part}" if part else f"{SHOWN}/{language}"
