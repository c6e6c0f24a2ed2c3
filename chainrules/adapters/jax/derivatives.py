"""Forward and reverse mode of calls of flat functions, for JAX.

The derivatives of a flat function are flat functions too, called by the same primitive, so that all orders
are served. Tangents come from its pushforward, which is linear in the tangents that it is given; JAX
transposes what is linear. The transpose of a pushforward is the pullback, and that of a pullback is the
pushforward.

JAX pairs a cotangent with a tangent as ``sum(c * t)``, and rules pair them as ``sum(conj(c) * t)``, of which
the real parts count. So complex cotangents are conjugated on their way to a pullback, and on their way back.
https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html#complex-numbers-and-differentiation
"""

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

import jax
import jax.numpy as jnp
from jax.interpreters import ad

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, PullbackOf, PushforwardOf
from chainrules.adapters.jax.call_primitive import call_p, called
from chainrules.adapters.jax.stand_ins import function_of


def _pushed(primals: Sequence[Any], x_dots: Sequence[Any], *, name: str, program: Any) -> Any:
    """The results, and their tangents."""
    function = function_of(program)
    ys = called(function, *primals)
    given = tuple(not _is_zero(x_dot) for x_dot in x_dots)
    if not any(given):
        return ys, [_zero(y) for y in ys]
    derivative, count = _pushforward(function, given)
    y_dots = called(derivative, *primals[:count], *[x_dot for x_dot in x_dots if not _is_zero(x_dot)])
    return ys, [y_dot if y.dtype.kind in "fc" else _zero(y) for y, y_dot in zip(ys, y_dots, strict=True)]


ad.primitive_jvps[call_p] = _pushed


def _zero(y: Any) -> ad.Zero:
    dtype = y.dtype if y.dtype.kind in "fc" else jax.dtypes.float0
    return ad.Zero(jax.core.ShapedArray(y.shape, dtype))


def _is_zero(tangent: Any) -> bool:
    # A number of Python is one that somebody gave to `jax.jvp`.
    return type(tangent) is ad.Zero or getattr(tangent, "dtype", float) == jax.dtypes.float0


@singledispatch
def _pushforward(function: FlatFunction, given: tuple[bool, ...]) -> tuple[FlatFunction, int]:
    """The pushforward along the given tangents, and how many arrays it has before these.

    That of a function which is linear in all that has a tangent is the function itself.
    """
    return PushforwardOf(function, given), len(given)


@_pushforward.register
def _(function: PushforwardOf, given: tuple[bool, ...]) -> tuple[FlatFunction, int]:
    count = len(function.given)
    if any(given[:count]):
        return PushforwardOf(function, given), len(given)
    return PushforwardOf(function.function, _among(function.given, given[count:])), count


@_pushforward.register
def _(function: PullbackOf, given: tuple[bool, ...]) -> tuple[FlatFunction, int]:
    count = len(given) - sum(function.given)
    if any(given[:count]):
        return PushforwardOf(function, given), len(given)
    return PullbackOf(function.function, function.wanted, _among(function.given, given[count:])), count


def _among(given: tuple[bool, ...], still_given: tuple[bool, ...]) -> tuple[bool, ...]:
    """Of the given ones those that are still given."""
    rest = iter(still_given)
    return tuple(is_given and next(rest) for is_given in given)


def _transposed(cotangents: Sequence[Any], *args: Any, name: str, program: Any) -> list[Any]:
    """Cotangents of the arrays that a call is linear in, which are those without a value."""
    linear = tuple(map(ad.is_undefined_primal, args))
    found = iter(_transpose(function_of(program), cotangents, args, linear))
    return [next(found) if is_linear else None for is_linear in linear]


ad.primitive_transposes[call_p] = _transposed


@singledispatch
def _transpose(
    function: FlatFunction, cotangents: Sequence[Any], args: Sequence[Any], linear: tuple[bool, ...]
) -> Iterator[Any]:
    """Cotangents of the arrays that a call is linear in."""
    raise AdapterError(f"{function.name} is not known to be linear, so that JAX cannot transpose it.")


@_transpose.register
def _(
    function: PushforwardOf, cotangents: Sequence[Any], args: Sequence[Any], linear: tuple[bool, ...]
) -> Iterator[Any]:
    count = len(function.given)
    _check_are_tangents(function, linear[:count])
    # A tangent with a value is one of zeros, since the program is linear. JAX asks for no cotangent of it.
    asked = _among(function.given, linear[count:])
    wanted = tuple(place for place, is_asked in enumerate(asked) if is_asked)
    given = tuple(type(y_bar) is not ad.Zero for y_bar in cotangents)
    pullback = PullbackOf(function.function, wanted, given)
    yield from _adjoint(pullback, args[:count], [y_bar for y_bar in cotangents if type(y_bar) is not ad.Zero])


@_transpose.register
def _(
    function: PullbackOf, cotangents: Sequence[Any], args: Sequence[Any], linear: tuple[bool, ...]
) -> Iterator[Any]:
    count = len(args) - sum(function.given)
    _check_are_tangents(function, linear[:count])
    x_dots = {
        place: x_dot
        for place, x_dot in zip(function.wanted, cotangents, strict=True)
        if type(x_dot) is not ad.Zero
    }
    given = tuple(place in x_dots for place in range(count))
    pushforward = PushforwardOf(function.function, given)
    y_dots = _adjoint(pushforward, args[:count], [x_dots[place] for place in sorted(x_dots)])
    asked = _among(function.given, linear[count:])
    yield from (y_dot for y_dot, is_asked in zip(y_dots, asked, strict=True) if is_asked)


def _check_are_tangents(function: FlatFunction, linear: tuple[bool, ...]) -> None:
    if any(linear):
        raise AdapterError(
            f"The {function.name} is linear in tangents only, so that JAX cannot transpose it by others."
        )


def _adjoint(derivative: FlatFunction, primals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    results = called(derivative, *primals, *map(_conjugate, cotangents))
    return [_conjugate(c) for c in results]


def _conjugate(x: Any) -> Any:
    return jnp.conj(x) if jnp.iscomplexobj(x) else x
