"""Rewriting what is asked for its truth, and chains of comparisons: methods of the user's are entered."""

import ast
import copy

from chainrules.ad.syntax.hooks import hooked
from chainrules.ad.syntax.implicit_calls import COMPARISONS, MEMBERSHIP, ImplicitCalls

_SIMPLE = (ast.Name, ast.Constant)


class Conditions(ImplicitCalls):
    """Conditions go through the hook ``truth``, and each comparison in a chain through its own."""

    def visit_If(self, node: ast.If) -> ast.AST:  # noqa: D102, N802 - as of the base class
        return self._with_hooked_test(node)

    def visit_While(self, node: ast.While) -> ast.AST:  # noqa: D102, N802 - as of the base class
        return self._with_hooked_test(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # noqa: D102, N802 - as of the base class
        return self._with_hooked_test(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:  # noqa: D102, N802 - as of the base class
        return self._with_hooked_test(node)

    def _with_hooked_test(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        self.generic_visit(node)
        node.test = _condition(node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:  # noqa: D102 - as of the base class
        super().visit_comprehension(node)
        node.ifs = list(map(_condition, node.ifs))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:  # noqa: D102, N802 - as of the base class
        if not isinstance(node.op, ast.Not):
            return super().visit_UnaryOp(node)
        self.generic_visit(node)
        node.operand = _condition(node.operand)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # noqa: N802 - as of the base class
        """``a < b < c`` is ``a < b and b < c``, where `b` can be evaluated twice."""
        between = node.comparators[:-1]
        if not between or not all(isinstance(part, _SIMPLE) for part in between):
            return super().visit_Compare(node)
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        parts: list[ast.expr] = []
        for left, op, right in zip(operands, node.ops, node.comparators, strict=False):  # one operand more
            name = COMPARISONS.get(type(op)) or MEMBERSHIP.get(type(op))
            pair = copy.deepcopy(left), copy.deepcopy(right)  # a node has one place in the tree
            if name is None:
                parts.append(ast.copy_location(ast.Compare(pair[0], [op], [pair[1]]), node))
            else:
                parts.append(hooked(name, *pair, at=node))
        *others, last = parts
        return ast.copy_location(ast.BoolOp(ast.And(), [*map(_condition, others), last]), node)


def _condition(node: ast.expr) -> ast.expr:
    """An expression that is asked for its truth alone."""
    if isinstance(node, ast.BoolOp):
        node.values = list(map(_condition, node.values))
        return node
    is_truth = isinstance(node, ast.Constant | ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
    return node if is_truth else hooked("truth", node)
