"""What the program wrote where a hook stands: the way back from a call of a hook to Python's own syntax."""

import ast
from typing import Any, TypeVar

from chainrules.ad.syntax.hooks import PREFIX
from chainrules.ad.syntax.implicit_calls import BINARY, COMPARISONS, MEMBERSHIP, UNARY

AUGMENTED: dict[str, Any] = {f"i{name}": op for op, name in BINARY.items()}
OPERATORS: dict[str, Any] = {
    **{name: op for op, name in BINARY.items()},
    **{f"new {name}": op for op, name in BINARY.items()},
    **AUGMENTED,
}
COMPARING: dict[str, Any] = {name: op for op, name in COMPARISONS.items()}
CONTAINING: dict[str, Any] = {name: op for op, name in MEMBERSHIP.items()}
UNARY_OPERATORS: dict[str, Any] = {name: op for op, name in UNARY.items()}

_LOAD = ast.Load()

_Node = TypeVar("_Node", bound=ast.AST)

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# An expression of more nodes than that is not written twice.
_MOST = 60


def hook_of(node: Any) -> str | None:
    """The name of the hook that an expression calls, if it does."""
    if node.__class__ is ast.Call:
        function: Any = node.func
        if function.__class__ is ast.Constant and function.value.__class__ is str:
            name: str = function.value
            return name[len(PREFIX) : -1] if name.startswith(PREFIX) else None
    return None


def is_constant(node: Any) -> bool:
    """Whether an expression is a number or text, perhaps with a sign."""
    return node.__class__ is ast.Constant or (
        node.__class__ is ast.UnaryOp and node.operand.__class__ is ast.Constant
    )


def is_simple(node: ast.AST) -> bool:
    """Whether an expression may be evaluated twice, at no cost."""
    return node.__class__ is ast.Name or is_constant(node)


def can_be_twice(node: ast.AST) -> bool:
    """Whether an expression may stand in two branches: it is short, and no code object is made of it."""
    if is_simple(node):
        return True
    for number, part in enumerate(ast.walk(node)):
        if number == _MOST or isinstance(part, _SCOPES):
            return False
    return True


def computed(name: str, operands: list[ast.expr], at: Any) -> ast.expr:
    """The operator or comparison that a hook stands for, of other operands."""
    if name in OPERATORS:
        return placed(ast.BinOp(operands[0], OPERATORS[name](), operands[1]), at)
    if name in UNARY_OPERATORS:
        return placed(ast.UnaryOp(UNARY_OPERATORS[name](), operands[0]), at)
    op = COMPARING[name] if name in COMPARING else CONTAINING[name]
    return placed(ast.Compare(operands[0], [op()], [operands[1]]), at)


def index(node: ast.expr) -> ast.expr:
    """What stands between brackets, with colons for slices."""
    if hook_of(node) == "slice":
        parts = [None if _is_none(part) else part for part in node.args]  # type: ignore[attr-defined]  # of a call
        return placed(ast.Slice(*parts), node)
    if isinstance(node, ast.Tuple):
        return placed(ast.Tuple([index(part) for part in node.elts], _LOAD), node)
    return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def placed(new: _Node, at: Any) -> _Node:
    """A new node, at the place of another one: `ast.copy_location`, in a third of the time."""
    place: Any = new
    place.lineno, place.col_offset = at.lineno, at.col_offset
    place.end_lineno, place.end_col_offset = at.end_lineno, at.end_col_offset
    return new
