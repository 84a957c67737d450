"""Checks that the commands in the documents exist and that quoted help texts are those of the program.

Between `<!-- help: sealbook run -->` and `<!-- /help -->` stands what that command's help prints; `--write` puts it
there. Each `make` target and `sealbook` verb in a shell block or a code span must exist.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

DOCUMENTS = ("README.md", "README.zh.md", "CONTRIBUTING.md", "docs/*.md", "docs/adr/*.md", "content/**/*.md")
QUOTED = re.compile(
    r"(?P<open><!-- help: (?P<command>[a-z -]+?) -->\n)(?P<text>.*?)(?P<close><!-- /help -->)", re.DOTALL
)
SHELL_BLOCK = re.compile(r"^[ ]*```(?:sh|bash|shell|console)\n(.*?)^[ ]*```", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^[ ]*```.*?^[ ]*```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:^|[;&|] *)(?:\S*/)?(make|sealbook) +([a-z][a-z-]*)")
SPAN = re.compile(r"`(make|sealbook) +([a-z][a-z-]*)[^`\n]*`")


def help_of(command: str, root: Path) -> str:
    """The help text of a command on 80 columns without colour."""
    program, *arguments = command.split()
    path = str(Path(sys.executable).with_name("sealbook")) if program == "sealbook" else "make"
    asked = ["--help"] if program == "sealbook" else ["help"]
    plain = os.environ | {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1", "MAKEFLAGS": "", "MAKELEVEL": "0"}
    done = subprocess.run([path, *arguments, *asked], cwd=root, env=plain, check=True, capture_output=True, text=True)
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines()) + "\n"


def words(text: str) -> list[str]:
    """A text without its frames and line breaks, which differ between versions of the library that draws them."""
    return re.sub(r"[╭╮╰╯─│┌┐└┘|*]", " ", text).split()


def quotes(text: str, root: Path, name: str) -> tuple[str, list[str]]:
    """The document with every quoted help renewed, and what was out of date."""
    stale: list[str] = []

    def renewed(found: re.Match[str]) -> str:
        block = f"```text\n{help_of(found['command'], root)}```\n"
        if words(block) == words(found["text"]):
            return found[0]
        stale.append(f"{name}: the help of `{found['command']}` has changed")
        return f"{found['open']}{block}{found['close']}"

    return QUOTED.sub(renewed, text), stale


def named_commands(text: str) -> set[tuple[str, str]]:
    """Each (program, first word after it) in the shell blocks and code spans."""
    blocks = SHELL_BLOCK.findall(text)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    found = {pair for line in lines for pair in COMMAND.findall(line)}
    return found | set(SPAN.findall(FENCED.sub("", text)))


def existing(root: Path) -> dict[str, set[str]]:
    """The targets of the Makefile and the verbs of the program."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    verbs = set(re.findall(r"^[│|\s]+([a-z][a-z-]*)\s{2,}", help_of("sealbook", root), re.MULTILINE))
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
        print("\n".join([*wrong, "quoted help is renewed by: python -m tests.tools.documented_commands --write"]))
        return 1
    print(f"   {len(paths)} documents")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
