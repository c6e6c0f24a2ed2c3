"""The primitive by which JAX calls flat functions, and what each of its transformations makes of such a call.

A flat function is called on the host, with arrays of NumPy. Its derivatives are flat functions too, so that
one primitive serves all orders:

- a tangent is that of the function's pushforward, which is linear in the tangents;
- the transpose of a pushforward is the pullback, and that of a pullback the pushforward;
- rows are mapped by the function itself, and derivatives are those of the mapped function.

JAX's custom derivatives (`jax.custom_vjp`, `jax.custom_jvp`) have one mode each; a primitive has both. See
"JAX Internals: primitives", https://docs.jax.dev/en/latest/jax-primitives.html.

JAX pairs a cotangent with a tangent without conjugation, as if both were plain vectors of numbers, and
rules pair them by the inner product of complex vectors. So complex cotangents are conjugated on their way to
a pullback and back: ``J.T @ c == conj(J.conj().T @ conj(c))``.
"""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, PullbackOf, PushforwardOf
from chainrules.adapters.jax.arrays import fitted, jax_arrays, numpy_array
from chainrules.adapters.jax.mapped import Mapped
from chainrules.adapters.jax.promises import promised

call_p = Primitive("chainrules_call")
call_p.multiple_results = True


@call_p.def_impl
def _value(*xs: Any, function: FlatFunction) -> list[Any]:
    """The results, where all arguments have values: nothing is compiled."""
    outcome = function.value([numpy_array(x) for x in xs])
    return jax_arrays(function.name, outcome.arrays)


@call_p.def_abstract_eval
def _description(*avals: Any, function: FlatFunction) -> list[Any]:
    return [jax.core.ShapedArray(y.shape, y.dtype) for y in promised(function, avals)]


def _lowered(ctx: Any, *operands: Any, function: FlatFunction) -> Any:
    """In compiled programs: a call back to the host."""

    def on_host(*xs: Any) -> tuple[Any, ...]:
        outcome = function.value([numpy_array(x) for x in xs])
        return tuple(fitted(function.name, outcome.arrays, ctx.avals_out))

    return mlir.emit_python_callback(
        ctx,
        on_host,
        None,
        list(operands),
        ctx.avals_in,
        ctx.avals_out,
        has_side_effect=False,
        returns_token=False,
    )[0]


mlir.register_lowering(call_p, _lowered)


def _pushed(primals: Any, tangents: Any, *, function: FlatFunction) -> Any:
    ys = call_p.bind(*primals, function=function)
    given = tuple(type(x_dot) is not ad.Zero for x_dot in tangents)
    if not any(given):
        return ys, [ad.Zero.from_primal_value(y) for y in ys]
    x_dots = [x_dot for x_dot in tangents if type(x_dot) is not ad.Zero]
    y_dots = call_p.bind(*primals, *x_dots, function=PushforwardOf(function, given))
    return ys, [
        y_dot if y.dtype.kind in "fc" else ad.Zero.from_primal_value(y)
        for y, y_dot in zip(ys, y_dots, strict=True)
    ]


ad.primitive_jvps[call_p] = _pushed


def _transposed(cotangents: Any, *args: Any, function: FlatFunction) -> Any:
    return list(_transpose(function, cotangents, args))


ad.primitive_transposes[call_p] = _transposed


@singledispatch
def _transpose(function: FlatFunction, cotangents: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    raise AdapterError(f"{function.name} is not linear: `jax.linear_transpose` has no meaning for it.")


@_transpose.register
def _(function: PushforwardOf, cotangents: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    count = len(function.given)
    places = [place for place, is_given in enumerate(function.given) if is_given]
    _check_known(function, args[:count])
    # JAX may give zeros as a known tangent: a linear program has no others.
    wanted = tuple(
        place for place, x_dot in zip(places, args[count:], strict=True) if ad.is_undefined_primal(x_dot)
    )
    given = tuple(type(y_bar) is not ad.Zero for y_bar in cotangents)
    derivative = PullbackOf(function.function, wanted, given)
    found = dict(zip(wanted, _adjoint(derivative, args[:count], cotangents), strict=True))
    return [None] * count + [found.get(place) for place in places]


@_transpose.register
def _(function: PullbackOf, cotangents: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    count = len(args) - sum(function.given)
    _check_known(function, args[:count])
    x_dots: dict[int, Any] = dict(zip(function.wanted, cotangents, strict=True))
    given = tuple(place in x_dots and type(x_dots[place]) is not ad.Zero for place in range(count))
    ordered = [x_dots[place] for place in range(count) if given[place]]
    y_dots = _adjoint(PushforwardOf(function.function, given), args[:count], ordered)
    linear = [y_dot for y_dot, is_given in zip(y_dots, function.given, strict=True) if is_given]
    return [None] * count + [
        y_dot if ad.is_undefined_primal(y_bar) else None
        for y_dot, y_bar in zip(linear, args[count:], strict=True)
    ]


def _check_known(function: FlatFunction, primals: Sequence[Any]) -> None:
    if any(map(ad.is_undefined_primal, primals)):
        _transpose.dispatch(object)(function, (), ())


def _adjoint(derivative: FlatFunction, primals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    known = [_conjugate(c) for c in cotangents if type(c) is not ad.Zero]
    return [_conjugate(c) for c in call_p.bind(*primals, *known, function=derivative)]


def _conjugate(x: Any) -> Any:
    return jnp.conj(x) if x.dtype.kind == "c" else x


def _batched(args: Sequence[Any], axes: Sequence[Any], *, function: FlatFunction) -> Any:
    size = next(x.shape[axis] for x, axis in zip(args, axes, strict=True) if axis is not None)
    derived, stacked = _map_rows(function, size, tuple(axis is not None for axis in axes))
    rows = []
    for x, axis, has_rows in zip(args, axes, stacked, strict=True):
        if axis is not None:
            rows.append(jnp.moveaxis(x, axis, 0))
        else:
            rows.append(jnp.broadcast_to(x, (size, *x.shape)) if has_rows else x)
    ys = call_p.bind(*rows, function=derived)
    return ys, [0] * len(ys)


batching.primitive_batchers[call_p] = _batched


@singledispatch
def _map_rows(
    function: FlatFunction, size: int, stacked: tuple[bool, ...]
) -> tuple[FlatFunction, tuple[bool, ...]]:
    """A function for rows, and which of its arrays have to be stacked, at least those that are.

    A derivative of rows is a derivative of the mapped function: where a tangent is stacked, so is its primal.
    """
    return Mapped(function, size, stacked), stacked


@_map_rows.register
def _(function: PushforwardOf, size: int, stacked: tuple[bool, ...]) -> tuple[FlatFunction, tuple[bool, ...]]:
    count = len(function.given)
    of_dots = iter(stacked[count:])
    primals = tuple(
        has_rows | (is_given and next(of_dots))
        for has_rows, is_given in zip(stacked[:count], function.given, strict=True)
    )
    inner, primals = _map_rows(function.function, size, primals)
    tangents = (has_rows for has_rows, is_given in zip(primals, function.given, strict=True) if is_given)
    return PushforwardOf(inner, function.given), (*primals, *tangents)


@_map_rows.register
def _(function: PullbackOf, size: int, stacked: tuple[bool, ...]) -> tuple[FlatFunction, tuple[bool, ...]]:
    count = len(stacked) - sum(function.given)
    primals = tuple(has_rows or place in function.wanted for place, has_rows in enumerate(stacked[:count]))
    inner, primals = _map_rows(function.function, size, primals)
    return PullbackOf(inner, function.wanted, function.given), (*primals, *[True] * sum(function.given))
