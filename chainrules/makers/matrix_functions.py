"""Rules of functions of square matrices: see `chainrules.formulas.functions_of_matrices.matrix_functions`."""

from collections.abc import Callable
from typing import Any

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules.values.stacks import conjugate, transposed
from chainrules_core import NO_TANGENT, AbstractZero, define, primitive, rule_maker, typeof_


@rule_maker
def matrix_function_rule(primal: Callable[..., Any], derivative: Callable[[Any, Any, Any], Any]) -> None:
    """Define the rules of a function of a square matrix, or of each matrix of a stack.

    Parameters
    ----------
    primal
        The function, ``Y = primal(A)``, of an array or of nested lists of numbers. It may be asked to return
        an estimate of its error, too, which has no derivative.
    derivative
        ``derivative(A, Y, E)`` is the derivative at `A` in the direction `E`.
    """
    apply = primitive(primal)

    def matrix_function_frule(
        tangents: Any, f: typeof_(primal), A: OperandInLists, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        A_dot = tangents[1]
        y = apply(A, *options, **named)
        A, A_dot = array_of(A), tangent_as_array(A, A_dot)
        Y = y[0] if isinstance(y, tuple | list) else y
        Y_dot = tangent_like(Y, derivative(A, Y, A_dot))
        return y, tangent_of_results(y, Y_dot, NO_TANGENT) if isinstance(y, tuple | list) else Y_dot

    def matrix_function_rrule(
        f: typeof_(primal), A: OperandInLists, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        y = apply(A, *options, **named)
        Y = y[0] if isinstance(y, tuple | list) else y
        matrix = array_of(A)

        def matrix_function_pullback(y_bar: Any) -> Any:
            Y_bar = cotangents_of_results(y, y_bar)[0] if isinstance(y, tuple | list) else y_bar
            if isinstance(Y_bar, AbstractZero):
                return NO_TANGENT, Y_bar, *(NO_TANGENT,) * len(options)
            A_bar = conjugate(derivative(transposed(matrix), transposed(Y), conjugate(Y_bar)))
            return NO_TANGENT, cotangent_in_lists(A, A_bar), *(NO_TANGENT,) * len(options)

        return y, matrix_function_pullback

    define(matrix_function_frule, matrix_function_rrule)
