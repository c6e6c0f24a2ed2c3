"""Holding shortcuts equal to the functions that they shorten, over the values that such ways get wrong."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    InplaceableThunk,
    NoTangent,
    Thunk,
    ZeroTangent,
    unthunk,
)


class Call(NamedTuple):
    """A call of a rule, or of another function that has a shortcut."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = MappingProxyType({})


class Subclass(np.ndarray):
    """A class derived from that of arrays."""


_rng = np.random.default_rng(20)


def variants(shape: tuple[int, ...] = (4,), draw: Callable[..., Any] = _rng.normal) -> list[Any]:
    """Arrays of one shape that differ in everything that a shortcut may overlook.

    Precision, complex and integer elements, ties, NaN, infinities, signed zeros; strides, order in memory,
    arrays that cannot be written to, and of a class derived from `np.ndarray`.
    """
    x = np.asarray(draw(size=shape))
    tied = np.round(x)
    special = x.copy()
    if special.size:
        special.flat[0] = np.nan
        special.flat[-1] = np.inf
    infinite = np.where(x > 0, np.inf, -np.inf)
    zeros = np.copysign(np.zeros(shape), x)
    wide = np.repeat(x[..., np.newaxis], 2, axis=-1)[..., 0]  # with gaps between the elements
    read_only = x.copy()
    read_only.flags.writeable = False
    return [
        x,
        x.astype(np.float32),
        x + 1j * np.asarray(draw(size=shape)),
        tied,
        tied.astype(int),
        special,
        infinite,
        zeros,
        wide,
        np.asfortranarray(x),
        read_only,
        x.view(Subclass),
    ]


def arrays(*shapes: tuple[int, ...], draw: Callable[..., Any] = _rng.normal) -> list[Any]:
    """`variants` of several shapes, by default a vector, a matrix, 0-d and empty arrays; and numbers."""
    shapes = shapes or ((4,), (3, 4), (), (0,), (2, 0))
    numbers = [1.5, np.float64(-0.5), np.float32(0.25), 2, 1.0 + 2.0j, 0.0, float("nan"), True]
    return [x for shape in shapes for x in variants(shape, draw)] + numbers


def cotangents(y: Any) -> list[Any]:
    """Cotangents of a number or an array `y`, of every kind that a pullback may be called with."""
    shape = np.shape(y)
    plain = variants(shape)
    if shape == ():
        plain += [1.5, np.float64(2.0), np.float32(0.5), 3, 1.0 - 1.0j, 0.0, float("nan"), float("inf")]
    value = _rng.normal(size=shape)
    return [
        *plain,
        np.zeros(shape),
        ZeroTangent(),
        Thunk(lambda: value),
        InplaceableThunk(lambda x_bar: x_bar + value, Thunk(lambda: value)),
        Thunk(ZeroTangent),
    ]


def given_cotangents(y: Any) -> list[Any]:
    """Those that the own pullback of a rule is given: neither thunks nor zeros."""
    return [y_bar for y_bar in cotangents(y) if not isinstance(y_bar, AbstractThunk | AbstractZero)]


