"""The commands behind the Makefile notice what they are there to notice."""

import zipfile

from tests.tools import documented_commands, two_builds, wheel_smoke

HELP = "<!-- help: make -->\n{}<!-- /help -->\n"


def test_a_quoted_help_is_renewed_once_and_then_up_to_date(pytestconfig):
    root = pytestconfig.rootpath

    renewed, stale = documented_commands.quotes("Before\n" + HELP.format("old\n") + "after\n", root, "a.md")

    assert stale == ["a.md: the help of `make` has changed"]
    assert renewed.startswith("Before\n<!-- help: make -->\n```text\n")
    assert "make site" in renewed
    assert renewed.endswith("```\n<!-- /help -->\nafter\n")
    assert documented_commands.quotes(renewed, root, "a.md") == (renewed, [])


def test_frames_and_line_breaks_of_a_help_do_not_count(pytestconfig):
    now = documented_commands.help_of("make", pytestconfig.rootpath)
    rows = "\n".join(f"│ {word} │" for word in now.split())
    framed = HELP.format(f"```text\n╭───╮\n{rows}\n╰───╯\n```\n")

    assert documented_commands.quotes(framed, pytestconfig.rootpath, "a.md") == (framed, [])


def test_commands_are_found_in_shell_blocks_and_code_spans():
    text = """
Run `make site`, never `sealbook fly --high`; `make` alone and `makeshift work` are no commands with a word.

```console
$ cd x && .venv/bin/sealbook run STUDY; make test
  echo make nothing
```

```python
make = "make nothing"  # `make nothing`
```
"""
    assert documented_commands.named_commands(text) == {
        ("make", "site"),
        ("sealbook", "fly"),
        ("sealbook", "run"),
        ("make", "test"),
    }


def test_two_builds_that_differ_are_told_apart_by_name_and_place():
    first = {"same": b"x", "changed": b"abc", "longer": b"ab", "gone": b""}
    second = {"same": b"x", "changed": b"aXc", "longer": b"abc", "new": b""}

    assert two_builds.differences(first, second) == [
        "only in the first build: gone",
        "only in the second build: new",
        "changed differs at byte 1: b'abc' / b'aXc'",
        "longer differs at byte 2: b'ab' / b'abc'",
    ]


def test_a_wheel_without_its_theme_or_with_the_tests_is_noticed(tmp_path):
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in ("sealbook.py", "runner/py.typed", "sitegen/py.typed", "runner/contract/schema/a.json"):
            archive.writestr(name, "")
        archive.writestr("sitegen/messages/en/page.po", "")
        archive.writestr("tests/conftest.py", "")
        archive.writestr("sealbook-0.1.0.dist-info/METADATA", "")

    assert wheel_smoke.missing(wheel) == ["sitegen/templates/*.html"]
    assert wheel_smoke.foreign(wheel) == ["tests"]
