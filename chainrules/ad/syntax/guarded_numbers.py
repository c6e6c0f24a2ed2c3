"""Tests in front of expressions of numbers and text: one for all operators in it."""

import ast
from typing import Any

from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.syntax import native_code
from chainrules.ad.syntax.guard_parts import (
    all_of,
    called_with,
    cleared,
    constant,
    either,
    guarded,
    has_items,
    hook_with,
    is_in,
    is_indexed,
    is_of,
    same_or_plain,
    with_cleared,
)
from chainrules.ad.syntax.guarded_scopes import Scopes
from chainrules.ad.syntax.native_code import (
    OPERATORS,
    UNARY_OPERATORS,
    hook_of,
    is_constant,
    is_simple,
    placed,
)

_LOAD = ast.Load()

# Expressions of numbers that need more than that are rare.
_MOST_TESTS = 10

ITEMS = ("getitem", "new getitem")


class _Expression:
    """What has to be asked before an expression of numbers is evaluated as it was written."""

    def __init__(self, is_called: bool) -> None:
        # In the order in which they are asked, each once.
        self.tests: dict[str, ast.expr] = {}
        self.variables: list[ast.expr] = []
        self._is_called = is_called

    def ask(self, key: str, x: ast.expr) -> None:
        """Let a value be a number or text."""
        plain = called_with(x) if self._is_called else constant("plain", plain_classes.PLAIN, x)
        self.tests.setdefault(key, is_of(x, plain))


class Numbers(Scopes):
    """Operators and comparisons of numbers and text are computed as they were written."""

    def visit_operator(self, name: str, node: ast.Call) -> ast.expr:
        """What becomes of the hook of an operator."""
        answer = self.all_plain(node)
        if answer is not None:
            native, tests, variables = answer
            slow = hook_with(node, [*node.args, cleared(variables, node)]) if variables else node
            return guarded(all_of(tests, node), native, slow) if tests else node
        node.args = [self.visit(arg) for arg in node.args]
        if name in UNARY_OPERATORS or not self.may_assign:
            return node
        return self.two(name, node)

    def all_plain(
        self, node: ast.expr, *, is_called: bool = False
    ) -> tuple[ast.expr, list[ast.expr], list[ast.expr]] | None:
        """An expression without hooks, if it consists of operators, variables and what is read of variables.

        Returns
        -------
        tuple
            The expression, the tests that say whether it may be evaluated, and variables to be cleared if it
            may not. `None` if it consists of anything else, or of too much.
        """
        n_variables, self._expression = self._n_variables, _Expression(is_called)
        native = self._native(node)
        tests, variables = list(self._expression.tests.values()), self._expression.variables
        if native is None or len(tests) > _MOST_TESTS:
            self._n_variables = n_variables
            return None
        return native, tests, variables

    def _native(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Name):
            self._expression.ask(node.id, node)
            return node
        if is_constant(node):
            return node
        name = hook_of(node)
        if name is None:
            return None
        args: list[ast.expr] = node.args  # type: ignore[attr-defined]  # of a call
        if name == "attribute" and isinstance(args[0], ast.Name):
            return self._native_attribute(args[0], args[1].value, node)  # type: ignore[attr-defined]  # of a call
        if name in ITEMS and self.may_assign:
            return self._native_item(node)  # type: ignore[arg-type]  # a call
        if not (name in OPERATORS or name in UNARY_OPERATORS or name in native_code.COMPARING):
            return None
        operands = []
        for arg in args:
            operand = self._native(arg)
            if operand is None or len(self._expression.tests) > _MOST_TESTS:
                return None
            operands.append(operand)
        return native_code.computed(name, operands, node)

    def _native_attribute(self, x: ast.Name, name: str, at: Any) -> ast.expr:
        read = self._read_attribute(x, name, at)
        self._expression.ask(f"{x.id}.{name}", read)
        return read

    def _read_attribute(self, x: ast.Name, name: str, at: Any) -> ast.expr:
        classes = constant(f"to read again {name}", plain_classes.classes_to_read_again(name), at)
        at.args[2:] = [constant(f"to read {name}", plain_classes.classes_to_read(name), at)]  # to be added to
        read: ast.expr = placed(ast.Attribute(x, name, _LOAD), at)
        self._expression.tests[f"{x.id}.{name} may be read"] = is_of(x, classes)
        return read

    def _native_item(self, node: ast.Call) -> ast.expr | None:
        read = self._read_item(node)
        if read is None:
            return None
        held, variable = self.held(read)
        self._expression.ask(variable.id, held)  # type: ignore[attr-defined]  # of a name
        self._expression.variables.append(variable)
        return variable

    def _read_item(self, node: ast.Call) -> ast.expr | None:
        x, index = node.args
        if isinstance(x, ast.Name):
            number = index if is_simple(index) else self._native(index)
            if number is None:
                return None
            self._expression.tests[f"{x.id} has items at {ast.dump(index)}"] = is_indexed(x, index, node)
            return placed(ast.Subscript(x, number, _LOAD), node)
        row = self._read_row(x)
        if row is None:
            return None
        held, variable = self.held(row)
        self._expression.variables.append(variable)
        self._expression.tests[variable.id] = has_items(held, True)  # type: ignore[attr-defined]  # of a name
        number = index if is_simple(index) else self._native(index)
        if number is None:
            return None
        clearing = either(cleared([variable], node), number)
        return placed(ast.Subscript(variable, clearing, _LOAD), node)

    def _read_row(self, x: ast.expr) -> ast.expr | None:
        """What has items, if it is an item or an attribute itself."""
        name = hook_of(x)
        if name in ITEMS:
            return self._read_item(x)  # type: ignore[arg-type]  # a call
        if name == "attribute" and isinstance(x.args[0], ast.Name):  # type: ignore[attr-defined]  # of a call
            return self._read_attribute(x.args[0], x.args[1].value, x)  # type: ignore[attr-defined]  # of a call
        return None

    def two(self, name: str, node: ast.Call) -> ast.expr:
        """A guard for a hook with two operands of which one at least is more than a name."""
        left, right = node.args
        if is_constant(left):
            held, y = self.held(right)
            return with_cleared(
                guarded(
                    is_in(held, "plain", plain_classes.PLAIN),
                    native_code.computed(name, [left, y], node),
                    hook_with(node, [left, y]),
                ),
                [y],
            )
        held_x, x = self.held(left)
        if is_simple(right):
            tests = [is_in(held_x, "plain", plain_classes.PLAIN)]
            if not is_constant(right):
                tests.append(is_in(right, "plain", plain_classes.PLAIN))
            return with_cleared(
                guarded(
                    all_of(tests, node),
                    native_code.computed(name, [x, right], node),
                    hook_with(node, [x, right]),
                ),
                [x],
            )
        held_y, y = self.held(right)
        return with_cleared(
            guarded(
                same_or_plain(held_x, x, held_y, y, node),
                native_code.computed(name, [x, y], node),
                hook_with(node, [x, y]),
            ),
            [x, y],
        )
