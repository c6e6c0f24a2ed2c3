"""Rewriting what calls methods without saying so: attributes, operators, items, loops and ``with``.

``a * b`` becomes ``mul(a, b)`` for a hook that enters ``__mul__`` where the user's class defines it, and else
multiplies. What cannot be of the user's class stays as it is: constants, and the attributes of modules.
"""

import ast

from chainrules.ad.interception.placeholders import hooked

# The names in `operator` of what Python's symbols mean; they are those of the hooks.
BINARY = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARISONS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
MEMBERSHIP = {ast.In: "in", ast.NotIn: "not in"}


class ImplicitCalls(ast.NodeTransformer):
    """Expressions that may call a method of the user's go through hooks named for them."""

    def __init__(self) -> None:
        super().__init__()
        self._modules: set[str] = set()

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: D102 - as of the base class
        self._modules.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:  # noqa: D102 - as of the base class
        is_of_module = isinstance(node.value, ast.Name) and node.value.id in self._modules
        self.generic_visit(node)
        if (
            is_of_module
            or not isinstance(node.ctx, ast.Load)
            or is_private(node.attr)
            or _is_super(node.value)
        ):
            return node
        return hooked("attribute", node.value, ast.copy_location(ast.Constant(node.attr), node), at=node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        name = BINARY.get(type(node.op))
        if name is None or (_is_constant(node.left) and _is_constant(node.right)):
            return node
        if _is_text(node.left) and name != "mod":  # which formats
            return node
        return hooked(name, node.left, node.right, at=node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        name = UNARY.get(type(node.op))
        return node if name is None or _is_constant(node.operand) else hooked(name, node.operand, at=node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        if len(node.ops) > 1:  # ``a < b < c`` evaluates `b` once, and `c` perhaps not
            return node
        name = COMPARISONS.get(type(node.ops[0])) or MEMBERSHIP.get(type(node.ops[0]))
        if name is None or _is_text(node.left):
            return node
        return hooked(name, node.left, node.comparators[0], at=node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return hooked("getitem", node.value, index_of(node.slice), at=node)

    def visit_For(self, node: ast.For) -> ast.AST:  # noqa: D102 - as of the base class
        return self._with_hooked_iterable(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:  # noqa: D102 - as of the base class
        return node if node.is_async and self.generic_visit(node) else self._with_hooked_iterable(node)

    def _with_hooked_iterable(self, node: ast.For | ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.iter, ast.List | ast.Tuple | ast.Constant):
            node.iter = hooked("iter", node.iter)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = hooked("iter", node.value)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        node.value = hooked("iter", node.value)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = hooked("with", item.context_expr)
        return node


def is_private(name: str) -> bool:
    """Whether the compiler puts the name of the class in front, which it does not do in a constant."""
    return name.startswith("__") and not name.endswith("__")


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def index_of(node: ast.expr) -> ast.expr:
    """What stands between brackets, as an expression: outside of them no slice may be written with colons."""
    if isinstance(node, ast.Slice):
        parts = [
            part or ast.copy_location(ast.Constant(None), node)
            for part in (node.lower, node.upper, node.step)
        ]
        return ast.copy_location(hooked("slice", *parts, at=node), node)
    if isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts):
        node.elts = [index_of(part) for part in node.elts]
    return node
