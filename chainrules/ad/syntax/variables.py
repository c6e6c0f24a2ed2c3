"""Operands that are more than what is read: each is evaluated once, and kept in a variable of ours.

``f(x) * y`` becomes ``v * y if type(v := f(x)) in PLAIN and type(y) in PLAIN else mul(v, y)``: so a loop with
calls in its expressions takes two thirds of the time. A number or text may stay in the variable until the
function returns; of anything else it is cleared before the hook is called.
"""

import ast
from typing import NamedTuple

from chainrules.ad.syntax.hooks import placed
from chainrules.ad.syntax.rewritten import Rewritten, class_of, final, is_constant, is_of, is_simple
from chainrules.ad.syntax.walk import Walk


class InVariables(NamedTuple):
    """One or two operands that were evaluated."""

    # The question whether all are numbers or text, which evaluates them, in Python's order.
    test: ast.expr
    # What they are where it holds, and where it does not: there, the last of them clears the variables.
    natives: list[ast.expr]
    others: list[ast.expr]


def in_variables(walk: Walk, operands: list[Rewritten], classes: str = "plain") -> InVariables | None:
    """Operands in variables, those that need one; `None` where there may be none, or are more than two."""
    if not (walk.is_guarded and walk.scope.may_hold) or len(operands) > 2:
        return None
    evaluated = [final(of) for of in operands]
    natives: list[ast.expr] = list(evaluated)
    variables: list[ast.Name] = []
    for place, x in enumerate(evaluated):
        if not (is_constant(x) or (place and is_simple(x) and variables)):
            variable = walk.held_variable(x)
            evaluated[place] = placed(ast.NamedExpr(placed(ast.Name(variable.id, ast.Store()), x), x), x)
            natives[place] = variable
            variables.append(variable)
    tested = [(x, native) for x, native in zip(evaluated, natives, strict=True) if not is_constant(native)]
    if not variables:
        return None
    if len(variables) == 2:
        test = are_of(*tested[0], *tested[1], classes)
    else:
        questions: list[ast.expr] = [is_of(x, classes) for x, _ in tested]
        test = questions[0] if len(questions) == 1 else placed(ast.BoolOp(ast.And(), questions), tested[0][0])
    return InVariables(test, natives, _clearing(natives, variables))


def are_of(x: ast.expr, x_again: ast.expr, y: ast.expr, y_again: ast.expr, classes: str) -> ast.expr:
    """The question whether the classes of two values are in a set; both are evaluated, whatever the first is.

    ``type(x := ...) is type(y := ...) in PLAIN`` evaluates both before it compares them.
    """
    first, second = is_of(x_again, classes), is_of(y_again, classes)
    chain = ast.Compare(class_of(x), [ast.Is(), ast.In()], [class_of(y), second.comparators[0]])
    both = placed(ast.BoolOp(ast.And(), [first, second]), x_again)
    return placed(ast.BoolOp(ast.Or(), [placed(chain, x_again), both]), x_again)


def _clearing(operands: list[ast.expr], variables: list[ast.Name]) -> list[ast.expr]:
    """The operands, where the variables are cleared after the last one of them was read."""
    last = variables[-1]
    value: ast.expr = placed(ast.Constant(None), last)
    for variable in variables:
        value = placed(ast.NamedExpr(placed(ast.Name(variable.id, ast.Store()), last), value), last)
    pair = placed(ast.Tuple([last, value], ast.Load()), last)
    read = placed(ast.Subscript(pair, placed(ast.Constant(0), last), ast.Load()), last)
    return [read if operand is last else operand for operand in operands]
