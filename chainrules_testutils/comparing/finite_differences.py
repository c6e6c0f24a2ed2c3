"""Derivatives by finite differences, of functions of any values.

The `fdm` package supplies the stencils: where to evaluate, with which weights, and a step that balances
truncation against rounding. Here a value is moved along its `to_vec`, so that arguments and results may be
numbers, arrays, and structures of them; complex numbers are pairs of real ones. Each stencil gives the
derivative of the whole output at once: a Jacobian costs one stencil for each real number in the input.

The first argument is the method, as in ``grad(central_fdm(5, 1), f, x)``: one of `fdm`'s, or any callable
``method(g, t)`` that returns the derivative at `t` of a vector-valued `g` of one real variable; `None` is
`default_method`.

More than half of its evaluations serve to find the step. So testers compare with `fixed_step` first, and with
the method only where a rule does not agree, to the same tolerance.
"""

import copy
import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from chainrules_core import DimensionMismatchError
from chainrules_testutils.values.precision import in_double_precision, precision_of
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, tangent_to_vec
from chainrules_testutils.values.to_vec import Back, RealVector, to_vec

Stencil: TypeAlias = Callable[..., Any]

# No evaluation is farther away than this, unless the function computes in single precision.
_MAX_RANGE = 1e-2
_MAX_RANGE_SINGLE = 1e-1
# Longer directions than those of random tangents.
_LONG = 100.0

_VecFunction: TypeAlias = Callable[[RealVector], RealVector]


def default_method() -> Stencil:
    """The stencil of five points. For functions of scale one its error is about 1e-12, see its tests."""
    from fdm import central_fdm  # noqa: PLC0415 - it imports SymPy, which takes longer than all else here

    method: Stencil = central_fdm(5, 1)
    return method


def fixed_step(along: Callable[[float], RealVector], t: float, length: float = 1.0) -> RealVector:
    """Five points at a step for functions of scale one, of which no error is estimated.

    Parameters
    ----------
    along, t
        The function, and where to differentiate.
    length
        The length of the direction in which the function moves.
    """
    # No round number: rules that are made of differences would be compared with the same ones.
    h = (1.3e-3 if along(t).dtype == np.float64 else 2.3e-2) / length
    near, far = (along(t + step) - along(t - step) for step in (h, 2 * h))
    derivative: RealVector = (8 * near - far) / (12 * h)
    return derivative


def of_linear(along: Callable[[float], RealVector], t: float) -> RealVector:
    """The derivative of a linear function: one difference is exact."""
    derivative: RealVector = along(t + 1.0) - along(t)
    return derivative


def _function(name: str, f: Callable[..., Any] | None) -> Callable[..., Any]:
    """The function, which stands behind the method."""
    if not callable(f):
        raise TypeError(
            f"{name} of `chainrules_testutils` takes finite differences, by a method that comes first: write "
            f"`{name}(None, f, ...)`. By rules differentiates `{name}` of `chainrules.ad`."
        )
    return f


def jacobian(fdm: Stencil | None, f: Callable[..., Any] | None = None, *xs: Any) -> tuple[Any, ...]:
    """The Jacobian of `f` with respect to each argument.

    Parameters
    ----------
    fdm
        The method, see the head of this module.
    f
        The function. It gets arguments of its own at each call, so it may write into them.
    *xs
        Where to differentiate.

    Returns
    -------
    tuple of numpy.ndarray
        For each argument an array of shape ``(m, n)``: `m` real numbers in the output, `n` in the argument.

    Raises
    ------
    DimensionMismatchError
        If the number of numbers in the output changes with the arguments.
    """
    f = _function("jacobian", f)
    xs = in_double_precision_for(f, xs)
    vec, back = to_vec(xs)
    columns = _jacobian(fdm, _of_vec(f, back), vec)
    ends = np.cumsum([to_vec(x)[0].size for x in xs])
    return tuple(np.split(columns, ends[:-1], axis=1)) if xs else ()


def jvp(fdm: Stencil | None, f: Callable[..., Any] | None = None, *pairs: tuple[Any, Any]) -> Any:
    """The derivative of `f` along a direction.

    Parameters
    ----------
    fdm
        The method, see the head of this module.
    f
        The function.
    *pairs
        For each argument, itself and its tangent.

    Returns
    -------
    Any
        A value like the output of `f`, whose numbers are the derivatives.

    Raises
    ------
    DimensionMismatchError
        If a tangent does not fit its argument, or the size of the output changes with the arguments.
    """
    f = _function("jvp", f)
    xs = in_double_precision_for(f, tuple(x for x, _ in pairs))
    vec, back = to_vec(xs)
    back_of_output = to_vec(f(*back(vec)))[1]
    return back_of_output(jvp_vec(fdm, f, xs, [x_dot for _, x_dot in pairs]))


def j_prime_vp(fdm: Stencil | None, f: Callable[..., Any], y_bar: Any, *xs: Any) -> tuple[Any, ...]:
    """The transposed Jacobian of `f` times a cotangent: the result of a pullback.

    Parameters
    ----------
    fdm
        The method, see the head of this module.
    f
        The function.
    y_bar
        The cotangent of its output.
    *xs
        Where to differentiate.

    Returns
    -------
    tuple
        For each argument a value like it, whose numbers are the cotangents.

    Raises
    ------
    DimensionMismatchError
        If `y_bar` does not fit the output, or the size of the output changes with the arguments.
    """
    vec, back = to_vec(in_double_precision_for(f, xs))
    y_bar_vec = cotangent_to_vec(f(*back(vec)), y_bar)
    gradient = y_bar_vec @ _jacobian(fdm, _of_vec(f, back), vec)
    return tuple(back(gradient))


