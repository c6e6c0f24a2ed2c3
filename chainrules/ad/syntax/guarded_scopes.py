"""Where rewritten code may keep an operand in a variable of its own."""

import ast
import re
from collections.abc import Callable
from typing import Any

from chainrules.ad.syntax.native_code import placed

_LOAD, _STORE = ast.Load(), ast.Store()

# In a function that speaks of one of these, variables can be seen.
_SEEING_VARIABLES = re.compile(r"\b(locals|vars|dir|eval|exec|_getframe|currentframe|f_locals)\b")


class Scopes(ast.NodeTransformer):
    """Calls of hooks become expressions that call them where a test fails. What is a statement stays."""

    def __init__(self, source: str) -> None:
        super().__init__()
        # To look for a word in the text takes a hundredth of the time of a walk through the tree.
        self._may_see_variables = _SEEING_VARIABLES.search(source) is not None
        self.may_assign_inside = ":=" in source
        self.may_assign = False
        self._is_in_comprehension = False
        self._n_variables = 0
        # By its number (`id`), each node that was visited, and what it became. Trees may hold a node twice:
        # pytest 8.3 makes such trees where it rewrites assertions.
        self._became: dict[int, tuple[ast.AST, Any]] = {}

    # --- Where variables may be assigned to -----------------------------------------------------------------

    def visit(self, node: ast.AST) -> Any:  # noqa: D102 - as of the base class
        if isinstance(node, ast.stmt):
            self._n_variables = 0  # those of the statement before are needed no more
        if id(node) not in self._became:
            self._became[id(node)] = node, super().visit(node)
        return self._became[id(node)][1]

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # noqa: D102 - as of the base class
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        node.args = self.visit(node.args)
        node.body = self._inside(node, node.body, self._body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - as of the base class

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:  # noqa: D102 - as of the base class
        node.args = self.visit(node.args)
        node.body = self._inside(node, node.body, self.visit)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: D102 - as of the base class
        before, self.may_assign = self.may_assign, False  # they would be attributes
        self.generic_visit(node)
        self.may_assign = before
        return node

    def _inside(self, node: ast.AST, body: Any, visit: Callable[[Any], Any]) -> Any:
        before = self.may_assign
        self.may_assign = not self._is_in_comprehension and not (
            self._may_see_variables and any(map(_sees_variables, ast.walk(node)))
        )
        body = visit(body)
        self.may_assign = before
        return body

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        module = ast.Module(statements, [])
        self.generic_visit(module)
        return module.body

    def _in_comprehension(self, node: ast.expr) -> ast.AST:
        """There a variable would be that of the function around it, and of all who iterate."""
        before = self.may_assign, self._is_in_comprehension
        self.may_assign, self._is_in_comprehension = False, True
        self.generic_visit(node)
        self.may_assign, self._is_in_comprehension = before
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _in_comprehension  # noqa: N815 - as of the base class

    def new_variable(self) -> str:
        """The name of a variable that nothing else in the statement uses."""
        self._n_variables += 1
        return f"<chainrules.ad: operand {self._n_variables}>"

    def held(self, node: ast.expr) -> tuple[ast.expr, ast.expr]:
        """An expression that keeps its value in a variable, and the variable."""
        variable = placed(ast.Name(self.new_variable(), _LOAD), node)
        return placed(ast.NamedExpr(placed(ast.Name(variable.id, _STORE), node), node), node), variable


def _sees_variables(node: ast.AST) -> bool:
    name = (
        node.id if isinstance(node, ast.Name) else getattr(node, "attr", None) or getattr(node, "value", None)
    )
    return isinstance(name, str) and _SEEING_VARIABLES.fullmatch(name) is not None
