"""What a change adds up to: product code apart from all else, moved code twice, and nothing unknown as a number."""

import pytest
from pydantic import TypeAdapter, ValidationError

from runner.contract.parity.economics import DeclaredChange, PathClass
from runner.contract.parity.numstat import (
    CountedLines,
    FileChange,
    FileStatus,
    Lines,
    NoLines,
    more_files,
    sums,
)
from runner.contract.parity.overlap import OpenChange, OverlapInventory, shared

TEXT = {"en": "x", "zh": "x"}
STATED = {"known": "stated", "text": TEXT}
NOTHING = {"known": "not-supplied"}


def counted(*paths: str) -> dict:
    return {"known": "counted", "paths": list(paths), "text": TEXT}


def declared(**fields: object) -> DeclaredChange:
    value = {
        "classes": [
            {"path_class": "generated", "paths": ["src/made/**"]},
            {"path_class": "product", "paths": ["src/**"]},
            {"path_class": "tests", "paths": ["tests/**"]},
            {"path_class": "docs", "paths": ["*.md"]},
        ],
        "canonical_owner": STATED,
        "legacy_deleted": counted("src/old/**"),
        "bridge_added": counted("src/bridge.py"),
        "cross_runtime_calls": NOTHING,
        "scaffolding": NOTHING,
        "facade_exit": NOTHING,
        **fields,
    }
    return TypeAdapter(DeclaredChange).validate_json(TypeAdapter(dict).dump_json(value))


def change(path: str, added: int, deleted: int, status: FileStatus = FileStatus.modified) -> FileChange:
    return FileChange(path=path, status=status, change=CountedLines(added=added, deleted=deleted))


def moved(old: str, new: str, lines: int) -> tuple[FileChange, FileChange]:
    return change(old, 0, lines, FileStatus.deleted), change(new, lines, 0, FileStatus.added)


@pytest.mark.rule("P133")
def test_product_code_is_counted_apart_from_tests_documents_and_generated_files():
    found = sums(
        declared(),
        [
            change("README.md", 1, 0),
            change("src/a.py", 10, 4),
            change("src/made/b.py", 500, 0),
            change("tests/c.py", 7, 2),
        ],
    )

    assert found.product == Lines(files=1, added=10, deleted=4, binary=0)
    assert (found.product.net, found.product.gross) == (6, 14)
    assert {name: lines.added for name, lines in found.by_class if lines.files} == {
        PathClass.product: 10,
        PathClass.tests: 7,
        PathClass.generated: 500,
        PathClass.docs: 1,
    }
    assert found.whole == Lines(files=4, added=518, deleted=6, binary=0)


@pytest.mark.rule("P133")
def test_code_that_moved_is_a_deletion_and_an_addition_and_counts_twice_in_the_gross():
    found = sums(declared(), moved("src/old/a.py", "src/new/a.py", 30))

    assert (found.product.net, found.product.gross) == (0, 60)
    assert found.legacy_deleted == Lines(files=1, added=0, deleted=30, binary=0)


def test_what_is_counted_below_paths_is_of_product_code_alone():
    found = sums(
        declared(legacy_deleted=counted("**/old/**")), [change("src/old/a.py", 0, 3), change("tests/old/a.py", 0, 50)]
    )

    assert found.legacy_deleted == Lines(files=1, added=0, deleted=3, binary=0)
    assert found.bridge_added == Lines(files=0, added=0, deleted=0, binary=0)
    assert found.scaffolding is None


def test_a_file_without_lines_is_counted_as_a_file_and_adds_no_number_of_lines():
    found = sums(declared(), [FileChange(path="src/x.bin", status=FileStatus.added, change=NoLines())])

    assert found.product == Lines(files=1, added=0, deleted=0, binary=1)


def test_a_changed_path_that_no_class_names_is_an_error_that_names_all_such_paths():
    with pytest.raises(ValueError, match=r"no class names Makefile, data/x\.txt"):
        sums(declared(), [change("Makefile", 1, 1), change("data/x.txt", 1, 1), change("src/a.py", 1, 1)])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"classes": [{"path_class": "docs", "paths": ["**"]}]}, "no class says which paths are product code"),
        ({"classes": [{"path_class": "product", "paths": ["a/**", "a/**"]}]}, r"twice: product a/\*\*"),
        ({"canonical_owner": counted("src/**")}, "counted"),
        ({"facade_exit": {"known": "stated"}}, "text"),
        ({"cross_runtime_calls": None}, "cross_runtime_calls"),
    ],
    ids=[
        "no product code",
        "a path twice",
        "an owner that is counted",
        "a statement without words",
        "a field left out",
    ],
)
def test_a_declaration_that_leaves_a_field_open_is_refused(fields, said):
    with pytest.raises(ValidationError, match=said):
        declared(**fields)


def test_files_that_are_added_and_deleted_give_by_how_many_there_are_more_without_compiled_ones():
    changes = [
        *moved("a", "b", 1),
        change("c", 1, 0, FileStatus.added),
        change("d.pyc", 1, 0, FileStatus.added),
        change("__pycache__/e", 1, 0, FileStatus.added),
        change("f", 1, 1, FileStatus.type_changed),
    ]

    assert more_files(changes) == 1


@pytest.mark.rule("P136")
def test_an_open_change_shares_the_files_that_it_lists_and_of_one_that_lists_none_nothing_is_known():
    listed = {"known": "listed", "paths": ["b", "z"]}
    one = OpenChange.model_validate_json(TypeAdapter(dict).dump_json({"name": "#1", "title": "x", "touches": listed}))
    other = OpenChange.model_validate_json(
        TypeAdapter(dict).dump_json({"name": "#2", "title": "x", "touches": NOTHING})
    )

    assert shared(one, ["a", "b"]) == ("b",)
    assert shared(one, ["a"]) == ()
    assert shared(other, ["a", "b"]) is None


def test_an_inventory_names_each_change_once_and_states_its_instant_and_source():
    change_one = {"name": "#1", "title": "x", "touches": NOTHING}
    value = {
        "format": "sealbook.parity.overlap/1",
        "observed_at": "2026-01-01T00:00:00Z",
        "source": TEXT,
        "changes": [change_one, change_one],
    }
    adapter = TypeAdapter(OverlapInventory)
    dump = TypeAdapter(dict).dump_json

    with pytest.raises(ValidationError, match="twice: #1"):
        adapter.validate_json(dump(value))
    assert adapter.validate_json(dump({**value, "changes": []})).changes == ()
    for name in ("observed_at", "source"):
        with pytest.raises(ValidationError, match=name):
            adapter.validate_json(dump({key: item for key, item in value.items() if key != name}))
