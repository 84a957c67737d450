"""Makes one defect in a small study at a time: text replaced, a pin lost, steps exchanged, a pipe for a file."""

import re
from collections.abc import Callable
from pathlib import Path

from runner.contract.qualification.design import Feature
from runner.contract.seal import digest

STUDY = "study.toml"
TASKS = "tasks/tool.toml"
LICENSES = "licenses.toml"
HELP = "fixtures/help/tool.txt"
HELP_DIGEST = digest(b"usage: tool [claim]\n")
ANOTHER_DIGEST = digest(b"usage: another tool\n")

Defect = Callable[[Path], None]


def replaced(file: str, old: str, new: str, *more: tuple[str, str, str]) -> Defect:
    """Replaces text once in a file of the study, and pins the file again."""

    def apply(study: Path) -> None:
        for name, before, after in ((file, old, new), *more):
            data = (study / name).read_bytes()
            assert data.count(before.encode()) >= 1, f"{name} does not hold {before!r}"
            rewrite(study, name, data.replace(before.encode(), after.encode(), 1))

    return apply


def rewritten(file: str, data: bytes) -> Defect:
    """Replaces a whole file of the study, and pins it again."""
    return lambda study: rewrite(study, file, data)


def rewrite(study: Path, file: str, data: bytes) -> None:
    before = (study / file).read_bytes()
    (study / file).write_bytes(data)
    if file != STUDY:
        manifest = (study / STUDY).read_bytes()
        (study / STUDY).write_bytes(manifest.replace(digest(before).encode(), digest(data).encode()))


def put_in_place(file: str, make: Callable[[Path], None]) -> Defect:
    """Puts something else where a file of the study was."""

    def apply(study: Path) -> None:
        (study / file).unlink()
        make(study / file)

    return apply


def added(file: str, data: bytes) -> Defect:
    """Adds a file that the manifest does not know."""

    def apply(study: Path) -> None:
        (study / file).write_bytes(data)

    return apply


def unpinned(file: str) -> Defect:
    """Leaves a file unpinned."""

    def apply(study: Path) -> None:
        pin = f'[[pinned]]\npath = "{file}"\nsha256 = "{digest((study / file).read_bytes())}"\n'
        replaced(STUDY, pin, "")(study)

    return apply


def step(text: str) -> Defect:
    """Puts other steps in the first check."""
    first = """[[checks.steps]]
do = "run"
id = "ask"
argv = ["{command}", "claim"]
expect = [{ expect = "exit", code = 0 }, { expect = "lacks", text = "no" }]"""
    return replaced(TASKS, first, text)


def a_run(step_id: str = "ask", argv: str = '"{command}"', more: str = "") -> str:
    expect = 'expect = [{ expect = "exit", code = 0 }]'
    return f'[[checks.steps]]\ndo = "run"\nid = "{step_id}"\nargv = [{argv}]\n{expect}\n{more}\n'


def a_start(step_id: str = "hold") -> str:
    boundary = 'boundary = { at = "output", text = "ready" }'
    return f'[[checks.steps]]\ndo = "start"\nid = "{step_id}"\nargv = ["{{command}}"]\n{boundary}\n'


def a_kill(step_id: str, target: str) -> str:
    return f'[[checks.steps]]\ndo = "kill"\nid = "{step_id}"\ntarget = "{target}"\n'


def without_checks(*features: Feature) -> Defect:
    """Declares checked features as not offered instead."""

    def apply(study: Path) -> None:
        head, *tables = re.split(
            r"^(?=\[\[(?:checks|not_offered)\]\])", (study / TASKS).read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        (denied,) = [table for table in tables if 'feature = "crash"' in table]
        kept = [table for table in tables if not any(f'"{f.value}-kept"' in table for f in features)]
        more = [denied.replace('"crash"', f'"{f.value}"') for f in features]
        rewrite(study, TASKS, "".join([head, *(table.rstrip("\n") + "\n" for table in (*kept, *more))]).encode())

    return apply
