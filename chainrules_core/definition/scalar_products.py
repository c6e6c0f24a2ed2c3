"""The two products of a scalar rule: a partial derivative times a tangent, in either direction.

A tangent that is zero is a strong zero: it contributes zero even where the partial derivative is infinite
or not defined, as for ``sqrt`` at 0. Broadcasting of the primal is undone in reverse and repeated forwards.
"""

from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

from chainrules_core.backends import primal_of
from chainrules_core.definition.broadcasting import sum_over_repeats
from chainrules_core.definition.plain_arrays import (
    fitting_cotangent,
    has_nan,
    product_for_number,
)
from chainrules_core.definition.shortcuts import shortened_by
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import AbstractZero
from chainrules_core.tangents.linear_operations import conjugate_tangent


def evaluate_partials(differentiate: Callable[..., Any], *values: Any) -> Any:
    """The partial derivatives at some values: infinite or NaN where Python's numbers raise an error."""
    try:
        return differentiate(*values)
    except ArithmeticError:
        return differentiate(*map(_as_numpy, values))


def _as_numpy(x: Any) -> Any:
    if isinstance(x, int | float):
        return np.float64(x)
    return np.complex128(x) if isinstance(x, complex) else x


@shortened_by(product_for_number)
def pull_partial(x: Any, partial: Any, y_bar: Any) -> Any:
    """What the cotangent of the result contributes to the cotangent of the argument `x`."""
    conjugate = conjugate_tangent(partial) if is_complex(partial) else partial
    return unbroadcast(x, strong_product(conjugate, y_bar))


def strong_product(partial: Any, tangent: Any) -> Any:
    """The product of a partial derivative and a tangent, zero where the tangent is."""
    product = partial * tangent
    value = primal_of(product)
    if isinstance(value, AbstractTangent) or (isinstance(value, _IN_MEMORY) and not contains_nan(value)):
        return product
    # Only now is it worth looking for zeros; for arrays that are not in memory, such as Dask's, looking for
    # NaNs would compute them. A factor is masked, not the product: differentiating a product that holds a NaN
    # gives a NaN, even where it was not chosen.
    return np.where(primal_of(tangent) == 0, 0, partial) * tangent


_IN_MEMORY = (np.ndarray, float, np.generic, Number)


@shortened_by(has_nan)
def contains_nan(x: Any) -> bool:
    """Whether a number is NaN, or any element of an array."""
    x = primal_of(x)
    return bool(np.any(x != x))  # noqa: PLR0124 - only NaN differs from itself; `isnan` takes no objects


@shortened_by(fitting_cotangent)
def unbroadcast(x: Any, x_bar: Any) -> Any:
    """Bring a cotangent that may have been broadcast into the tangent space of `x`."""
    if not isinstance(x_bar, AbstractTangent):
        x_bar = sum_over_repeats(x_bar, np.shape(primal_of(x)))
    return ProjectTo(x)(x_bar)


def sum_tangents(y: Any, terms: list[Any]) -> Any:
    """The tangent of the result `y`: the sum of the contributions of all arguments, in the shape of `y`."""
    y_dot = terms[0]
    for term in terms[1:]:
        if not isinstance(term, AbstractZero):
            y_dot = term if isinstance(y_dot, AbstractZero) else y_dot + term
    if isinstance(y_dot, AbstractTangent):
        return y_dot
    shape = np.shape(primal_of(y))
    return y_dot if np.shape(primal_of(y_dot)) == shape else np.broadcast_to(y_dot, shape)