class Outcome(NamedTuple):
    """The result of a call, or the class of the error that it raised."""

    value: Any
    error: type[Exception] | None


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Outcome:
    """Call a function; NumPy's warnings are no part of the outcome."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = function(*args, **kwargs)
            # Here, where warnings are silent, and not where the values are compared.
            return Outcome(tuple(map(unthunk, value)) if type(value) is tuple else value, None)
        except Exception as error:  # noqa: BLE001 - whichever it is, the other way must raise it too
            return Outcome(None, type(error))


def assert_same(short: Any, long: Any, where: str) -> None:
    """Both ways gave the same: classes, precision, shapes, and values up to the order of additions."""
    with np.errstate(all="ignore"):
        short, long = unthunk(short), unthunk(long)
    if isinstance(long, tuple | list):
        assert type(short) is type(long) and len(short) == len(long), where  # noqa: PT018 - one statement
        for i, (a, b) in enumerate(zip(short, long, strict=True)):
            assert_same(a, b, f"{where}[{i}]")
        return
    if isinstance(long, np.ndarray | np.generic | float | complex | int):
        assert type(short) is type(long), f"{where}: {short!r} for {long!r}"
        assert np.shape(short) == np.shape(long), where
        assert np.asarray(short).dtype == np.asarray(long).dtype, where
        precision = np.finfo(np.asarray(long).dtype).eps if np.asarray(long).dtype.kind in "fc" else 0.0
        scale = np.max(np.abs(np.asarray(long)[np.isfinite(long)]), initial=0.0)
        # Sums may add in another order.
        np.testing.assert_allclose(
            short, long, rtol=50 * precision, atol=50 * precision * scale, err_msg=where
        )
        return
    if hasattr(long, "__tangent_primal__"):  # a structural tangent
        assert type(short) is type(long), where
        assert_same(tuple(short), tuple(long), where)
        return
    assert type(short) is type(long), f"{where}: {short!r} for {long!r}"
    if not callable(long) and not isinstance(long, NoTangent | ZeroTangent):
        assert short == long, f"{where}: {short!r} for {long!r}"


def assert_shortcut_equals(
    shortcut: Callable[..., Any],
    function: Callable[..., Any],
    calls: Iterable[Call],
    cotangents_of: Callable[[Any], list[Any]] = given_cotangents,
) -> tuple[int, int]:
    """Compare a shortcut with the function that it shortens.

    Parameters
    ----------
    shortcut, function
        The two ways.
    calls
        The calls. The shortcut answers at least one of them, and declines at least one.
    cotangents_of
        From the result of a call to the cotangents that its pullback is called with.

    Returns
    -------
    tuple[int, int]
        How many of the calls the shortcut answers, and how many it declines.
    """
    answered = declined = 0
    for call in calls:
        where = f"{getattr(shortcut, '__qualname__', shortcut)}{call!r}"
        short = outcome(shortcut, *call.args, **call.kwargs)
        if short.value is None and short.error is None:
            declined += 1
            continue
        answered += 1
        long = outcome(function, *call.args, **call.kwargs)
        assert short.error is long.error, f"{where}: {short} for {long}"
        if long.error is not None:
            continue
        if not _is_pullback(long.value):
            assert_same(short.value, long.value, where)
            continue
        (y, pullback), (long_y, long_pullback) = short.value, long.value
        assert_same(y, long_y, where)
        assert order_in_memory(y) == order_in_memory(long_y), f"{where}: another order in memory"
        for y_bar in cotangents_of(long_y):
            pulled, long_pulled = outcome(_forced(pullback), y_bar), outcome(_forced(long_pullback), y_bar)
            assert pulled.error is long_pulled.error, f"{where} pulled by {y_bar!r}: {pulled}, {long_pulled}"
            if long_pulled.error is None:
                assert_same(pulled.value, long_pulled.value, f"{where} pulled by {y_bar!r}")
    assert answered, "no call is one that the shortcut answers"
    assert declined, "no call is one that the shortcut declines"
    return answered, declined


def order_in_memory(y: Any) -> Any:
    """Whether the elements of an array, or of each in a tuple, lie row by row, column by column, or both."""
    if isinstance(y, tuple):
        return [order_in_memory(part) for part in y]
    return (y.flags.c_contiguous, y.flags.f_contiguous) if isinstance(y, np.ndarray) else None


def _is_pullback(answer: Any) -> bool:
    return (
        isinstance(answer, tuple) and len(answer) == 2 and callable(answer[1]) and not _is_tangent(answer[1])
    )


def _is_tangent(x: Any) -> bool:
    return hasattr(type(x), "__unthunk__") or isinstance(x, NoTangent | ZeroTangent)


def _forced(pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda y_bar: tuple(unthunk(x_bar) for x_bar in pullback(y_bar))
