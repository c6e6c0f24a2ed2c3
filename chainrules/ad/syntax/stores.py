"""Rewriting assignments to attributes and items, augmented ones too: methods of the user's are entered."""

import ast
import copy
import itertools
from typing import Any

from chainrules.ad.syntax.assignments import Assignments
from chainrules.ad.syntax.hooks import hooked
from chainrules.ad.syntax.implicit_calls import BINARY, index_of

_SIMPLE = (ast.Name, ast.Constant)
_ONE_PLACE = (ast.Attribute, ast.Subscript)


class Stores(Assignments):
    """Assignments that may call a method of the user's go through hooks.

    Values are evaluated in Python's order. Variables that are needed for that have names that no program can
    write, and are deleted at once; in the body of a class, where they would be attributes, what needs them
    stays as it is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_in_function = False
        self._n_functions_around = 0
        self._numbers = itertools.count()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: D102, N802 - as of the base class
        was_in_function, self._is_in_function = self._is_in_function, False
        super().visit_ClassDef(node)
        self._is_in_function = was_in_function
        return self._with_hooked_decorators(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # noqa: D102, N802 - as of the base class
        was_in_function, self._is_in_function = self._is_in_function, True
        self._n_functions_around += 1
        super().visit_FunctionDef(node)
        self._n_functions_around -= 1
        self._is_in_function = was_in_function
        return self._with_hooked_decorators(node)

    def _with_hooked_decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.AST:
        if self._is_in_function:  # others are called when a module is imported
            node.decorator_list = [
                hooked("call", decorator, at=decorator) for decorator in node.decorator_list
            ]
        return node

    # --- Assignments ----------------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:  # noqa: D102, N802 - as of the base class
        super().visit_Assign(node)
        if not self._n_functions_around:
            return node
        if len(node.targets) == 1 and (self._is_in_function or isinstance(node.targets[0], _ONE_PLACE)):
            return self._stored(node.targets[0], node.value, node)
        if not self._is_in_function or not any(map(_calls_methods, node.targets)):
            return node
        value = self._variable(node)
        statements: list[ast.stmt] = [_assigned(value, node.value, node)]
        for target in node.targets:
            statements += self._stored(target, _loaded(value), node)
        return [*statements, _deleted([value], node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # noqa: N802 - as of the base class
        """In a function, an annotation of a variable says nothing at run time."""
        if node.value is not None and self._is_in_function:
            return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))
        annotation, node.annotation = node.annotation, ast.copy_location(ast.Constant(None), node)
        self.generic_visit(node)
        node.annotation = annotation  # as it is: it may be kept as text, which others read and evaluate
        return node

    def _stored(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
        """The statements that store a value in a target."""
        if isinstance(target, ast.Attribute):
            name = ast.copy_location(ast.Constant(self.mangled(target.attr)), at)
            return [_called(hooked("set attribute", value, target.value, name, at=target), at)]
        if isinstance(target, ast.Subscript):
            index = index_of(target.slice)
            return [_called(hooked("set item", value, target.value, index, at=target), at)]
        if not isinstance(target, ast.Tuple | ast.List):
            return [_assigned(target, value, at)]
        if not isinstance(value, ast.Tuple | ast.List):
            value = hooked("iter", value)
        if not any(map(_calls_methods, target.elts)):
            return [_assigned(target, value, at)]
        variables, later = [], []
        for place, part in enumerate(target.elts):  # each is evaluated after those before it were stored
            variable = self._variable(at)
            variables.append(variable)
            stored: ast.expr = variable
            if isinstance(part, ast.Starred):
                stored = ast.copy_location(ast.Starred(variable, ast.Store()), at)
            target.elts[place] = stored
            inner = part.value if isinstance(part, ast.Starred) else part
            later += self._stored(inner, _loaded(variable), at)
        return [_assigned(target, value, at), *later, _deleted(variables, at)]

    # --- Loops and blocks, which assign to their targets ------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.AST:  # noqa: D102, N802 - as of the base class
        super().visit_For(node)
        if self._is_in_function and _calls_methods(node.target):
            node.target, stored = self._stored_later(node.target, node)
            node.body = [*stored, *node.body]
        return node

    def visit_With(self, node: ast.With) -> ast.AST:  # noqa: D102, N802 - as of the base class
        super().visit_With(node)
        for place in range(len(node.items) - 1, -1, -1):
            item = node.items[place]
            if self._is_in_function and item.optional_vars is not None and _calls_methods(item.optional_vars):
                item.optional_vars, stored = self._stored_later(item.optional_vars, node)
                if rest := node.items[place + 1 :]:  # they may use what is stored
                    node.body = [ast.copy_location(ast.With(rest, node.body), node)]
                    del node.items[place + 1 :]
                node.body = [*stored, *node.body]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:  # noqa: D102 - as of the base class
        super().visit_comprehension(node)
        stored: list[ast.expr] = []
        node.target = self._stored_by_conditions(node.target, stored)
        node.ifs = [*stored, *node.ifs]
        return node

    def _stored_by_conditions(self, target: ast.expr, stored: list[ast.expr]) -> ast.expr:
        """A target with variables in it, and the conditions that store them, which always hold."""
        if isinstance(target, ast.Tuple | ast.List):
            target.elts = [self._stored_by_conditions(part, stored) for part in target.elts]
        elif isinstance(target, ast.Starred):
            target.value = self._stored_by_conditions(target.value, stored)
        elif isinstance(target, _ONE_PLACE):
            at = ast.copy_location(ast.Pass(), target)
            variable = self._variable(at)
            (store,) = self._stored(target, _loaded(variable), at)
            is_done = ast.Compare(store.value, [ast.Is()], [ast.Constant(None)])  # type: ignore[attr-defined]  # a call
            for part in (is_done, is_done.comparators[0]):
                ast.copy_location(part, variable)
            stored.append(is_done)
            return variable
        return target

    def _stored_later(self, target: ast.expr, at: ast.stmt) -> tuple[ast.Name, list[ast.stmt]]:
        """A variable in the place of a target, and the statements that store it there."""
        variable = self._variable(at)
        return variable, [*self._stored(target, _loaded(variable), at), _deleted([variable], at)]

    # --- Augmented assignments ------------------------------------------------------------------------------

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:  # noqa: D102, N802 - as of the base class
        is_simple = isinstance(node.value, _SIMPLE)
        self.generic_visit(node)
        name, target = BINARY.get(type(node.op)), node.target
        needs_variables = not (is_simple or isinstance(target, ast.Name))
        if name is None or not self._n_functions_around or (needs_variables and not self._is_in_function):
            return node
        if isinstance(target, ast.Name):
            return _assigned(target, hooked(f"i{name}", _loaded(target), node.value, at=node), node)
        if isinstance(target, ast.Attribute):
            kind: str = "attribute"
            key: ast.expr = ast.copy_location(ast.Constant(self.mangled(target.attr)), node)
        else:
            kind, key = "item", index_of(target.slice)
        if is_simple:
            return _called(hooked(f"i{name} {kind}", target.value, key, node.value, at=node), node)
        return self._by_parts(name, kind, [target.value, key], node)

    def _by_parts(
        self, name: str, kind: str, operands: list[ast.expr], node: ast.AugAssign
    ) -> list[ast.stmt]:
        """Read, compute and store, in this order: computing the value may change what is read, or fail."""
        statements: list[ast.stmt] = []
        variables = []
        for place, operand in enumerate(operands):
            if not isinstance(operand, _SIMPLE):
                variable = self._variable(node)
                variables.append(variable)
                statements.append(_assigned(variable, operand, node))
                operands[place] = variable
        owner, key = map(_loaded, operands)
        read = hooked("getitem" if kind == "item" else "attribute", owner, key, at=node)
        owner, key = map(_loaded, operands)
        value = hooked(f"i{name}", read, node.value, at=node)
        statements.append(_called(hooked(f"set {kind}", value, owner, key, at=node), node))
        return [*statements, *([_deleted(variables, node)] if variables else [])]

    def _variable(self, at: ast.stmt) -> ast.Name:
        name = f"<chainrules.ad: {next(self._numbers)}>"
        return ast.copy_location(ast.Name(name, ast.Store()), at)


def _calls_methods(target: ast.expr) -> bool:
    """Whether storing in a target may call a method of the user's."""
    if isinstance(target, ast.Tuple | ast.List):
        return any(map(_calls_methods, target.elts))
    if isinstance(target, ast.Starred):
        return _calls_methods(target.value)
    return isinstance(target, _ONE_PLACE)


def _loaded(node: ast.expr) -> ast.expr:
    """A variable or constant once more, to be read."""
    again = ast.Name(node.id, ast.Load()) if isinstance(node, ast.Name) else copy.copy(node)
    return ast.copy_location(again, node)


def _assigned(target: ast.expr, value: ast.expr, at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([target], value), at)


def _called(call: ast.expr, at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(call), at)


def _deleted(variables: list[ast.Name], at: ast.stmt) -> ast.stmt:
    names: list[ast.expr] = [
        ast.copy_location(ast.Name(variable.id, ast.Del()), at) for variable in variables
    ]
    return ast.copy_location(ast.Delete(names), at)
