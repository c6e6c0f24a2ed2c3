"""Rewriting assignments of new arrays to names that are written into: what is assigned can be filled.

``y = 2.0 * a; y[i] = v`` makes an array that nobody else holds. A function is looked through for such writes,
and for names that are handed to other functions, which may write.
"""

import ast
from collections.abc import Iterator

from chainrules.ad.syntax.hooks import placeholder
from chainrules.ad.syntax.implicit_calls import BINARY, ImplicitCalls

_OPERATORS = {placeholder(name): placeholder(f"new {name}") for name in BINARY.values()}
_RENAMED = {**_OPERATORS, **{placeholder(name): placeholder(f"new {name}") for name in ("call", "getitem")}}


class Assignments(ImplicitCalls):
    """Operators and calls whose result is assigned to a name that is written into have hooks of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[frozenset[str]] = []

    def visit_FunctionDef(  # noqa: D102, N802 - as of the base class
        self, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> ast.AST:
        self._written.append(frozenset(_names_written_into(node, self._modules)))
        self.generic_visit(node)
        self._written.pop()
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:  # noqa: D102, N802 - as of the base class
        self.generic_visit(node)
        for target in node.targets:
            self._look_at(target, node.value)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:  # noqa: D102, N802 - as of the base class
        self.generic_visit(node)
        self._look_at(node.target, node.value)
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
    """Let a hooked operator, call or index go through the hook for new arrays.

    So do the parts of a container, and what a view is taken of: ``np.sqrt(a).T``.
    """
    if isinstance(value, ast.IfExp):
        parts = [value.body, value.orelse]
    elif isinstance(value, ast.List | ast.Tuple):
        parts = value.elts
    elif isinstance(value, ast.Dict):
        parts = value.values
    elif isinstance(value, ast.ListComp):
        parts = [value.elt]
    elif isinstance(value, ast.DictComp):
        parts = [value.value]
    else:
        parts = _parts_of_call(value) if isinstance(value, ast.Call) else []
    for part in parts:
        _expect_new_array(part)


def _parts_of_call(call: ast.Call) -> list[ast.expr]:
    """What the result of a call may be a view of."""
    called = call.func.func if isinstance(call.func, ast.Call) else call.func
    name = called.value if isinstance(called, ast.Constant) else None
    if isinstance(called, ast.Constant) and name in _RENAMED:
        called.value = _RENAMED[name]
    if name in _TAKING:
        return call.args[:1]
    return call.func.args if isinstance(call.func, ast.Call) else []  # perhaps a method


_TAKING = frozenset({placeholder("attribute"), placeholder("getitem")})


def _names_written_into(function: ast.AST, modules: set[str]) -> Iterator[str]:
    """The names of variables that a function, or one that it defines, writes into or hands to others."""
    for node in ast.walk(function):
        for part in _written_parts(node, modules):
            owner = part
            while isinstance(owner, ast.Subscript | ast.Attribute | ast.Starred):
                owner = owner.value
            if isinstance(owner, ast.Name):
                yield owner.id


# Methods and functions of NumPy that write; functions of Python's own that do not, among others.
_WRITING = frozenset({"at", "copyto", "fill", "fill_diagonal", "partition", "place", "put", "put_along_axis"})
_WRITING |= {"putmask", "shuffle", "sort"}
_READING = frozenset(
    (
        "abs",
        "bool",
        "complex",
        "enumerate",
        "float",
        "int",
        "isinstance",
        "len",
        "list",
        "max",
        "min",
        "print",
    )
) | {"range", "round", "sorted", "str", "sum", "tuple", "type", "zip"}


def _written_parts(node: ast.AST, modules: set[str]) -> list[ast.expr]:
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [node.value]
    if isinstance(node, ast.AugAssign):
        return [node.target]
    return _parts_handed_over(node, modules) if isinstance(node, ast.Call) else []


def _parts_handed_over(call: ast.Call, modules: set[str]) -> list[ast.expr]:
    """What the function that is called may write into."""
    outs = [keyword.value for keyword in call.keywords if keyword.arg == "out"]
    handed = [*call.args, *(keyword.value for keyword in call.keywords)]
    function = call.func
    if isinstance(function, ast.Name):
        return outs if function.id in _READING else handed
    if not isinstance(function, ast.Attribute):
        return handed
    if function.attr in _WRITING:
        return [*handed, function.value]
    owner: ast.expr = function
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return outs if isinstance(owner, ast.Name) and owner.id in modules else handed
