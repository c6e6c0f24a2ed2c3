"""Rules for the instances of `numpy.vectorize`, which call a Python function for each element.

An argument that is excluded from vectorization is the same in all calls, and gets the sum of their
cotangents; so does the function itself. With a ``signature`` there is no rule.
"""

from collections.abc import Iterator, Sequence
from numbers import Number
from typing import Any

import numpy as np

from chainrules.formulas.calls.calling_back import pull_calls, total_of
from chainrules.operations.casting import astype
from chainrules.values.iterables import item_tangents, tuple_tangent, zeros_if_zero
from chainrules.values.permutations import in_memory_like
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractArray,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    Tangent,
    frule,
    frule_via_ad,
    is_complex,
    primal_of,
    rrule,
    rrule_via_ad,
    unbroadcast,
    unthunk,
)
from chainrules_core.speed import value_for_dispatch

# The precisions that Python's numbers do not have.
SINGLE = (np.float16, np.float32, np.complex64)


@frule.dispatch
def vectorize_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: np.vectorize, *args: Any, **named: Any
):
    if f.signature is not None:
        return None
    f_dot, *arg_dots = tangents
    arg_dots = [
        dot if i in f.excluded or isinstance(dot, AbstractZero) else tangent_as_array(x, dot)
        for i, (x, dot) in enumerate(zip(args, arg_dots, strict=True))
    ]
    args = operands(f, args)
    shape = shape_of_result(f, args, named)
    calls = zip(elements(f, args, named, shape), tangents_of_elements(f, arg_dots, shape), strict=True)
    results = [
        frule_via_ad(config, (f_dot.pyfunc, *x_dots), f.pyfunc, *xs, **kw) for (xs, kw), x_dots in calls
    ]
    ys = [y for y, _ in results]
    y = results_of(f, ys, args, named) if results else nothing(f, shape)
    return y, gathered_tangents(y, [y_dot for _, y_dot in results], shape)


@rrule.dispatch
def vectorize_rrule(config: RuleConfig[HasReverseMode], f: np.vectorize, *args: Any, **named: Any):
    if f.signature is not None:
        return None
    given, args = args, operands(f, args)
    shape = shape_of_result(f, args, named)
    calls = list(elements(f, args, named, shape))
    results = [rrule_via_ad(config, f.pyfunc, *xs, **kw) for xs, kw in calls]
    ys = [y for y, _ in results]
    y = results_of(f, ys, args, named) if results else nothing(f, shape)

    def vectorize_pullback(y_bar):
        y_bars = cotangents_of_calls(y, y_bar, shape)
        g_bar, columns = pull_calls(f.pyfunc, [pull for _, pull in results], y_bars, len(args))
        x_bars = [
            total_of(bars) if i in f.excluded else array_cotangent(x, bars, shape)
            for i, (x, bars) in enumerate(zip(given, columns, strict=True))
        ]
        f_bar = g_bar if isinstance(g_bar, AbstractZero) else Tangent[np.vectorize](pyfunc=g_bar)
        return f_bar, *x_bars

    return y, vectorize_pullback


# --- The calls for the elements ----------------------------------------------------------------------------


