"""What is read from the sources of a candidate: definitions wherever they stand, and differences line by line."""

import subprocess

import pytest

from runner.contract.comparison.acceptance import CallSites, CallsRule, DefinedOnceRule, OwnedRule, Rule, SignatureRule
from runner.contract.comparison.actions import AddParameter, RemoveParameter
from runner.contract.comparison.difference import FIXTURE_LINE, changed_lines, read_difference, unified
from runner.kinds.comparison.acceptance import Left, judge
from runner.kinds.comparison.sources import definitions, parsed
from runner.kinds.comparison.symbols import OperationError, refactored

BLOCKS = {
    "if": "if True:\n    def f(): pass\nelse:\n    def f(): pass\n",
    "try": "try:\n    def f(): pass\nexcept ValueError:\n    def f(): pass\n",
    "with": "with open('x'):\n    def f(): pass\ndef f(): pass\n",
    "for": "for i in ():\n    def f(): pass\nelse:\n    def f(): pass\n",
    "while": "while True:\n    def f(): pass\n    async def f(): pass\n",
    "match": "match 1:\n    case 1:\n        def f(): pass\n    case _:\n        def f(): pass\n",
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_definition_counts_in_whatever_block_it_stands(name):
    trees, _ = parsed({"x.py": BLOCKS[name]})

    assert definitions(trees["x.py"]) == ("f", "f")


def test_definitions_are_told_in_the_order_of_the_text():
    text = (
        "class A:\n    if 1:\n        def m(self):\n            def g(): pass\n    def n(self): pass\ndef z(): pass\n"
    )
    trees, _ = parsed({"x.py": text})

    assert definitions(trees["x.py"]) == ("A", "A.m", "A.m.g", "A.n", "z")


def left(files):
    return Left(
        start={},
        base={},
        files=files,
        changed=(),
        lines=0,
        actions=(),
        forbidden=(),
        printed=str,
        probed=lambda _: pytest.fail("nothing asks"),
    )


DEEP = " + ".join(["1"] * 3000)
DEEP_FILES: dict[str, tuple[dict[str, str], Rule]] = {
    "signature": ({"x.py": f"def f(a={DEEP}): pass\n"}, SignatureRule(path="x.py", symbol="f", signature="(a)")),
    "calls": (
        {"x.py": "def f(): pass\n", "y.py": f"({DEEP}).f()\n"},
        CallsRule(path="x.py", symbol="f", places=(CallSites(path="y.py", calls=1),)),
    ),
    "owned": ({"x.py": f"def f(): return {DEEP}\n"}, OwnedRule(symbol="f", others=("x.py",))),
    "defined": ({"x.py": f"def f(): return {DEEP}\n"}, DefinedOnceRule(path="x.py", symbol="f")),
}


@pytest.mark.parametrize("name", DEEP_FILES)
def test_a_file_that_is_nested_beyond_what_python_follows_meets_no_rule_and_is_no_fault(name):
    files, rule = DEEP_FILES[name]

    assert not judge(rule, left(files)).met


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("", "++ a\n", 1),
        ("-- a\n", "", 1),
        ("a\n", "b\rc\rd\n", 4),
        ("a\r\nb\r\n", "a\r\nc\r\n", 2),
        ("a\n", "a", 2),
        ("a\fb\n", "a\fc\n", 2),
    ],
)
def test_every_line_that_python_sees_is_counted(old, new, lines):
    assert changed_lines(unified({"x": old}, {"x": new})) == lines


DIFFERENCES = {
    "empty-came": ({}, {"x.py": ""}),
    "empty-went": ({"x.py": ""}, {}),
    "filled": ({"x.py": ""}, {"x.py": "a\n"}),
    "emptied": ({"x.py": "a\n"}, {"x.py": ""}),
    "no-last-line-feed": ({"x.py": "a\nb"}, {"x.py": "a\nc"}),
    "last-line-feed-came": ({"x.py": "a\nb"}, {"x.py": "a\nb\n"}),
    "carriage-returns": ({"x.py": "a\rb\nc\n"}, {"x.py": "a\rb\nd\u2028e\n"}),
    "odd-name": ({}, {'a"b\n+++ b/other.py': "x\n"}),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_git_applies_a_difference_and_gets_the_candidate(tmp_path, name):
    base, files = DIFFERENCES[name]
    for path, text in base.items():
        (tmp_path / path).write_bytes(text.encode())
    patch = tmp_path / ".patch"
    patch_text = f"{FIXTURE_LINE}{unified(base, files)}"
    patch.write_bytes(patch_text.encode())
    subprocess.run(["git", "apply", "-p1", str(patch)], cwd=tmp_path, check=True, env={"PATH": "/usr/bin:/bin"})
    patch.unlink()

    found = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {path: text.encode() for path, text in files.items()}
    assert {file.path for file in read_difference(patch_text)} == {*base, *files}


APART = {"m.py": "def f(a, b, /, c, *, d=1):\n    return c\n\n\nf(1, 2, 3)\n"}


@pytest.mark.parametrize(
    "operation",
    [
        RemoveParameter(path="m.py", symbol="f", name="b"),
        RemoveParameter(path="m.py", symbol="f", name="c"),
        RemoveParameter(path="m.py", symbol="f", name="d"),
        AddParameter(path="m.py", symbol="f", name="x", index=1, value="9"),
    ],
)
def test_parameters_that_are_set_apart_are_refused_rather_than_mangled(tmp_path, operation):
    with pytest.raises(OperationError, match="set"):
        refactored(APART, operation, tmp_path)


STUMBLES = {
    "carriage-return": "x = 1\rdef f(a): return a\r",
    "tab-and-page": "\f\tx = 1\n",
    "defaults": "def f(a=" + "(" * 150 + ")" * 150 + "): return a\n",
    "unpacked": "def f(a):\n    return a\n\n\nf(*[1], **{})\n",
}


@pytest.mark.parametrize("name", STUMBLES)
def test_whatever_rope_stumbles_over_is_told_in_words_or_done(tmp_path, name):
    try:
        refactored({"m.py": STUMBLES[name]}, RemoveParameter(path="m.py", symbol="f", name="a"), tmp_path)
        said = ""
    except OperationError as error:
        said = str(error)

    assert str(tmp_path) not in said
