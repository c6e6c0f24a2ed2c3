"""Rewriting a module: its calls go through hooks, and all else in it stays what it is."""

import ast

from chainrules.ad.interception.assignments import Assignments
from chainrules.ad.interception.calls import Calls


class Rewriting(Assignments, Calls):
    """All that is rewritten, in one walk through the tree: each base class does what its name says.

    Annotations stay as they are: they may be kept as text, which others read and evaluate. So do the patterns
    of ``case``, which are no expressions.
    """

    def visit_match_case(self, node: ast.match_case) -> ast.AST:  # noqa: D102 - as of the base class
        return self._without("pattern", node)

    def visit_arg(self, node: ast.arg) -> ast.AST:  # noqa: D102 - as of the base class
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # noqa: D102, N802 - as of the base class
        return self._without("annotation", node)

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

    def _without(self, field: str, node: ast.AST) -> ast.AST:
        """Rewrite all of a node but one field."""
        kept = getattr(node, field)
        setattr(node, field, None)
        self.generic_visit(node)
        setattr(node, field, kept)
        return node
