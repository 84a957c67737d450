"""What stands in the sources of a candidate: functions, signatures and calls, read with Python's own parser."""

import ast
import inspect
from collections.abc import Iterator, Mapping

_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)
"""What may hold statements, and so definitions."""


def parsed(files: Mapping[str, str]) -> tuple[dict[str, ast.Module], tuple[str, ...]]:
    """Every Python file as a tree, and the paths of those that do not parse."""
    trees: dict[str, ast.Module] = {}
    broken: list[str] = []
    for path, text in sorted(files.items()):
        if path.endswith(".py"):
            try:
                trees[path] = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                broken.append(path)
    return trees, tuple(broken)


def definitions(tree: ast.Module) -> tuple[str, ...]:
    """Every function and class by its dotted name, in order, with repetitions."""
    return tuple(_definitions(tree))


def function(tree: ast.Module | None, name: str) -> ast.FunctionDef | None:
    """The one function of this name on the top level; None if there is none or more than one."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name] if tree else []
    return found[0] if len(found) == 1 else None


def signature(node: ast.FunctionDef) -> str:
    """Its signature as Python writes it, such as `(lines: list[int], rate: int) -> int`."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(node.args)}){returns}"


def calls(tree: ast.Module, path: str, owner: str, name: str) -> tuple[ast.Call, ...]:
    """Every call in the file at `path` of the function `name` that the file at `owner` defines.

    A call counts if its name leads there: in the owner itself, through `from owner import name`, or as an attribute
    of the imported module. Functions of the same name that belong to others are not meant.
    """
    module = module_of(owner)
    names = {name} if path == owner else set()
    spellings = {module}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            for item in node.names:
                if node.module == module and item.name == name:
                    names.add(item.asname or name)
                elif f"{node.module}.{item.name}" == module:
                    spellings.add(item.asname or item.name)
        elif isinstance(node, ast.Import):
            spellings |= {item.asname for item in node.names if item.name == module and item.asname}
    return tuple(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in names)
            or (
                isinstance(node.func, ast.Attribute)
                and node.func.attr == name
                and ast.unparse(node.func.value) in spellings
            )
        )
    )


def module_of(path: str) -> str:
    """The module that a file is: `shop/till.py` is `shop.till`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def fits(call: ast.Call, node: ast.FunctionDef) -> bool:
    """Whether the call's arguments bind to the function's parameters, with none missing and none too many."""
    if any(isinstance(item, ast.Starred) for item in call.args) or any(item.arg is None for item in call.keywords):
        return False  # nobody can tell without running it
    try:
        _inspected(node).bind(*call.args, **{item.arg or "": item.value for item in call.keywords})
    except (TypeError, ValueError):
        return False
    return True


def same(one: ast.AST | None, other: ast.AST | None) -> bool:
    """Whether two pieces of source say the same, wherever they stand."""
    return one is not None and other is not None and ast.dump(one) == ast.dump(other)


def _inspected(node: ast.FunctionDef) -> inspect.Signature:
    kinds = inspect.Parameter
    positional = (*node.args.posonlyargs, *node.args.args)
    without_default = len(positional) - len(node.args.defaults)
    parameters = [
        kinds(
            argument.arg,
            kinds.POSITIONAL_ONLY if position < len(node.args.posonlyargs) else kinds.POSITIONAL_OR_KEYWORD,
            default=kinds.empty if position < without_default else None,
        )
        for position, argument in enumerate(positional)
    ]
    if node.args.vararg:
        parameters.append(kinds(node.args.vararg.arg, kinds.VAR_POSITIONAL))
    parameters += [
        kinds(argument.arg, kinds.KEYWORD_ONLY, default=kinds.empty if default is None else None)
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    ]
    if node.args.kwarg:
        parameters.append(kinds(node.args.kwarg.arg, kinds.VAR_KEYWORD))
    return inspect.Signature(parameters)


def _definitions(tree: ast.Module) -> Iterator[str]:
    """In the order of the text, whatever block a definition stands in, such as an `if` or a `try`."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield f"{prefix}{node.name}"
            prefix = f"{prefix}{node.name}."
        waiting += [(child, prefix) for child in ast.iter_child_nodes(node) if isinstance(child, _BLOCKS)][::-1]
