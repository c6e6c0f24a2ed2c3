"""Tests in front of calls: known functions and methods in C are called as the program says."""

import ast
from typing import Any

from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.syntax.guard_parts import (
    all_of,
    called_with,
    cleared,
    clearing_args,
    constant,
    guarded,
    hook_with,
    is_of,
    is_same,
    last_use_of,
    same_or_of,
)
from chainrules.ad.syntax.guarded_numbers import Numbers
from chainrules.ad.syntax.native_code import can_be_twice, hook_of, is_constant, placed

_LOAD = ast.Load()


class GuardedCalls(Numbers):
    """Calls of functions and methods that are known."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._modules: dict[str, str] = {}
        self._functions: dict[str, tuple[str, str]] = {}

    # --- Modules --------------------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: D102, N802 - as of the base class
        for alias in node.names:
            self._modules[alias.asname or alias.name] = alias.name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # noqa: D102, N802 - as of the base class
        if node.module in plain_classes.MODULES and not node.level:
            for alias in node.names:
                self._functions[alias.asname or alias.name] = node.module, alias.name
        return node

    # --- Calls ----------------------------------------------------------------------------------------------

    def visit_ordinary_call(self, node: ast.Call) -> ast.expr:
        """What becomes of a call that a program wrote."""
        if hook_of(node.func) not in {"call", "new call"}:
            return self.generic_visit(node)  # type: ignore[return-value]  # typed as any node
        hook: Any = node.func
        (f,) = hook.args
        answer = self._of_numbers(f, hook, node)
        if answer is not None:
            return answer
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        if hook_of(f) == "attribute":
            return self._method_call(f, hook, node)
        hook.args = [self.visit(f)]
        return node

    def _of_numbers(self, f: ast.expr, hook: ast.Call, node: ast.Call) -> ast.expr | None:
        """A call of a function in C that computes with plain numbers and text."""
        if (
            isinstance(f, ast.Name)
            and f.id == "len"
            and len(node.args) == 1
            and not node.keywords
            and isinstance(node.args[0], ast.Name)
        ):
            sized = constant("sized", plain_classes.SIZED, node)
            known = [is_of(node.args[0], sized), is_same(f, constant("len", len, node), node)]
            return guarded(all_of(known, node), placed(ast.Call(f, node.args, []), node), node)
        tests = self._tests_of_function(f, node)
        if tests is None or node.keywords or not node.args:
            return None
        if any(isinstance(arg, ast.Starred) for arg in node.args) or all(map(is_constant, node.args)):
            return None
        asked = node.args[:1] if isinstance(f, ast.Name) and f.id == "isinstance" else node.args
        answers = [self.all_plain(arg, is_called=True) for arg in asked]
        native = [answer for answer in answers if answer is not None and not answer[2]]
        if len(native) == len(asked):
            rest = [self.visit(arg) for arg in node.args[len(asked) :]]
            if not all(map(can_be_twice, rest)):
                return None
            tests = [*(test for _, of_arg, _ in native for test in of_arg), *tests]
            fast = placed(ast.Call(f, [*(arg for arg, *_ in native), *rest], []), node)
            return guarded(all_of(tests, node), fast, placed(ast.Call(hook, [*asked, *rest], []), node))
        if len(node.args) > 2 or len(asked) < len(node.args) or not self.may_assign:
            return None
        return self._of_held_numbers(f, hook, node, tests)

    def _of_held_numbers(
        self, f: ast.expr, hook: ast.Call, node: ast.Call, tests: list[ast.expr]
    ) -> ast.expr:
        held, variables = zip(*[self.held(self.visit(arg)) for arg in node.args], strict=True)
        if len(held) == 1:
            test = is_of(held[0], called_with(node))
        else:
            test = same_or_of(held[0], variables[0], held[1], variables[1], called_with(node))
        fast = placed(ast.Call(f, list(variables), []), node)
        slow = placed(ast.Call(hook, [last_use_of(variable) for variable in variables], []), node)
        return guarded(all_of([test, *tests], node), fast, slow)

    def _tests_of_function(self, f: ast.expr, at: Any) -> list[ast.expr] | None:
        """What says that an expression is a function in C that is known; `None` if it cannot be one."""
        if isinstance(f, ast.Name):
            module, name = self._functions.get(f.id, ("", f.id))
            known = (
                getattr(plain_classes.MODULES[module], name, None)
                if module
                else plain_classes.BUILTINS.get(name)
            )
            return None if known is None else [is_same(f, constant(f"{module}.{name}", known, at), at)]
        if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name):
            module = self._modules.get(f.value.id, "")
            known = getattr(plain_classes.MODULES.get(module), f.attr, None)
            if callable(known):
                of_module = constant(module, plain_classes.MODULES[module], at)
                return [
                    is_same(f.value, of_module, at),
                    is_same(f, constant(f"{module}.{f.attr}", known, at), at),
                ]
        return None

    def _method_call(self, f: ast.expr, hook: ast.Call, node: ast.Call) -> ast.expr:
        owner, name = f.args  # type: ignore[attr-defined]  # of a call
        owner = self.visit(owner)
        classes = plain_classes.called_as_it_is(name.value)
        read: Any = placed(ast.Call(f.func, [owner, name], []), f)  # type: ignore[attr-defined]  # of a call
        can_be_called_twice = all(map(can_be_twice, [*node.args, *node.keywords]))
        is_to_be_held = not isinstance(owner, ast.Name)
        known = constant(f"called as it is {name.value}", classes, node)
        if not plain_classes.owners(name.value) or (is_to_be_held and not self.may_assign):
            hook.args = [self.visit_attribute(read) if not is_to_be_held else read]
            return node
        if not is_to_be_held:
            hook.args = [self.visit_attribute(read)]
            method = placed(ast.Attribute(owner, name.value, _LOAD), f)
            if can_be_called_twice:
                fast = placed(ast.Call(method, node.args, node.keywords), node)
                return guarded(is_of(owner, known), fast, node)
            node.func = guarded(is_of(owner, known), method, hook)
            return node
        if not can_be_called_twice or not (node.args or node.keywords):
            hook.args = [read]
            return node
        held, variable = self.held(owner)
        args, keywords = clearing_args(node, cleared([variable], node))
        method = placed(ast.Attribute(variable, name.value, _LOAD), f)
        fast = placed(ast.Call(method, args, keywords), node)
        hook.args = [placed(ast.Call(read.func, [variable, name, cleared([variable], node)], []), f)]
        return guarded(is_of(held, known), fast, node)

    def visit_attribute(self, node: ast.Call) -> ast.expr:
        """What becomes of the hook of an attribute."""
        node.args = [self.visit(arg) for arg in node.args]
        x, attribute = node.args[:2]
        if not isinstance(x, ast.Name):
            return node
        name: Any = attribute.value  # type: ignore[attr-defined]  # of a constant
        classes = constant(f"to read {name}", plain_classes.classes_to_read(name), node)
        native = placed(ast.Attribute(x, name, _LOAD), node)
        return guarded(is_of(x, classes), native, hook_with(node, [x, attribute, classes]))
