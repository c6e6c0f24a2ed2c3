"""The functions that rewritten code calls, by the names under which the rewriting speaks of them."""

import ast
from collections.abc import Callable
from typing import Any, TypeVar

PREFIX = "<chainrules.ad: "

# Never forgotten, since rewritten code has them. By placeholder: a constant of the code, in whose place the
# function itself is put.
HOOKS: dict[str, Callable[..., Any]] = {}
# Other values that rewritten code has among its constants, by placeholder too.
CONSTANTS: dict[str, Any] = {}

_Node = TypeVar("_Node", bound=ast.AST)


def placeholder(name: str) -> str:
    """The constant that stands for a hook until the rewritten code is compiled."""
    return f"{PREFIX}{name}>"


def hook(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as the hook of that name; a decorator.

    No name enters anybody's module: the function stands among the constants of the rewritten code.
    """

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        HOOKS[placeholder(name)] = f
        return f

    return register


def registered(name: str) -> Any:
    """The function that is registered as a hook, for modules that the one of the function imports."""
    return HOOKS[placeholder(name)]


def hooked(name: str, *args: ast.expr, at: Any = None) -> ast.Call:
    """A call of a hook, at the place of an expression: of its first argument, if no other is given."""
    at = at or args[0]
    return placed(ast.Call(placed(ast.Constant(placeholder(name)), at), list(args), []), at)


def is_hooked(name: str, node: ast.expr) -> bool:
    """Whether a node is a call of the hook of that name."""
    return isinstance(node, ast.Call) and getattr(node.func, "value", None) == placeholder(name)


def constant(name: str, value: Any, at: Any) -> ast.expr:
    """A value that rewritten code has among its constants."""
    CONSTANTS[placeholder(name)] = value
    return placed(ast.Constant(placeholder(name)), at)


def placed(new: _Node, at: Any) -> _Node:
    """A new node, at the place of another one: `ast.copy_location`, and quicker."""
    place: Any = new
    place.lineno, place.col_offset = at.lineno, at.col_offset
    place.end_lineno, place.end_col_offset = at.end_lineno, at.end_col_offset
    return new
