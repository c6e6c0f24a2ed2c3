"""Rewriting what calls methods without saying so: attributes, operators, items, loops and ``with``.

``a * b`` becomes ``mul(a, b)`` for a hook that enters ``__mul__`` where the user's class defines it, and else
multiplies. What cannot be of the user's class stays as it is: constants, and the attributes of modules.
"""

import ast

from chainrules.ad.syntax.hooks import hooked

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
        self._variables: set[str] = set()
        self._class = ""

    def visit_Module(self, node: ast.Module) -> ast.AST:  # noqa: D102 - as of the base class
        for part in ast.walk(node):
            if isinstance(part, ast.arg):
                self._variables.add(part.arg)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self._variables.add(part.id)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: D102 - as of the base class
        for field in ("decorator_list", "bases", "keywords"):
            setattr(node, field, [self.visit(part) for part in getattr(node, field)])
        around, self._class = self._class, node.name
        node.body = self.visit_body(node.body)
        self._class = around
        return node

    def visit_body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """What becomes of statements; one may become several."""
        module = ast.Module(statements, [])
        self.generic_visit(module)
        return module.body

    def mangled(self, name: str) -> str:
        """The name of an attribute, with that of the class in front where the compiler puts it there.

        https://docs.python.org/3/reference/expressions.html#private-name-mangling
        """
        is_private = name.startswith("__") and not name.endswith("__")
        owner = self._class.lstrip("_")
        return f"_{owner}{name}" if is_private and owner else name

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: D102 - as of the base class
        self._modules.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:  # noqa: D102 - as of the base class
        name = node.value.id if isinstance(node.value, ast.Name) else None
        # A variable with the name of a module may be another object, with properties.
        is_of_module = name in self._modules and name not in self._variables
        self.generic_visit(node)
        if is_of_module or not isinstance(node.ctx, ast.Load) or is_method_of_super(node):
            return node
        attribute = ast.copy_location(ast.Constant(self.mangled(node.attr)), node)
        return hooked("attribute", node.value, attribute, at=node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # noqa: D102 - as of the base class
        is_text = _is_text(node.left)
        self.generic_visit(node)
        name = BINARY.get(type(node.op))
        if name is None or (_is_constant(node.left) and _is_constant(node.right)):
            return node
        if is_text and name != "mod":  # which formats
            return node
        return hooked(name, node.left, node.right, at=node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        name = UNARY.get(type(node.op))
        return node if name is None or _is_constant(node.operand) else hooked(name, node.operand, at=node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # noqa: D102 - as of the base class
        is_text = _is_text(node.left)
        self.generic_visit(node)
        if len(node.ops) > 1:  # ``a < b < c`` evaluates `b` once, and `c` perhaps not
            return node
        name = COMPARISONS.get(type(node.ops[0])) or MEMBERSHIP.get(type(node.ops[0]))
        if name is None or is_text:
            return node
        return hooked(name, node.left, node.comparators[0], at=node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:  # noqa: D102 - as of the base class
        self.generic_visit(node)
        if len(node.values) < 2:  # what formats is returned as it is
            return node
        parts = [
            part if isinstance(part, ast.Constant) else ast.copy_location(ast.JoinedStr([part]), part)
            for part in node.values
        ]
        return hooked("text", *parts, at=node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:  # noqa: D102 - as of the base class
        node.value = self.visit(node.value)
        if node.format_spec is not None:  # no expression, although it is an f-string
            self.generic_visit(node.format_spec)
        if node.conversion == ord("s"):
            node.value, node.conversion = hooked("as text", node.value), -1
        return node

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


def is_method_of_super(node: ast.expr) -> bool:
    """Whether an expression is ``super().name``, and is called."""
    return getattr(node, "is_method_of_super", False)


def mark_method_of_super(node: ast.expr) -> None:
    """Note that an expression is called: `super` finds a method at half the cost of a hook."""
    owner = node.value if isinstance(node, ast.Attribute) else None
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
        node.is_method_of_super = True  # type: ignore[attr-defined]  # ours


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
