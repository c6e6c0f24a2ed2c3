"""The one walk through the syntax of a module: what is known where an expression or statement stands.

The functions for each kind of node are in tables, which are given to the walk. The nodes of the tree stay as
they are: trees may hold a node twice, as those do that pytest 8.3 makes of assertions.
"""

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from chainrules.ad.syntax.hooks import PREFIX, placed
from chainrules.ad.syntax.names import Names, parts_of, sees_variables
from chainrules.ad.syntax.rewritten import Operand, Rewritten, final, text_of, together

Expressions = dict[type[ast.AST], Callable[["Walk", Any], Rewritten]]
Statements = dict[type[ast.AST], Callable[["Walk", Any], list[ast.stmt]]]


class Scope(NamedTuple):
    """Where a statement or expression stands."""

    # The class around it, and whether a function is inside of that, or around it.
    class_name: str = ""
    is_in_function: bool = False
    is_within_function: bool = False
    # Whether a variable of our own may hold a value: nobody looks at variables there, and it is no attribute.
    may_hold: bool = False
    is_in_comprehension: bool = False
    # The names that the function writes into.
    written: frozenset[str] = frozenset()


class Walk:
    """One walk through a module.

    Parameters
    ----------
    tree
        The module.
    is_guarded
        Whether tests of plain numbers stand in front of hooks.
    expressions, statements
        What becomes of each kind of node. An expression or statement of another kind stays what it is, with
        rewritten parts.
    """

    def __init__(
        self, tree: ast.Module, is_guarded: bool, expressions: Expressions, statements: Statements
    ) -> None:
        self.names = Names(tree)
        self.is_guarded = is_guarded
        self.scope = Scope()
        # Whether the expression is assigned to a name that is written into.
        self.is_new = False
        self._expressions, self._statements = expressions, statements
        self._n_held = self._n_variables = 0

    # --- Expressions ----------------------------------------------------------------------------------------

    def visit(self, node: ast.expr, is_new: bool = False) -> Rewritten:
        """What becomes of an expression; one that is assigned to a name that is written into is `is_new`."""
        self.is_new = is_new
        visit = self._expressions.get(node.__class__)
        return Rewritten(self.rebuilt(node)) if visit is None else visit(self, node)

    def final(self, node: ast.expr, is_new: bool = False) -> ast.expr:
        """The expression that stands in its place."""
        return final(self.visit(node, is_new))

    def finals(self, nodes: list[ast.expr], is_new: bool = False) -> list[ast.expr]:
        """The same for each of several expressions."""
        return [final(self.visit(node, is_new)) for node in nodes]

    def operand(self, of: Rewritten) -> Operand | None:
        """The expression as it was written if it can be a number or text, with the tests that say so."""
        if of.native is None or not self.is_guarded:
            return None
        if of.is_plain:
            return Operand(of.native, of.tests)
        native = tested = of.native
        if isinstance(native, ast.Call) and not self.scope.may_hold:
            return None
        if isinstance(native, ast.Subscript | ast.Call) and self.scope.may_hold:  # twice takes longer
            variable = self.held_variable(native)
            target = placed(ast.Name(variable.id, ast.Store()), native)
            tested = placed(ast.NamedExpr(target, native), native)
            native = variable
        tests = together(of.tests, {text_of(native): (tested, "plain")})
        return None if tests is None else Operand(native, tests)

    def held_variable(self, at: ast.AST) -> ast.Name:
        """A variable that holds an operand, and that nothing else in the statement uses, to be read."""
        self._n_held += 1
        return placed(ast.Name(f"{PREFIX}operand {self._n_held}>", ast.Load()), at)

    # --- Statements -----------------------------------------------------------------------------------------

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """What becomes of statements; one may become several."""
        rewritten: list[ast.stmt] = []
        for statement in statements:
            self._n_held = 0  # what the statement before held is needed no more
            visit = self._statements.get(statement.__class__)
            rewritten += [self.rebuilt(statement)] if visit is None else visit(self, statement)
        return rewritten

    def variable(self, at: ast.AST) -> ast.Name:
        """A variable that no program can name, to be assigned to."""
        self._n_variables += 1
        return placed(ast.Name(f"{PREFIX}{self._n_variables}>", ast.Store()), at)

    def inside(self, visit: Callable[[Any], Any], node: Any, **changes: Any) -> Any:
        """What `visit` makes of a node, in another scope."""
        around, self.scope = self.scope, self.scope._replace(**changes)
        rewritten = visit(node)
        self.scope = around
        return rewritten

    def may_hold_in(self, function: ast.AST) -> bool:
        """Whether there may be variables of our own in a function."""
        is_seen = self.names.sees_variables and any(map(sees_variables, parts_of(function)))
        return not (self.scope.is_in_comprehension or is_seen)

    # --- Parts ----------------------------------------------------------------------------------------------

    def rebuilt(self, node: Any, *but: str) -> Any:
        """The same node with rewritten parts, except those of some names."""
        new = copied(node)
        for field in node._fields:
            if field not in but:
                part = getattr(node, field, None)
                if isinstance(part, list):
                    setattr(new, field, self._rebuilt_list(part))
                elif isinstance(part, ast.AST):
                    setattr(new, field, self._rebuilt_part(part))
        return new

    def _rebuilt_list(self, parts: list[Any]) -> list[Any]:
        if parts and isinstance(parts[0], ast.stmt):
            return self.body(parts)
        return [self._rebuilt_part(part) if isinstance(part, ast.AST) else part for part in parts]

    def _rebuilt_part(self, part: Any) -> Any:
        if isinstance(part, ast.expr):
            return self.final(part)
        return self.rebuilt(part) if part._fields else part  # operators have none

    def mangled(self, name: str) -> str:
        """The name of an attribute, with that of the class in front where the compiler puts it there.

        https://docs.python.org/3/reference/expressions.html#private-name-mangling
        """
        is_private = name.startswith("__") and not name.endswith("__")
        owner = self.scope.class_name.lstrip("_")
        return f"_{owner}{name}" if is_private and owner else name


def copied(node: Any) -> Any:
    """A node with the same parts: `copy.copy`, in a fifth of the time."""
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    return new
