"""The two products of a scalar rule: a partial derivative times a tangent, in either direction.

A tangent that is zero is a strong zero: it contributes zero even where the partial derivative is infinite
or not defined, as for ``sqrt`` at 0. Broadcasting of the primal is undone in reverse and repeated forwards.
"""

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from chainrules_core.backends import ANSWERS, primal_of
from chainrules_core.definition.broadcasting import sum_over_repeats
from chainrules_core.definition.plain_arrays import fitting_cotangent, has_nan, product_for_number
from chainrules_core.definition.shortcuts import shortened_by
from chainrules_core.laziness import may_hold
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import AbstractZero
from chainrules_core.tangents.linear_operations import conjugate_tangent


def evaluate_partials(differentiate: Callable[..., Any], *values: Any) -> Any:
    """The partial derivatives at some values: infinite or NaN where Python's numbers raise an error.

    Parameters
    ----------
    differentiate
        A function of `values` that returns the partial derivatives.
    *values
        The result of the primal and its arguments.

    Returns
    -------
    number, array or tuple
        The same as ``differentiate(*values)``. If that raises an `ArithmeticError`, it is called once more
        with NumPy's numbers in the place of Python's, also of traced ones, which give infinities and NaN.

    Examples
    --------
    >>> with np.errstate(divide="ignore"):
    ...     evaluate_partials(lambda y, x: 1 / x, 0.0, 0.0)
    np.float64(inf)
    """
    try:
        return differentiate(*values)
    except ArithmeticError:
        return differentiate(*map(_as_numpy, values))


def _as_numpy(x: Any) -> Any:
    value = primal_of(x)
    if isinstance(value, int | float):
        # The product with NumPy's 1 is NumPy's number, and keeps the derivative of a traced one.
        return np.float64(x) if value is x else x * np.float64(1)
    return np.complex128(x) if isinstance(x, complex) else x


@shortened_by(product_for_number)
def pull_partial(x: Any, partial: Any, y_bar: Any) -> Any:
    """The cotangent that one result contributes to the argument `x`, from the partial derivative by it.

    Parameters
    ----------
    x
        The argument: a number or an array, which may have been broadcast.
    partial
        The partial derivative of the result by `x`, in the shape of the result or one that broadcasts to it.
    y_bar
        The cotangent of the result.

    Returns
    -------
    cotangent
        The strong product of the conjugate of `partial` and `y_bar`, summed to the shape of `x` and
        projected; see `strong_product` and `unbroadcast`.

    Raises
    ------
    DimensionMismatchError
        If the product has a shape that the shape of `x` does not broadcast to.

    Examples
    --------
    >>> float(pull_partial(2.0, np.array([3.0, 4.0]), np.array([1.0, 10.0])))  # y = 2 * [3, 4]
    43.0
    """
    conjugate = conjugate_tangent(partial) if is_complex(partial) else partial
    return unbroadcast(x, strong_product(conjugate, y_bar))


def strong_product(partial: Any, tangent: Any) -> Any:
    """The product of a partial derivative and a tangent, zero where the tangent is.

    Zero times an infinite or undefined partial derivative is zero here, not NaN: an argument that does not
    move contributes nothing.

    Parameters
    ----------
    partial
        The partial derivative: a number or an array.
    tangent
        A number, an array of a shape that broadcasts with that of `partial`, or a tangent of another type.

    Returns
    -------
    tangent
        The product, in the shape that both broadcast to.

    Examples
    --------
    >>> with np.errstate(invalid="ignore"):
    ...     strong_product(np.array([np.inf, 2.0]), np.array([0.0, 3.0]))
    array([0., 6.])
    """
    product = partial * tangent
    value = primal_of(product)
    if isinstance(value, AbstractTangent) or (isinstance(value, _IN_MEMORY) and not contains_nan(value)):
        return product
    if isinstance(partial, int | float | complex) and partial - partial == 0:
        return product  # of a finite number, which would bring lazy arrays to its own precision below
    # Only now is it worth looking for zeros; for arrays that are not in memory, such as Dask's, looking for
    # NaNs would compute them. A factor is masked, not the product: differentiating a product that holds a NaN
    # gives a NaN, even where it was not chosen. Other factors are kept: the derivative of a zero needs them.
    is_zero = primal_of(tangent) == 0
    if isinstance(value, _IN_MEMORY):
        is_zero = is_zero & (value != value)  # noqa: PLR0124 - only NaN differs from itself
    return np.where(is_zero, 0, partial) * tangent


_IN_MEMORY = (np.ndarray, float, np.generic, Number)


@shortened_by(has_nan)
def contains_nan(x: Any) -> bool:
    """Whether a number is NaN, or any element of an array.

    A carrier is asked about the value that it carries; a lazy array counts as holding one.
    """
    x = primal_of(x)
    answers = ANSWERS.get(type(x))
    if answers is not None:
        return answers[0](x)
    return may_hold(x != x)  # noqa: PLR0124 - only NaN differs from itself; `isnan` takes no objects


@shortened_by(fitting_cotangent)
def unbroadcast(x: Any, x_bar: Any) -> Any:
    """The cotangent of an argument that may have been broadcast, in the tangent space of the argument.

    Parameters
    ----------
    x
        The argument, a number or an array.
    x_bar
        Its cotangent in the shape of the result: new axes in front, and axes of length one repeated.

    Returns
    -------
    cotangent
        The sum over the axes along which `x` was repeated, in the shape, dtype and structure of `x`.
        A cotangent that fits already is returned as the same object.

    Raises
    ------
    DimensionMismatchError
        If the shape of `x_bar` is none that the shape of `x` broadcasts to.

    Examples
    --------
    >>> unbroadcast(np.zeros((2, 1)), np.ones((4, 2, 3)))
    array([[12.],
           [12.]])
    >>> unbroadcast(2.0, np.array([1.0 + 1.0j, 2.0]))
    3.0
    """
    if not isinstance(x_bar, AbstractTangent):
        x_bar = sum_over_repeats(x_bar, np.shape(primal_of(x)))
    return ProjectTo(x)(x_bar)


def sum_tangents(y: Any, terms: Sequence[Any]) -> Any:
    """The tangent of the result `y`: the sum of the contributions of all arguments, in the shape of `y`.

    Parameters
    ----------
    y
        The result: a number or an array.
    terms
        The contribution of each argument: a zero, or a tangent of a shape that broadcasts to that of `y`.

    Returns
    -------
    tangent
        Zeros are left out; where all terms are zeros, the first of them.

    Examples
    --------
    >>> sum_tangents(np.zeros(2), [ZeroTangent(), 1.0, np.array([2.0, 3.0])])
    array([3., 4.])
    """
    y_dot = terms[0]
    for term in terms[1:]:
        if not isinstance(term, AbstractZero):
            y_dot = term if isinstance(y_dot, AbstractZero) else y_dot + term
    if isinstance(y_dot, AbstractTangent):
        return y_dot
    shape = np.shape(primal_of(y))
    return y_dot if np.shape(primal_of(y_dot)) == shape else np.broadcast_to(y_dot, shape)
