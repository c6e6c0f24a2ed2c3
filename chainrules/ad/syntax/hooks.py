"""The functions that rewritten code calls, by the names under which the rewriting speaks of them."""

import ast
from collections.abc import Callable
from typing import Any

PREFIX = "<chainrules.ad: "

# By placeholder: a constant of the code, in whose place the function itself is put.
HOOKS: dict[str, Callable[..., Any]] = {}
# Other values that rewritten code has among its constants, by placeholder too.
CONSTANTS: dict[str, Any] = {}


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


def hooked(name: str, *args: ast.expr, at: ast.expr | ast.stmt | None = None) -> ast.Call:
    """A call of a hook, at the place of an expression: of its first argument, if no other is given."""
    place: ast.AST = at or args[0]
    function = ast.copy_location(ast.Constant(placeholder(name)), place)
    return ast.copy_location(ast.Call(function, list(args), []), place)
