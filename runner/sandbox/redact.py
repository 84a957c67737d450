"""Replaces what would tell of this machine, and what has the shape of a key, by placeholders, and counts how often.

Known folders become `{work}`, `{state}`, …; the host's and the user's name become `{host}` and
`{user}`; a key becomes `{secret}`. Judging happens before, on what the process really wrote.
"""

import os
import pwd
import re
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runner.sandbox.secret_shapes import text_without_secrets

_SHARED_PLACES = frozenset({"/", "/usr", "/usr/local", "/tmp", "/home", "/opt", "/var"})  # noqa: S108
"""Folders that every machine has: their names tell nothing."""
_EVERYBODY = frozenset(
    ("root", "user", "test", "tester", "runner", "agent", "admin", "build", "ubuntu", "debian", "nobody")
)
"""Account names that tell nothing, and that ordinary output is full of."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may be published, and how many replacements made it so."""

    text: str
    replaced: int


class Redactor:
    """Replaces the places it was given, longest first, each only as a whole path."""

    def __init__(self, places: Mapping[Path, str], names: Mapping[str, str]) -> None:
        """`places` maps folders, `names` whole words, to placeholders without braces."""
        self._words: dict[str, str] = {}
        for path, name in places.items():
            for spelling in (str(path), str(path.resolve())):
                if spelling not in _SHARED_PLACES:
                    self._words.setdefault(spelling, f"{{{name}}}")
        paths = sorted(self._words, key=len, reverse=True)
        alternatives = [rf"(?:{'|'.join(map(re.escape, paths))})(?![A-Za-z0-9_-])"] if paths else []
        if names:
            words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
            alternatives.append(rf"(?<![A-Za-z0-9_-])(?:{words})(?![A-Za-z0-9_-])")
        self._words |= {word: f"{{{name}}}" for word, name in names.items()}
        self._alternatives = "|".join(alternatives)

    def redact(self, text: str) -> Redacted:
        """`text`, which holds no surrogate, without the places and names of this machine and without keys."""
        placed = 0
        if any(word in text for word in self._words):  # rarely; a pattern for each attempt takes longer to compile
            text, placed = self._pattern.subn(lambda found: self._words[found[0]], text)
        text, keys = text_without_secrets(text)
        return Redacted(text, placed + keys)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._alternatives)


def machine_names() -> dict[str, str]:
    """The words that name this machine and its user."""
    names = {}
    host = socket.gethostname()
    for word in (host, host.partition(".")[0]):
        if word and word != "localhost":
            names[word] = "host"
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # an account without an entry, as in many containers
        return names
    if user not in _EVERYBODY:
        names[user] = "user"
    return names


def machine_places() -> dict[Path, str]:
    """The folders of this machine that output of a Python program may mention."""
    places = {Path(sys.base_prefix): "interpreter", Path(sys.prefix): "runner"}
    with suppress(KeyError):
        places[Path(pwd.getpwuid(os.geteuid()).pw_dir)] = "user-home"
    return places
