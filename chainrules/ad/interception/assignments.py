"""Rewriting assignments of new arrays to names that are written into: what is assigned can be filled.

``y = 2.0 * a; y[i] = v`` makes an array that nobody else holds. A function is looked through for such writes,
and for names that are handed to other functions, which may write.
"""

import ast
from collections.abc import Iterator

from chainrules.ad.interception.implicit_calls import BINARY
from chainrules.ad.interception.placeholders import placeholder

_OPERATORS = {placeholder(name): placeholder(f"new {name}") for name in BINARY.values()}
_RENAMED = {**_OPERATORS, placeholder("call"): placeholder("new call")}


class Assignments(ast.NodeTransformer):
    """Operators and calls whose result is assigned to a name that is written into have hooks of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[frozenset[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # noqa: D102
        self._written.append(frozenset(_names_written_into(node)))
        self.generic_visit(node)
        self._written.pop()
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        for target in node.targets:
            self._look_at(target, node.value)
        return node

    def _look_at(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, other in zip(target.elts, value.elts, strict=False):  # one may be starred
                self._look_at(one, other)
        elif self._is_written_into(target):
            _expect_new_array(value)

    def _is_written_into(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Attribute):
            return True  # any method may write into it
        return bool(self._written) and isinstance(target, ast.Name) and target.id in self._written[-1]


def _expect_new_array(value: ast.expr) -> None:
    """Let a hooked operator or call go through the hook for new arrays."""
    if not isinstance(value, ast.Call):
        return
    called = value.func.func if isinstance(value.func, ast.Call) else value.func
    if isinstance(called, ast.Constant) and called.value in _RENAMED:
        called.value = _RENAMED[called.value]


def _names_written_into(function: ast.AST) -> Iterator[str]:
    """The names of variables that a function, or one that it defines, writes into or hands to others."""
    for node in ast.walk(function):
        for part in _written_parts(node):
            owner = part
            while isinstance(owner, ast.Subscript | ast.Attribute | ast.Starred):
                owner = owner.value
            if isinstance(owner, ast.Name):
                yield owner.id


def _written_parts(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [node.value]
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Call):
        handed = [*node.args, *(keyword.value for keyword in node.keywords)]
        return [*handed, node.func.value] if isinstance(node.func, ast.Attribute) else handed
    return []
