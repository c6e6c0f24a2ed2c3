"""What makes the arrays that a function returns, as its text says: new ones, which nobody else holds."""

import ast
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

Path = tuple[str, ...]

MAKERS: frozenset[Any] = frozenset({np.zeros, np.ones, np.empty, np.full, np.eye, np.identity})
MAKERS |= {np.zeros_like, np.ones_like, np.empty_like, np.full_like}
_LOOKED_AT = frozenset({"shape", "size", "ndim", "dtype"})
# They may assign to names, or hand them on, in ways of their own.
_NOT_LOOKED_INTO: tuple[type[ast.AST], ...] = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NOT_LOOKED_INTO += (ast.Lambda, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal, ast.NamedExpr, ast.Match)
_NOT_LOOKED_INTO += (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def makers_in(code: types.CodeType) -> frozenset[Path]:
    """The names of what makes all that a function returns; none, if others may hold that."""
    if _NAMES_OF_MAKERS.isdisjoint(code.co_names):
        return frozenset()
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(code))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return frozenset()
    nodes = list(_with_parents(tree))
    if not isinstance(tree, ast.FunctionDef) or any(isinstance(node, _NOT_LOOKED_INTO) for node, _ in nodes):
        return frozenset()
    calls: list[ast.expr | None] = []
    for node, _ in nodes:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            calls += _assigned(node.value.id, code, nodes)
        elif isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
            calls.append(node.value)
    paths = [_path(call.func) if isinstance(call, ast.Call) else () for call in calls]
    local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    return frozenset(paths) if all(path and path[0] not in local for path in paths) else frozenset()


_NAMES_OF_MAKERS = frozenset(maker.__name__ for maker in MAKERS)


def _with_parents(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        yield node, tree
        yield from _with_parents(node)


def _assigned(name: str, code: types.CodeType, nodes: list[tuple[ast.AST, ast.AST]]) -> list[ast.expr | None]:
    """What is assigned to a local name; `None` among it, if somebody else may hold that."""
    args, varargs, varkw = inspect.getargs(code)
    is_given = name in {*args, varargs, varkw}
    assigned: list[ast.expr | None] = [None] if is_given else []
    for node, parent in nodes:
        if not (isinstance(node, ast.Name) and node.id == name):
            continue
        if isinstance(parent, ast.Assign) and parent.targets == [node]:
            assigned.append(parent.value)
        elif not (
            isinstance(parent, ast.Return)
            or (isinstance(parent, ast.AugAssign) and parent.target is node)
            or (isinstance(parent, ast.Attribute) and parent.attr in _LOOKED_AT)
            or (
                isinstance(parent, ast.Subscript)
                and parent.value is node
                and isinstance(parent.ctx, ast.Store)
            )
        ):
            assigned.append(None)
    return assigned


def _path(node: ast.expr) -> Path:
    """A dotted name; nothing, if it is none."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        path = _path(node.value)
        return (*path, node.attr) if path else ()
    return ()
