"""Rewriting a module: its calls go through hooks, and all else in it stays what it is."""

import ast

from chainrules.ad.syntax.calls import Calls
from chainrules.ad.syntax.conditions import Conditions
from chainrules.ad.syntax.patterns import Patterns
from chainrules.ad.syntax.stores import Stores


class Rewriting(Stores, Conditions, Patterns, Calls):
    """All that is rewritten, in one walk through the tree: each base class does what its name says.

    Annotations stay as they are: they may be kept as text, which others read and evaluate.
    """

    def visit_arg(self, node: ast.arg) -> ast.AST:  # noqa: D102 - as of the base class
        return node

    def visit_FunctionDef(  # noqa: D102, N802 - as of the base class
        self, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> ast.AST:
        returns, node.returns = node.returns, None
        super().visit_FunctionDef(node)
        node.returns = returns
        return node

    def visit_AsyncFunctionDef(  # noqa: D102, N802 - as of the base class
        self, node: ast.AsyncFunctionDef
    ) -> ast.AST:
        return self.visit_FunctionDef(node)
