"""Tests in front of hooks for assignments: to items and attributes of ordinary objects."""

import ast
import re
from typing import Any

from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.syntax import native_code
from chainrules.ad.syntax.guard_parts import (
    all_of,
    cleared,
    constant,
    hook_with,
    is_in,
    is_of,
    same_or_plain,
    with_dict,
)
from chainrules.ad.syntax.guards import Guards
from chainrules.ad.syntax.hooks import placeholder
from chainrules.ad.syntax.native_code import can_be_twice, hook_of, is_constant, is_simple, placed

_SHARED = re.compile(r"\b(?:global|nonlocal)\b([^#;]*?)$", re.MULTILINE)
_NAME = re.compile(r"\w+")

_LOAD, _STORE = ast.Load(), ast.Store()


class GuardedStores(Guards):
    """Statements that call hooks become ``if`` statements that call them where a test fails."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        # Variables that another function may assign to, wherever in the module that is.
        names = _SHARED.findall(source.replace("\\\n", " "))
        self._shared = {name for line in names for name in _NAME.findall(line)}

    def visit_Assign(self, node: ast.Assign) -> Any:  # noqa: N802 - as of the base class
        """``x += y``, which the hook for it has made an assignment."""
        op = native_code.AUGMENTED.get(hook_of(node.value) or "")
        if op is None or not self.may_assign:
            return self.generic_visit(node)
        target: Any = node.targets[0]
        call: Any = node.value
        x, y = call.args
        answer = self.all_plain(call)  # the target among the operands
        if answer is not None:
            _, tests, variables = answer
            native: ast.expr = answer[0].right  # type: ignore[attr-defined]  # of an operator
            test = all_of(tests, node)
            slow = hook_with(call, [x, y, cleared(variables, node)]) if variables else call
        else:
            if target.id in self._shared or self.may_assign_inside:
                return self.generic_visit(node)  # the value may assign to the name
            held, native = self.held(self.visit(y))
            test = same_or_plain(x, x, held, native, node)
            slow = hook_with(call, [x, native, cleared([native], node)])
        fast = placed(ast.AugAssign(target, op(), native), node)
        return self._if(test, fast, placed(ast.Assign([target], slow), node))

    def visit_Expr(self, node: ast.Expr) -> Any:  # noqa: D102, N802 - as of the base class
        name = hook_of(node.value) or ""
        store = _STORES.get(name) if self.may_assign else None
        if store is None:
            for ending, update in _UPDATES.items():
                if name.endswith(ending) and self.may_assign:
                    return update(self, name.removesuffix(ending), node)
            return self.generic_visit(node)
        call: Any = node.value
        call.args = [self.visit(arg) for arg in call.args]
        return store(self, call, node)

    # --- Assignments ----------------------------------------------------------------------------------------

    def _set_attribute(self, call: ast.Call, node: ast.Expr) -> Any:
        value, x, attribute = call.args
        if not isinstance(x, ast.Name):
            return node
        name: Any = attribute.value  # type: ignore[attr-defined]  # of a constant
        classes = _classes_to_assign(name, node)
        target = placed(ast.Attribute(x, name, _STORE), call)
        return self._stored(
            value,
            node,
            lambda value: (is_of(x, classes), target, hook_with(call, [value, x, attribute, classes])),
        )

    def _set_item(self, call: ast.Call, node: ast.Expr) -> Any:
        value, x, index = call.args
        if not isinstance(x, ast.Name) or not can_be_twice(index):
            return node
        target = placed(ast.Subscript(x, native_code.index(index), _STORE), call)
        return self._stored(
            value,
            node,
            lambda value: (_is_stored_into(x, index, node), target, hook_with(call, [value, x, index])),
        )

    def _stored(self, value: ast.expr, node: ast.Expr, parts: Any) -> Any:
        """The statements that store a value, which is evaluated first."""
        if is_simple(value):
            test, target, slow = parts(value)
            return self._if(test, placed(ast.Assign([target], value), node), placed(ast.Expr(slow), node))
        variable = placed(ast.Name(self.new_variable(), _LOAD), node)
        stored = placed(ast.Name(variable.id, _STORE), node)
        test, target, slow = parts(variable)
        return [
            placed(ast.Assign([stored], value), node),
            self._if(test, placed(ast.Assign([target], variable), node), placed(ast.Expr(slow), node)),
            placed(ast.Delete([placed(ast.Name(variable.id, ast.Del()), node)]), node),
        ]

    # --- Augmented assignments ------------------------------------------------------------------------------

    def _update_attribute(self, name: str, node: ast.Expr) -> Any:
        call: Any = node.value
        x, attribute, y = call.args  # `y` is simple, or the hook would be another
        classes = _classes_to_assign(attribute.value, node)
        readable = constant(
            f"to read {attribute.value}", plain_classes.classes_to_read(attribute.value), node
        )
        if not isinstance(x, ast.Name):
            call.args = [self.visit(x), attribute, y]
            return node
        test = placed(ast.BoolOp(ast.And(), [is_of(x, readable), is_of(x, classes)]), node)
        read = placed(ast.Attribute(x, attribute.value, _LOAD), call)
        target = placed(ast.Attribute(x, attribute.value, _STORE), call)
        fast = placed(ast.Assign([target], self._updated(name, read, y, call)), node)
        call.args = [x, attribute, y, readable, classes]
        return self._if(test, fast, node)

    def _update_item(self, name: str, node: ast.Expr) -> Any:
        call: Any = node.value
        x, index, y = call.args  # as above
        if not isinstance(x, ast.Name) or not is_simple(index):
            call.args = [self.visit(x), self.visit(index), y]
            return node
        read = placed(ast.Subscript(x, index, _LOAD), call)
        target = placed(ast.Subscript(x, index, _STORE), call)
        fast = placed(ast.Assign([target], self._updated(name, read, y, call)), node)
        call.args = [x, index, y]
        return self._if(_is_stored_into(x, index, node), fast, node)

    def _updated(self, name: str, read: ast.expr, y: ast.expr, call: ast.Call) -> ast.expr:
        """What ``read += y`` assigns."""
        function = placed(ast.Constant(placeholder(name)), call)
        return self.two(name, placed(ast.Call(function, [read, y], []), call))

    def _if(self, test: ast.expr, fast: ast.stmt, slow: ast.stmt) -> ast.stmt:
        return placed(ast.If(test, [fast], [slow]), slow)


def _classes_to_assign(name: str, at: Any) -> ast.expr:
    return constant(f"to assign {name}", plain_classes.classes_to_assign(name), at)


def _is_stored_into(x: ast.expr, index: ast.expr, at: Any) -> ast.expr:
    """Whether an item can be assigned as it is."""
    if is_constant(index):
        return is_in(x, "stored into or dict", plain_classes.STORED_INTO_OR_DICT)
    test = is_in(x, "stored into", plain_classes.STORED_INTO)
    return with_dict(test, x, index, at)


_STORES = {"set attribute": GuardedStores._set_attribute, "set item": GuardedStores._set_item}
_UPDATES = {" item": GuardedStores._update_item, " attribute": GuardedStores._update_attribute}
