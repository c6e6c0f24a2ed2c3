"""Rewriting calls: ``g(x)`` becomes ``hook(g)(x)``, and ``g(x, out=y)`` tells that `y` is written into."""

import ast

from chainrules.ad.syntax.hooks import hooked
from chainrules.ad.syntax.implicit_calls import mark_method_of_super

# They look at the frame that calls them, and are called as they are: `super()` needs the compiler's help too.
_OF_THE_FRAME = frozenset({"super", "locals", "globals", "eval", "exec", "breakpoint"})


class Calls(ast.NodeTransformer):
    """Calls go through the hook ``call``, which is given the callee and answers what to call in its place.

    The arguments are not the hook's, so that what it answers is called by the user's own code: no frame of
    the hook's is seen by `warnings`, debuggers or tracebacks.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: D102 - as of the base class
        mark_method_of_super(node.func)
        self.generic_visit(node)
        if _evaluates_text(node):
            node.args[0] = hooked("evaluated", node.args[0])
        if not _stays(node.func):
            node.func = hooked("call", node.func)
            for keyword in node.keywords:
                if keyword.arg == "out" and not isinstance(keyword.value, ast.Constant):
                    keyword.value = hooked("out", keyword.value)
        return node


def _evaluates_text(node: ast.Call) -> bool:
    """Whether a call is ``eval(text)``, of text that is made while the program runs."""
    is_eval = isinstance(node.func, ast.Name) and node.func.id == "eval"
    return is_eval and bool(node.args) and not isinstance(node.args[0], ast.Constant | ast.Starred)


def _stays(callee: ast.expr) -> bool:
    if isinstance(callee, ast.Name):
        return callee.id in _OF_THE_FRAME
    # Names that pytest gives to what its rewritten assertions call.
    return (
        isinstance(callee, ast.Attribute)
        and isinstance(callee.value, ast.Name)
        and callee.value.id.startswith("@")
    )