def grad(fdm: Stencil | None, f: Callable[..., Any] | None = None, *xs: Any) -> tuple[Any, ...]:
    """The gradient of a real-valued function with respect to each argument.

    Raises
    ------
    DimensionMismatchError
        If `f` does not return one real number.

    Examples
    --------
    >>> from chainrules_testutils.comparing.finite_differences import grad
    >>> (x_bar,) = grad(None, lambda x: (x**2).sum(), np.array([1.0, 2.0]))
    >>> x_bar.round(9)
    array([2., 4.])
    """
    f = _function("grad", f)
    vec, back = to_vec(in_double_precision_for(f, xs))
    rows = _jacobian(fdm, _of_vec(f, back), vec)
    if rows.shape[0] != 1:
        raise DimensionMismatchError(
            f"grad: the output has {rows.shape[0]} real numbers, a gradient needs one; use `jacobian`, "
            "or `j_prime_vp` with a cotangent of the output."
        )
    return tuple(back(rows[0]))


# --- Along vectors -------------------------------------------------------------------------------


def in_double_precision_for(f: Callable[..., Any], xs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments in double precision; as they are, if `f` does not take these."""
    wide: tuple[Any, ...] = in_double_precision(xs)
    if wide is xs:
        return xs
    try:
        f(*to_vec(wide)[1](to_vec(wide)[0]))
    except Exception:  # noqa: BLE001 - whatever `f` raises, it does not take these
        return xs
    return wide


def jvp_vec(fdm: Stencil | None, f: Callable[..., Any], xs: Any, x_dots: Any) -> RealVector:
    """`jvp`, as the vector of the derivatives."""
    vec, back = to_vec(xs)
    direction = np.concatenate([np.empty(0), *map(tangent_to_vec, xs, x_dots)])
    f_vec = _of_vec(f, back)
    # Along a long direction a step would leave the place where the function is what it is here.
    largest = float(np.max(np.abs(direction), initial=0.0))
    length = 2.0 ** math.ceil(math.log2(largest)) if _LONG < largest < math.inf else 1.0
    return length * _derivative_along(fdm, f_vec, vec, direction / length, f_vec(vec))


def j_prime_vp_vec(  # noqa: PLR0913, PLR0917 - what is known of the coordinates
    fdm: Stencil | None, f: Callable[..., Any], xs: Any, y_bar: Any, mask: Any, linear: Any = False
) -> RealVector:
    """`j_prime_vp`, as one vector for all arguments; coordinates outside of `mask` get 0 for nothing.

    In the coordinates of `linear` the function is linear.
    """
    vec, back = to_vec(xs)
    y_bar_vec = cotangent_to_vec(f(*back(vec)), y_bar)
    gradient: RealVector = y_bar_vec @ _jacobian(fdm, _of_vec(f, back), vec, mask, linear)
    return gradient


def _jacobian(
    fdm: Stencil | None, f_vec: _VecFunction, vec: RealVector, mask: Any = True, linear: Any = False
) -> Any:
    y = f_vec(vec)
    columns = np.zeros((y.size, vec.size))
    is_linear = np.broadcast_to(linear, vec.shape)
    for i in np.flatnonzero(np.broadcast_to(mask, vec.shape)):
        direction = np.zeros(vec.size)
        direction[i] = 1.0
        method = of_linear if is_linear[i] else fdm
        columns[:, i] = _derivative_along(method, f_vec, vec, direction, y)
    return columns


def _of_vec(f: Callable[..., Any], back: Back) -> _VecFunction:
    """`f` as a function from vectors to vectors, in single precision if `f` is: the step depends on it."""
    dtype: Any = None

    def f_vec(vec: RealVector) -> Any:
        nonlocal dtype
        y = f(*back(vec))
        if dtype is None:  # of the first value; the others have the same
            dtype = np.float64 if precision_of(y) == np.float64 else np.float32
        return to_vec(y)[0].astype(dtype, copy=False)

    return f_vec


def _derivative_along(
    fdm: Stencil | None, f_vec: _VecFunction, vec: RealVector, direction: RealVector, y: RealVector
) -> RealVector:
    """The derivative of a function of a vector, at `vec`, where it is `y`, along `direction`."""
    if y.size == 0 or not direction.any():
        return np.zeros(y.size)

    varies = np.zeros(y.size, dtype=bool)

    def along(t: float) -> RealVector:
        if t == 0.0:
            return y
        moved = f_vec(vec + t * direction)
        if moved.size != y.size:
            raise DimensionMismatchError(
                f"the output has {y.size} real numbers, but {moved.size} where the arguments move by {t:.1e}."
            )
        np.logical_or(varies, moved != y, out=varies)
        return moved

    method = _fresh(default_method() if fdm is None else fdm)
    options = {}
    if fdm is fixed_step:
        options["length"] = float(np.linalg.norm(direction))
    elif hasattr(method, "bound_estimator"):
        options["max_range"] = _MAX_RANGE if y.dtype == np.float64 else _MAX_RANGE_SINGLE
    derivative = method(along, 0.0, **options)
    # The weights of a stencil do not sum to zero exactly; the derivative of a constant is zero.
    return np.where(varies, derivative, 0.0)


def _fresh(method: Stencil) -> Stencil:
    """A copy of one of `fdm`'s methods: its objects keep the step of their last call."""
    method = copy.copy(method)
    if getattr(method, "bound_estimator", None) is not None:
        method.bound_estimator = _fresh(method.bound_estimator)  # type: ignore[attr-defined]  # fdm sets it on adaptive methods only
    return method