def operands(f: np.vectorize, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with arrays for lists of numbers that `f` goes through."""
    return tuple(x if i in f.excluded else as_operand(x) for i, x in enumerate(args))


def as_operand(x: Any) -> Any:
    y = array_of(x)
    return y if has_derivative(y) else x


def has_derivative(x: Any) -> bool:
    """Whether an argument holds floating point numbers; text, `None` and integers are constants."""
    x = primal_of(x)
    return isinstance(x, Number | AbstractArray) and np.dtype(getattr(x, "dtype", type(x))).kind in "fc"


def shape_of_result(f: np.vectorize, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, ...]:
    """The shape that the arguments have together, without those that are excluded."""
    return np.broadcast_shapes(*(np.shape(primal_of(x)) for _, x in vectorized(f, args, named)))


def vectorized(f: np.vectorize, args: Sequence[Any], named: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The arguments that `f` goes through, by position and by keyword."""
    return [(name, x) for name, x in (*enumerate(args), *named.items()) if name not in f.excluded]


def elements(
    f: np.vectorize, args: tuple[Any, ...], named: dict[str, Any], shape: tuple[int, ...]
) -> Iterator[Any]:
    """The arguments of each call."""
    spread = {name: as_objects(x, shape) for name, x in vectorized(f, args, named)}
    for place in np.ndindex(shape):
        xs = [spread[i][place] if i in spread else x for i, x in enumerate(args)]
        yield xs, {name: spread[name][place] if name in spread else x for name, x in named.items()}


def tangents_of_elements(f: np.vectorize, dots: list[Any], shape: tuple[int, ...]) -> Iterator[list[Any]]:
    """The tangents of the arguments of each call; that of a constant is the same in all calls."""
    spread = {
        i: as_objects(dot, shape) for i, dot in vectorized(f, dots, {}) if not isinstance(dot, AbstractZero)
    }
    for place in np.ndindex(shape):
        yield [spread[i][place] if i in spread else dot for i, dot in enumerate(dots)]


def as_objects(x: Any, shape: tuple[int, ...]) -> Any:
    """An argument in the shape of the result, in double precision as Python's numbers are."""
    if not has_derivative(x):
        return np.broadcast_to(np.asarray(x, dtype=object), shape)
    return np.broadcast_to(astype(x, complex if is_complex(x) else float), shape)


# --- The arrays of the results -----------------------------------------------------------------------------


def results_of(f: np.vectorize, ys: list[Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The array of the results; a tuple of arrays, if each is a tuple."""
    dtypes = result_types(f, ys[0], args, named)
    layout = layout_of_results(f, args, named)
    columns = zip(*ys, strict=True) if isinstance(ys[0], tuple) else (ys,)
    arrays = tuple(
        in_memory_like(layout, array_of_column(column, layout.shape, dtype))
        for column, dtype in zip(columns, dtypes, strict=True)
    )
    return arrays if isinstance(ys[0], tuple) else arrays[0]


def array_of_column(ys: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    y = np.reshape(np.stack(ys), shape)
    return y if primal_of(y).dtype == dtype else astype(y, dtype)


def layout_of_results(f: np.vectorize, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """An array in the order in memory that NumPy gives the results: that of the arguments, if they agree."""
    arrays = [_like(primal_of(x)) for _, x in vectorized(f, args, named)]
    operands: Any = [*arrays, None]  # one is allocated, which the annotations of `nditer` do not know
    kinds: Any = [["readonly"]] * len(arrays) + [["writeonly", "allocate"]]
    dtypes = [None] * len(arrays) + [np.bool_]
    return np.nditer(operands, ["refs_ok", "zerosize_ok"], kinds, dtypes).operands[-1]


def _like(x: Any) -> Any:
    """An array of the dtype and the order in memory of an argument, whose elements are not to be read."""
    if not hasattr(x, "strides"):
        return np.asarray(x)
    return np.asarray(value_for_dispatch(x))


def result_types(f: np.vectorize, first: Any, args: tuple[Any, ...], named: dict[str, Any]) -> list[np.dtype]:
    """The dtypes of the results: the ones that `f` was given, or the dtypes of the first result.

    For the first result NumPy gives the function an element in the precision of the array.
    """
    if f.otypes:
        return [np.dtype(dtype) for dtype in f.otypes]
    given = {name: primal_of(x) for name, x in vectorized(f, args, named)}
    if any(_like(x).dtype in SINGLE for x in given.values()):
        arrays = {name: np.asarray(x) for name, x in given.items()}
        xs = [arrays[i].flat[0] if i in arrays else primal_of(x) for i, x in enumerate(args)]
        first = f.pyfunc(
            *xs, **{name: arrays[name].flat[0] if name in arrays else x for name, x in named.items()}
        )
    return [np.result_type(primal_of(y)) for y in (first if isinstance(first, tuple) else (first,))]


def nothing(f: np.vectorize, shape: tuple[int, ...]) -> Any:
    """The result of no calls, which has the types that `f` was given."""
    if not f.otypes:
        return f(np.empty(shape))  # NumPy's own error
    arrays = tuple(np.empty(shape, dtype=dtype) for dtype in f.otypes)
    return arrays if len(arrays) > 1 else arrays[0]


def gathered_tangents(y: Any, y_dots: list[Any], shape: tuple[int, ...]) -> Any:
    """The tangent of the array, or of the tuple of arrays, from the tangents of the results."""
    if not isinstance(y, tuple):
        return array_of_tangents(y, y_dots, shape)
    columns = (
        zip(*(item_tangents(unthunk(y_dot), len(y)) for y_dot in y_dots), strict=True)
        if y_dots
        else [()] * len(y)
    )
    return tuple_tangent(tuple, [array_of_tangents(*pair, shape) for pair in zip(y, columns, strict=True)])


def array_of_tangents(y: Any, y_dots: Any, shape: tuple[int, ...]) -> Any:
    if primal_of(y).dtype.kind not in "fc":
        return NO_TANGENT
    if not y_dots:
        return np.zeros_like(y)
    return ProjectTo(y)(np.reshape(np.stack([zeros_if_zero(0.0, y_dot) for y_dot in y_dots]), shape))


def cotangents_of_calls(y: Any, y_bar: Any, shape: tuple[int, ...]) -> list[Any]:
    """The cotangent of the result of each call."""
    if not isinstance(y, tuple):
        return cotangents_of_elements(y, y_bar, shape)
    pairs = zip(y, item_tangents(y_bar, len(y)), strict=True)
    columns = [cotangents_of_elements(*pair, shape) for pair in pairs]
    return [tuple_tangent(tuple, row) for row in zip(*columns, strict=True)]


def cotangents_of_elements(y: Any, y_bar: Any, shape: tuple[int, ...]) -> list[Any]:
    if isinstance(y_bar, AbstractZero) or primal_of(y).dtype.kind not in "fc":
        return [NO_TANGENT for _ in np.ndindex(shape)]
    y_bar = ProjectTo(y)(y_bar)
    return [y_bar[place] for place in np.ndindex(shape)]


def array_cotangent(x: Any, x_bars: list[Any], shape: tuple[int, ...]) -> Any:
    """The cotangent of an array from the cotangents of its elements in all calls."""
    operand = as_operand(x)
    if not has_derivative(operand):
        return NO_TANGENT
    if not x_bars:
        return cotangent_in_lists(x, np.zeros_like(operand))
    bars = np.reshape(np.stack([zeros_if_zero(0.0, x_bar) for x_bar in x_bars]), shape)
    return cotangent_in_lists(x, unbroadcast(operand, bars))
