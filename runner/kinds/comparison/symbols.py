"""Operations on named symbols, computed by rope on a copy of the candidate. No file is changed here.

rope finds every use that refers to a function or to its parameter, across files; what it finds is what is changed.
"""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from runner.contract.comparison.actions import AddParameter, RemoveParameter, RenameSymbol, SymbolOperation


class OperationError(Exception):
    """An operation that cannot be carried out. Says why, without a path of this machine."""


def refactored(files: Mapping[str, str], operation: SymbolOperation, scratch: Path) -> dict[str, str]:
    """The files that the operation changes, with their new text. `scratch` is an empty folder for rope alone.

    Raises `OperationError`.
    """
    # Half of a second's work of the command, and most commands need none of it.
    from rope.base.change import ChangeContents  # noqa: PLC0415
    from rope.base.project import Project  # noqa: PLC0415
    from rope.refactor.change_signature import ArgumentAdder, ArgumentRemover, ChangeSignature  # noqa: PLC0415
    from rope.refactor.rename import Rename  # noqa: PLC0415

    for path, text in files.items():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).write_text(text, encoding="utf-8", newline="")
    source = files.get(operation.path)
    if source is None:
        raise OperationError("no such file")
    function = _function(source, operation.symbol)
    _refuse_set_apart(function, operation)
    project = Project(str(scratch), ropefolder=None)
    # What stands in a candidate's files is anything; rope raises what it happens to stumble over, such as IndexError.
    try:
        resource = project.get_resource(operation.path)
        named = _offset(source, function.lineno, source.split("\n")[function.lineno - 1].index(f"{function.name}("))
        match operation:
            case RenameSymbol(parameter=None):
                changes = Rename(project, resource, named).get_changes(operation.to)
            case RenameSymbol():
                argument = _argument(function, operation.parameter or "")
                at = _offset(source, argument.lineno, argument.col_offset)
                changes = Rename(project, resource, at).get_changes(operation.to)
            case AddParameter():
                adder = ArgumentAdder(operation.index, operation.name, None, operation.value)
                changes = ChangeSignature(project, resource, named).get_changes([adder])
            case RemoveParameter():
                _argument(function, operation.name)
                names = [argument.arg for argument in function.args.args]
                remover = ArgumentRemover(names.index(operation.name))
                changes = ChangeSignature(project, resource, named).get_changes([remover])
            case _:
                assert_never(operation)
        found = {
            change.resource.path: change.new_contents
            for change in changes.changes
            if isinstance(change, ChangeContents)
        }
    except OperationError:
        raise
    except Exception as error:
        raise OperationError(f"rope could not do it: {type(error).__name__}") from error
    finally:
        project.close()
    changed = {path: text for path, text in found.items() if files.get(path) != text}
    if not changed:
        raise OperationError("it changes nothing")
    return dict(sorted(changed.items()))


def _function(source: str, name: str) -> ast.FunctionDef:
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise OperationError("the file is not Python") from error
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(found) != 1:
        raise OperationError(f"{len(found)} functions are called {name} on the top level of the file")
    return found[0]


def _refuse_set_apart(function: ast.FunctionDef, operation: SymbolOperation) -> None:
    """Refuse what rope mangles: it would write `def f(a, b)` for `def f(a, /, b)`."""
    apart = function.args.posonlyargs or function.args.kwonlyargs
    if apart and isinstance(operation, AddParameter | RemoveParameter):
        raise OperationError(f"rope cannot change {function.name}: it has parameters that `/` or `*` sets apart")


def _argument(function: ast.FunctionDef, name: str) -> ast.arg:
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    found = next((argument for argument in arguments if argument.arg == name), None)
    if found is None:
        raise OperationError(f"{function.name} has no parameter {name}")
    return found


def _offset(source: str, line: int, column: int) -> int:
    """The place in the text, in characters, of a column of a line; columns count bytes of UTF-8."""
    lines = source.split("\n")
    before = sum(len(text) + 1 for text in lines[: line - 1])
    return before + len(lines[line - 1].encode()[:column].decode())
