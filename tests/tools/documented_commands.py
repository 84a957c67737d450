"""Checks that the commands in the documents exist and that quoted help texts are those of the program.

A block between `<!-- output of: sealbook run --help -->` and `<!-- end of output -->` must show what that command
prints; `--write` puts it there. In any other shell block each `make` target and each `sealbook` verb must exist.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

DOCUMENTS = ("README.md", "README.zh.md", "CONTRIBUTING.md", "docs/*.md", "docs/adr/*.md")
QUOTED = re.compile(
    r"<!-- output of: (?P<command>[^\n]+?) -->\n```\w*\n(?P<text>.*?)```\n<!-- end of output -->", re.DOTALL
)
SHELL_BLOCK = re.compile(r"^[ ]*```(?:sh|bash|shell|console)\n(.*?)^[ ]*```", re.DOTALL | re.MULTILINE)
ALLOWED = ("sealbook", "make")


def output_of(command: str, root: Path) -> str:
    """What a command prints on 80 columns without colour."""
    program, *arguments = shlex.split(command)
    if program not in ALLOWED:
        message = f"a quoted command is one of {', '.join(ALLOWED)}, not {program}"
        raise ValueError(message)
    path = str(Path(sys.executable).with_name("sealbook")) if program == "sealbook" else program
    plain = os.environ | {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1", "MAKEFLAGS": "", "MAKELEVEL": "0"}
    done = subprocess.run([path, *arguments], cwd=root, env=plain, check=True, capture_output=True, text=True)
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines()) + "\n"


def words(text: str) -> list[str]:
    """A text without its frames and line breaks, which differ between versions of the library that draws them."""
    return re.sub(r"[╭╮╰╯─│┌┐└┘|*]", " ", text).split()


def quotes(text: str, root: Path, name: str) -> tuple[str, list[str]]:
    """The document with every quoted output renewed, and what was out of date."""
    stale: list[str] = []

    def renewed(found: re.Match[str]) -> str:
        now = output_of(found["command"], root)
        if words(now) == words(found["text"]):
            return found[0]
        stale.append(f"{name}: the output of `{found['command']}` has changed")
        return found[0].replace(f"\n{found['text']}```", f"\n{now}```")

    return QUOTED.sub(renewed, text), stale


def named_commands(text: str) -> set[tuple[str, str]]:
    """Each (program, first word after it) in the shell blocks."""
    lines = [line.strip().removeprefix("$ ") for block in SHELL_BLOCK.findall(text) for line in block.splitlines()]
    return {
        (program, word)
        for line in lines
        for program, word in re.findall(r"(?:^|[;&|] *)(?:\S*/)?(make|sealbook) +([a-z][a-z-]*)", line)
    }


def existing(root: Path) -> dict[str, set[str]]:
    """The targets of the Makefile and the verbs of the program."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    verbs = set(re.findall(r"^[│|\s]+([a-z][a-z-]*)\s{2,}", output_of("sealbook --help", root), re.MULTILINE))
    return {"make": targets, "sealbook": verbs}


def main(arguments: list[str]) -> int:
    """1 when a document is out of date and was not renewed."""
    root = Path.cwd()
    known = existing(root)
    wrong: list[str] = []
    paths = sorted(path for pattern in DOCUMENTS for path in root.glob(pattern))
    for path in paths:
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        renewed, stale = quotes(text, root, name)
        if stale and "--write" in arguments:
            path.write_text(renewed, encoding="utf-8")
            print(f"   renewed {name}")
            stale = []
        wrong += stale
        wrong += [
            f"{name}: there is no `{program} {word}`"
            for program, word in sorted(named_commands(text))
            if word not in known[program]
        ]
    if wrong:
        print("\n".join([*wrong, "quoted outputs are renewed by: python -m tests.tools.documented_commands --write"]))
        return 1
    print(f"   {len(paths)} documents")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
