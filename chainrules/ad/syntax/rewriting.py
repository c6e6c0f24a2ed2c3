"""Rewriting a module: its calls go through hooks, and all else in it stays what it is."""

import ast

from chainrules.ad.syntax import calls, operators, patterns, reads, statements, stores
from chainrules.ad.syntax.walk import Expressions, Statements, Walk

_EXPRESSIONS: Expressions = {
    **operators.EXPRESSIONS,
    **reads.EXPRESSIONS,
    **calls.EXPRESSIONS,
    **stores.EXPRESSIONS,
    **statements.EXPRESSIONS,
}
_STATEMENTS: Statements = {**stores.STATEMENTS, **statements.STATEMENTS, **patterns.STATEMENTS}


def rewritten(tree: ast.Module, is_guarded: bool) -> ast.Module:
    """A module whose calls are hooks, perhaps with tests in front of them; the tree itself stays as it is."""
    walk = Walk(tree, is_guarded, _EXPRESSIONS, _STATEMENTS)
    return ast.Module(walk.body(tree.body), tree.type_ignores)
