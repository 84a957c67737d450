"""Says what to write where an author's front matter or site.toml does not fit its form."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar, get_args, get_type_hints

from runner.contract.errors import ContractError, Problem
from runner.reading.toml import read_toml
from sitegen.errors import ContentError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

WRITE: Mapping[str, str] = {
    "title": 'title = "…"',
    "summary": 'summary = "…"',
    "version": 'version = "1.0"',
    "date": 'date = "2026-11-30", with its quotes',
    "study": 'study = "…", the name of its folder in manifests',
    "run": 'run = "20261130T080000Z", the name of a sealed run',
    "was": 'was = "qualification", or whatever the status said before',
    "changed": 'changed = "2026-12-05", with its quotes',
    "reason": 'reason = "…", in the language of the file',
    "successor": 'successor = "2026-12-05-…", the date and name of another result',
}
"""What to write for each field of front matter."""

Written = TypeVar("Written", bound="DataclassInstance")


def read_written(model: type[Written], data: bytes, *, file: str, write: Mapping[str, str] = WRITE) -> Written:
    """What an author wrote, as a `model`.

    Raises `ContentError` with every field that does not fit and what to write instead; `write` has
    that for each field.
    """
    try:
        return read_toml(model, data, file=file)
    except ContractError as error:
        names = ", ".join(field.name for field in fields(model))
        wanted = {**_words(model), **write}
        raise ContentError(*(_plain(problem, names, wanted) for problem in error.problems)) from error


def _words(model: type[object]) -> dict[str, str]:
    """What to write for a field that takes one of a few words."""
    found = {}
    for name, kind in get_type_hints(model).items():
        if words := [word for word in get_args(kind) if isinstance(word, str)]:
            found[name] = " or ".join(f'{name} = "{word}"' for word in words)
    return found


def _plain(problem: Problem, names: str, write: Mapping[str, str]) -> Problem:
    """The problem in the words of an author; the syntax of TOML is left to its parser's words."""
    key = problem.where.split(".", 1)[0]
    if problem.what.startswith("unexpected keyword argument"):
        return Problem(
            problem.file, problem.where, "no such field", f"remove it or correct its name; there are {names}"
        )
    if key not in write:
        return problem
    what = "is missing" if problem.what.startswith("field required") else problem.what
    return Problem(problem.file, problem.where, what, f"write {write[key]}")
