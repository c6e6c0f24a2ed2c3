"""Operators, comparisons and what is asked for its truth.

``a * b`` becomes ``mul(a, b)`` for a hook that enters ``__mul__`` where the user's class defines it, and else
multiplies.
"""

import ast
from typing import Any

from chainrules.ad.syntax.hooks import hooked, is_hooked, placed
from chainrules.ad.syntax.rewritten import (
    Operand,
    Rewritten,
    Tests,
    final,
    guarded,
    is_constant,
    is_simple,
    together,
)
from chainrules.ad.syntax.variables import in_variables
from chainrules.ad.syntax.walk import Expressions, Walk

# The names in `operator` of what Python's symbols mean; they are those of the hooks.
BINARY: dict[type[ast.operator], str] = {
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
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
MEMBERSHIP: dict[type[ast.cmpop], str] = {ast.In: "in", ast.NotIn: "not in"}

_DISPLAYS = (ast.Tuple, ast.Set, ast.List)


def binary(walk: Walk, name: str, left: Rewritten, right: Rewritten, at: Any) -> Rewritten:
    """The operator of a node: a hook of that name, or itself where both operands are numbers or text."""
    x, y = walk.operand(left), walk.operand(right)
    if x is not None and y is not None:
        tests = together(x.tests, y.tests)
        if tests is not None:
            native = placed(ast.BinOp(x.native, at.op, y.native), at)
            return Rewritten(hooked(name, left.hooked, right.hooked, at=at), native, tests, True)
    values = in_variables(walk, [left, right])
    if values is None:
        return Rewritten(hooked(name, final(left), final(right), at=at))
    computed = placed(ast.BinOp(values.natives[0], at.op, values.natives[1]), at)
    return Rewritten(placed(ast.IfExp(values.test, computed, hooked(name, *values.others, at=at)), at))


def _binary(walk: Walk, node: ast.BinOp) -> Rewritten:
    is_new = walk.is_new
    if is_constant(node.left) and is_constant(node.right):
        return Rewritten(node, node, {}, True)
    left, right = walk.visit(node.left), walk.visit(node.right)
    name = BINARY[type(node.op)]
    if is_text(node.left) and name != "mod":  # which formats
        return Rewritten(placed(ast.BinOp(final(left), node.op, final(right)), node))
    return binary(walk, f"new {name}" if is_new else name, left, right, node)


def _unary(walk: Walk, node: ast.UnaryOp) -> Rewritten:
    if isinstance(node.op, ast.Not):
        return Rewritten(placed(ast.UnaryOp(node.op, condition(walk, node.operand)), node))
    if is_constant(node):
        return Rewritten(node, node, {}, True)
    name = f"new {UNARY[type(node.op)]}" if walk.is_new else UNARY[type(node.op)]
    of = walk.visit(node.operand)
    x = walk.operand(of)
    if x is None:
        return Rewritten(hooked(name, final(of), at=node))
    native = placed(ast.UnaryOp(node.op, x.native), node)
    return Rewritten(hooked(name, of.hooked, at=node), native, x.tests, True)


# --- Comparisons --------------------------------------------------------------------------------------------


def _compare(walk: Walk, node: ast.Compare) -> Rewritten:
    if _is_chain(node):
        *others, last = _links(walk, node)
        return Rewritten(
            placed(ast.BoolOp(ast.And(), [*(truth(walk, x) for x in others), final(last)]), node)
        )
    if len(node.ops) > 1 or is_text(node.left):  # ``a < b() < c`` evaluates ``b()`` once, and `c` perhaps not
        return Rewritten(
            placed(ast.Compare(walk.final(node.left), node.ops, walk.finals(node.comparators)), node)
        )
    return _comparison(walk, node.left, node.ops[0], node.comparators[0], node)


def _is_chain(node: ast.expr) -> bool:
    """Whether an expression is ``a < b < c``, and ``a < b and b < c`` is the same."""
    return (
        isinstance(node, ast.Compare)
        and len(node.ops) > 1
        and all(isinstance(part, ast.Name | ast.Constant) for part in node.comparators[:-1])
    )


def _links(walk: Walk, node: ast.Compare) -> list[Rewritten]:
    operands = [node.left, *node.comparators]
    return [
        _comparison(walk, left, op, right, node)
        for left, op, right in zip(operands, node.ops, node.comparators, strict=False)  # one operand more
    ]


def _comparison(walk: Walk, left: ast.expr, op: ast.cmpop, right: ast.expr, at: Any) -> Rewritten:
    name = COMPARISONS.get(type(op)) or MEMBERSHIP.get(type(op))
    x, y = walk.visit(left), walk.visit(right)
    if name is None:
        if _may_be_a_flag(left) and _may_be_a_flag(right):
            asked = hooked("is", final(x), final(y), at=at)
            return Rewritten(placed(ast.UnaryOp(ast.Not(), asked), at) if type(op) is ast.IsNot else asked)
        return Rewritten(placed(ast.Compare(final(x), [op], [final(y)]), at))
    one = walk.operand(x)
    other = _container(right, y) if type(op) in MEMBERSHIP else walk.operand(y)
    if one is not None and other is not None:
        tests = together(one.tests, other.tests)
        if tests is not None:
            native = placed(ast.Compare(one.native, [op], [other.native]), at)
            return Rewritten(hooked(name, x.hooked, y.hooked, at=at), native, tests, True)
    values = in_variables(walk, [x, y]) if type(op) in COMPARISONS else None
    if values is None:
        return Rewritten(hooked(name, final(x), final(y), at=at))
    compared = placed(ast.Compare(values.natives[0], [op], [values.natives[1]]), at)
    return Rewritten(placed(ast.IfExp(values.test, compared, hooked(name, *values.others, at=at)), at))


def _may_be_a_flag(node: ast.expr) -> bool:
    """Whether an expression can be one of the two that every other flag of Python's or NumPy's is."""
    return not isinstance(node, ast.Constant) or type(node.value) is bool


def _container(node: ast.expr, of: Rewritten) -> Operand | None:
    """What has items, if it is a variable or consists of numbers and text."""
    if isinstance(node, ast.Name):
        return Operand(node, {f"{node.id} contains": (node, "containers")})
    is_display = isinstance(node, _DISPLAYS) and all(map(is_constant, node.elts))
    return Operand(of.hooked, {}) if is_display else None


# --- Truth --------------------------------------------------------------------------------------------------


def condition(walk: Walk, node: ast.expr) -> ast.expr:
    """An expression that is asked for its truth alone."""
    if isinstance(node, ast.BoolOp):
        return placed(ast.BoolOp(node.op, [condition(walk, value) for value in node.values]), node)
    if isinstance(node, ast.Compare) and _is_chain(node):
        return placed(ast.BoolOp(ast.And(), [truth(walk, link) for link in _links(walk, node)]), node)
    return truth(walk, walk.visit(node))


def truth(walk: Walk, of: Rewritten) -> ast.expr:
    """The question for the truth of an expression."""
    is_truth = isinstance(of.hooked, ast.Constant | ast.Compare) or (
        isinstance(of.hooked, ast.UnaryOp) and isinstance(of.hooked.op, ast.Not)
    )
    is_truth = is_truth or is_hooked("is", of.hooked)
    if is_truth:
        return of.hooked
    x = walk.operand(of)
    if x is not None and x.tests and (of.is_plain or is_simple(of.hooked)):
        return guarded(x.native, x.tests, hooked("truth", of.hooked))
    values = in_variables(walk, [of])
    if values is None:
        return hooked("truth", final(of))
    (value,) = values.natives
    return placed(ast.IfExp(values.test, value, hooked("truth", *values.others)), value)


def conditional(walk: Walk, node: Any) -> Any:
    """A statement or expression with a condition, its other parts rewritten."""
    test = condition(walk, node.test)
    new = walk.rebuilt(node, "test")
    new.test = test
    return new


def _if_expression(walk: Walk, node: ast.IfExp) -> Rewritten:
    is_new = walk.is_new
    body, otherwise = walk.final(node.body, is_new), walk.final(node.orelse, is_new)
    return Rewritten(placed(ast.IfExp(condition(walk, node.test), body, otherwise), node))


# --- Text ---------------------------------------------------------------------------------------------------


def is_text(node: ast.expr) -> bool:
    """Whether an expression is text by its form."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _text(walk: Walk, node: ast.JoinedStr) -> Rewritten:
    """An f-string: of several parts, the hook joins them. Variables in it are numbers and text most often."""
    if len(node.values) < 2:  # what formats is returned as it is
        return Rewritten(walk.rebuilt(node))
    parts: list[ast.expr] = []
    tests: Tests | None = {}
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            new, x = _formatted(walk, part)
            parts.append(placed(ast.JoinedStr([new]), part))
            tests = None if tests is None or x is None else together(tests, x.tests)
        else:
            parts.append(part)
    text = hooked("text", *parts, at=node)
    return Rewritten(text, node, tests, True) if tests else Rewritten(text)


def _formatted(walk: Walk, node: ast.FormattedValue) -> tuple[ast.expr, Operand | None]:
    """A value in an f-string; and the value as it was written, if it is a variable or constant."""
    of = walk.visit(node.value)
    x = walk.operand(of) if is_simple(node.value) else None
    spec = node.format_spec
    if isinstance(spec, ast.JoinedStr) and not all(isinstance(part, ast.Constant) for part in spec.values):
        x = None
        spec = walk.rebuilt(spec)  # no expression, although it is an f-string
    value, conversion = final(of), node.conversion
    if conversion == ord("s"):
        value, conversion = hooked("as text", value), -1
    return placed(ast.FormattedValue(value, conversion, spec), node), x


def _formatted_alone(walk: Walk, node: ast.FormattedValue) -> Rewritten:
    return Rewritten(_formatted(walk, node)[0])


# --- Names and containers -----------------------------------------------------------------------------------


def _name(walk: Walk, node: ast.Name) -> Rewritten:
    return Rewritten(node, node)


def _constant(walk: Walk, node: ast.Constant) -> Rewritten:
    return Rewritten(node, node, {}, True)


def _sequence(walk: Walk, node: ast.List | ast.Tuple) -> Rewritten:
    new = walk.finals(node.elts, walk.is_new)
    return Rewritten(placed(type(node)(new, node.ctx), node))


def _set(walk: Walk, node: ast.Set) -> Rewritten:
    """A set asks items for their hashes, which a hook does by their values."""
    items = walk.finals(node.elts)
    if all(map(is_constant, node.elts)):
        return Rewritten(placed(ast.Set(items), node))
    return Rewritten(hooked("set of", placed(ast.List(items, ast.Load()), node), at=node))


def _dict(walk: Walk, node: ast.Dict) -> Rewritten:
    is_new = walk.is_new
    keys = [None if key is None else walk.final(key) for key in node.keys]
    return Rewritten(placed(ast.Dict(keys, walk.finals(node.values, is_new)), node))


EXPRESSIONS: Expressions = {
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.IfExp: _if_expression,
    ast.JoinedStr: _text,
    ast.FormattedValue: _formatted_alone,
    ast.Name: _name,
    ast.Constant: _constant,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _set,
    ast.Dict: _dict,
}
