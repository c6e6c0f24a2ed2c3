"""Solutions of equations, by the implicit function theorem.

Where ``f(x, p) = 0`` and the Jacobian ``J`` by `x` is regular, ``J x_dot + f_dot = 0`` with the tangent
``f_dot`` of `f` at a fixed `x`; ``f_bar = -J⁻ᴴ x_bar``. S. G. Krantz, H. R. Parks, "The Implicit Function
Theorem", 2002. Both conditions are checked: that `x` is a solution, by the step that Newton's method would
take from it, and that ``J`` is regular.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.iterables import tuple_tangent
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import NO_TANGENT, NoDerivativeError, ProjectTo, frule_via_ad, primal_of, rrule_via_ad

# From a solution, Newton's method goes at most this far, as a part of it, or of 1; less far from what the
# solver calls none, as it does where its tolerance is below the precision of numbers.
LARGEST_STEP = 1e-3
LARGEST_STEP_AFTER_FAILURE = 1e-6


class Equation(NamedTuple):
    """An equation and its solution.

    Attributes
    ----------
    solver
        The name of the function that solved it, for messages.
    f, args
        It is ``f(x, *args) = 0``.
    x
        The solution: a number or an array.
    problem
        Why the solver calls it none, if it does not.
    of_first
        Whether `f` returns a tuple, of which the first item is meant.
    is_fixed_point
        Whether it is ``f(x, *args) = x`` instead.
    is_elementwise
        Whether each element of `f` depends on the element of `x` in its place alone.
    check
        Further conditions on the Jacobian, and on the step that Newton's method would subtract.
    jacobian
        What computes the Jacobian, if that is not done row by row or column by column.
    """

    solver: str
    f: Any
    args: tuple[Any, ...]
    x: Any
    problem: str = ""
    of_first: bool = False
    is_fixed_point: bool = False
    is_elementwise: bool = False
    check: Callable[[Any, Any], None] | None = None
    jacobian: Callable[[], Any] | None = None


def push_solution(config: Any, equation: Equation, f_dot: Any, arg_dots: Any) -> Any:
    """The tangent of the solution."""
    _, f, args, x, _, of_first, is_fixed_point, *_ = equation
    still, n = (NO_TANGENT,) * len(args), np.size(primal_of(x))

    def pushed(own_dot: Any, x_dot: Any, dots: Any) -> Any:
        y, y_dot = frule_via_ad(config, (own_dot, x_dot, *dots), f, x, *args)
        if of_first:
            y, y_dot = y[0], y_dot[0]
        check_numbers(equation, y)
        return y, np.reshape(tangent_as_array(y, y_dot), -1)

    def by_columns() -> Any:
        rows = np.ones((1, n)) if equation.is_elementwise else np.eye(n)
        units = [np.reshape(row, np.shape(primal_of(x))) if np.ndim(primal_of(x)) else row[0] for row in rows]
        columns = [pushed(NO_TANGENT, unit, still)[1] for unit in units]
        J = columns[0] if equation.is_elementwise else np.stack(columns, axis=-1)
        return J - np.eye(n) if is_fixed_point else J

    J = (equation.jacobian or by_columns)()
    y, y_dot = pushed(f_dot, NO_TANGENT, arg_dots)
    check_solution(equation, y, J)
    return shaped_like(x, -solved(J, y_dot))


def pull_solution(config: Any, equation: Equation) -> Callable[[Any], tuple[Any, Any]]:
    """The function from the cotangent of the solution to the cotangents of `f` and of the tuple `args`."""
    _, f, args, x, _, of_first, is_fixed_point, *_ = equation

    def solution_pullback(x_bar: Any) -> tuple[Any, Any]:
        y, pullback = rrule_via_ad(config, f, x, *args)
        value = y[0] if of_first else y
        check_numbers(equation, value)
        shape, n = np.shape(primal_of(array_of(value))), np.size(primal_of(x))

        def pulled(flat: Any) -> Any:
            y_bar = cotangent_in_lists(value, np.reshape(flat, shape) if shape else flat[0])
            return pullback(
                tuple_tangent(tuple, (y_bar, *(NO_TANGENT for _ in y[1:]))) if of_first else y_bar
            )

        def by_rows() -> Any:
            units = np.ones((1, n)) if equation.is_elementwise else np.eye(n)
            rows = [np.reshape(tangent_as_array(x, pulled(row)[1]), -1) for row in units]
            J = np.conj(rows[0] if equation.is_elementwise else np.stack(rows))
            return J - np.eye(n) if is_fixed_point else J

        J = (equation.jacobian or by_rows)()
        check_solution(equation, value, J)
        f_bar, _, *arg_bars = pulled(-solved(np.conj(J.T), np.reshape(x_bar, -1)))
        return f_bar, tuple_tangent(tuple, arg_bars)

    return solution_pullback


def solved(J: Any, y: Any) -> Any:
    """The solution of a system, whose matrix is diagonal if it is given as a vector."""
    return y / J if np.ndim(J) == 1 else np.linalg.solve(J, y)


def shaped_like(x: Any, flat: Any) -> Any:
    """A vector in the shape of the solution, which may be a number."""
    shape = np.shape(primal_of(x))
    return ProjectTo(x)(np.reshape(flat, shape) if shape else flat[0])


def check_numbers(equation: Equation, y: Any) -> None:
    """Refuse other than one equation for each unknown."""
    n, unknowns = np.size(primal_of(array_of(y))), np.size(primal_of(equation.x))
    if n != unknowns:
        raise NoDerivativeError(
            f"{equation.solver}: {n} equations for {unknowns} unknowns have no Jacobian that is regular."
        )


def check_solution(equation: Equation, y: Any, J: Any) -> None:
    """Refuse a Jacobian that is not regular, and what is no solution."""
    values, J, x = np.ravel(primal_of(array_of(y))), primal_of(J), np.ravel(primal_of(equation.x))
    if equation.is_fixed_point:
        values = values - x
    problem = f" It says: {equation.problem}" if equation.problem else ""
    condition = np.inf
    if np.all(np.isfinite(J)):
        condition = np.linalg.cond(J) if np.ndim(J) > 1 else 1.0 if np.all(J) else np.inf
    if not condition * np.finfo(float).eps < 1.0:
        raise NoDerivativeError(
            f"{equation.solver}: the Jacobian at the solution is singular, with the condition number "
            f"{condition}, so that the solution does not move smoothly with what it depends on. A double "
            f"root is one reason, an unknown that no equation determines another.{problem}"
        )
    steps = solved(J, values)
    step = np.linalg.norm(steps)
    largest = LARGEST_STEP_AFTER_FAILURE if problem else LARGEST_STEP
    if not step <= largest * (1.0 + np.linalg.norm(x)):
        raise NoDerivativeError(
            f"{equation.solver} did not converge, so that its result has no derivative: by Newton's method "
            f"the solution is at the distance {step}. Give it a better start or bracket, a smaller "
            f"tolerance, or more iterations.{problem}"
        )
    if equation.check is not None:
        equation.check(J, steps)
