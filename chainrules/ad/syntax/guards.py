"""Tests in front of hooks: where the operands are numbers, text and the like, code runs as it was written.

``mul(a, b)`` becomes ``a * b if type(a) in PLAIN and type(b) in PLAIN else mul(a, b)``. Nothing is traced
there and no class has a method in Python, so that the hook would do the same, in five times the time.

An operand that is more than a name is kept in a variable that no program can name. A number or text may stay
there until the function returns; of anything else the variable is cleared at once, since who holds an object
can be seen: by its ``__del__``, by weak references, and by `numpy.ndarray.resize`.
"""

import ast
from collections.abc import Callable
from typing import Any

from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.syntax import native_code
from chainrules.ad.syntax.guard_parts import (
    all_of,
    cleared,
    clearing_index,
    guarded,
    has_items,
    has_items_or_keys,
    hook_with,
    is_in,
    is_indexed,
    with_cleared,
)
from chainrules.ad.syntax.guarded_calls import GuardedCalls
from chainrules.ad.syntax.guarded_numbers import ITEMS
from chainrules.ad.syntax.native_code import (
    CONTAINING,
    OPERATORS,
    UNARY_OPERATORS,
    can_be_twice,
    hook_of,
    is_constant,
    placed,
)

_LOAD = ast.Load()


class Guards(GuardedCalls):
    """Calls of hooks become expressions that call them where a test fails. What is a statement stays."""

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: D102, N802 - as of the base class
        name = hook_of(node)
        if name is None:
            return self.visit_ordinary_call(node)
        if name in OPERATORS or name in native_code.COMPARING or name in UNARY_OPERATORS:
            return self.visit_operator(name, node)
        guard = _GUARDS.get(name)
        if guard is not None:
            return guard(self, node)
        node.args = [self.visit(arg) for arg in node.args]
        return node

    def _contains(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        name = hook_of(node) or ""
        item, container = node.args
        is_display = isinstance(container, ast.Tuple | ast.Set | ast.List) and all(
            map(is_constant, container.elts)
        )
        if not is_display and not isinstance(container, ast.Name):
            return node
        tests = [] if is_display else [is_in(container, "containers", plain_classes.CONTAINERS)]
        if is_constant(item):
            return (
                guarded(all_of(tests, node), native_code.computed(name, [item, container], node), node)
                if tests
                else node
            )
        if isinstance(item, ast.Name):
            tests = [is_in(item, "plain", plain_classes.PLAIN), *tests]
            return guarded(all_of(tests, node), native_code.computed(name, [item, container], node), node)
        if not self.may_assign:
            return node
        held, variable = self.held(item)
        tests = [is_in(held, "plain", plain_classes.PLAIN), *tests]
        native = native_code.computed(name, [variable, container], node)
        return with_cleared(
            guarded(all_of(tests, node), native, hook_with(node, [variable, container])), [variable]
        )

    def _item(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        x, index = node.args
        if not can_be_twice(index):
            return node
        native = native_code.index(index)
        is_kept = hook_of(node) == "getitem"  # a new array would have to become one that can be filled
        if isinstance(x, ast.Name):
            test = is_indexed(x, index, node, is_kept)
            return guarded(test, placed(ast.Subscript(x, native, _LOAD), node), node)
        if not self.may_assign:
            return node
        held, variable = self.held(x)
        clearing = clearing_index(native, cleared([variable], node))
        if clearing is None:
            return node
        test = has_items(held, is_kept) if not is_constant(index) else has_items_or_keys(held, is_kept)
        fast = placed(ast.Subscript(variable, clearing, _LOAD), node)
        return with_cleared(guarded(test, fast, hook_with(node, [variable, index])), [variable])

    def _text(self, node: ast.Call) -> ast.expr:
        """An f-string of several parts: the variables in it are numbers and text most often."""
        values, tests = [], []
        node.args = [self.visit(arg) for arg in node.args]
        for part in node.args:
            value = part.values[0] if isinstance(part, ast.JoinedStr) else part
            if isinstance(value, ast.FormattedValue):
                if not isinstance(value.value, ast.Name) or not can_be_twice(part):
                    return node
                tests.append(is_in(value.value, "plain", plain_classes.PLAIN))
            values.append(value)
        return guarded(all_of(tests, node), placed(ast.JoinedStr(values), node), node)

    def _iterated(self, node: ast.Call) -> ast.expr:
        (x,) = node.args = [self.visit(arg) for arg in node.args]
        if not isinstance(x, ast.Name):
            return node
        return guarded(is_in(x, "iterated", plain_classes.ITERATED), x, node)

    def _truth(self, node: ast.Call) -> ast.expr:
        (x,) = node.args = [self.visit(arg) for arg in node.args]
        if isinstance(x, ast.IfExp) and isinstance(x.body, ast.Compare | ast.BinOp | ast.UnaryOp):
            x.orelse = hook_with(node, [x.orelse])  # of plain numbers, they are plain numbers too
            return x
        if isinstance(x, ast.Name):
            return guarded(is_in(x, "plain", plain_classes.PLAIN), x, node)
        if not self.may_assign:
            return node
        held, variable = self.held(x)
        test = is_in(held, "plain", plain_classes.PLAIN)
        return with_cleared(guarded(test, variable, hook_with(node, [variable])), [variable])


_GUARDS: dict[str, Callable[[Guards, ast.Call], ast.expr]] = {
    **dict.fromkeys(CONTAINING, Guards._contains),
    **dict.fromkeys(ITEMS, Guards._item),
    "attribute": Guards.visit_attribute,
    "iter": Guards._iterated,
    "text": Guards._text,
    "truth": Guards._truth,
}
