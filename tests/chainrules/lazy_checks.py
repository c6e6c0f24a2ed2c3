"""Checks that rules compute nothing of lazy arrays, and give what they give for NumPy's arrays."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from chainrules_core import AbstractZero, NoTangent, StructuralTangent, frule, is_lazy, rrule, unthunk


class WasComputedError(AssertionError):
    """A graph of Dask was computed where none may be."""


@contextmanager
def nothing_computed() -> Iterator[None]:
    """Fail wherever Dask computes: by `np.asarray`, `float`, `bool`, by its own functions."""
    import dask  # noqa: PLC0415 - whoever calls has it

    def refuse(*_: Any, **__: Any) -> Any:
        raise WasComputedError("a graph was computed")

    with dask.config.set(scheduler=refuse):
        yield


def lazily(x: Any, chunks: Any = None) -> Any:
    """An array as a lazy one: its first axis in two chunks, unless other chunks are given."""
    import dask.array  # noqa: PLC0415 - as above

    if chunks is None:
        chunks = tuple(max(1, -(-n // 2)) if place == 0 else n for place, n in enumerate(x.shape))
    return dask.array.from_array(x, chunks=chunks)


def leaves(x: Any) -> list[Any]:
    """The arrays and numbers in a tangent or a result, thunks computed."""
    x = unthunk(x)
    if isinstance(x, StructuralTangent):
        backing = x.__tangent_backing__
        x = list(backing.values()) if isinstance(backing, dict) else list(backing)
    return [leaf for part in x for leaf in leaves(part)] if isinstance(x, tuple | list) else [x]


def assert_equal(lazy: Any, plain: Any) -> None:
    """Lazy results are lazy, and have the values, shapes and dtypes of the others."""
    import dask  # noqa: PLC0415 - as above

    lazy, plain = leaves(lazy), leaves(plain)
    assert len(lazy) == len(plain)
    with dask.config.set(scheduler="synchronous"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of functions at points where they have none, in both
        for x, y in zip(lazy, plain, strict=True):
            if isinstance(y, AbstractZero) or isinstance(x, AbstractZero):
                assert type(x) is type(y)
                continue
            assert is_lazy(x)
            computed = np.asarray(x.compute())
            assert computed.shape == np.shape(y)
            assert computed.dtype == np.asarray(y).dtype
            np.testing.assert_allclose(computed, y, rtol=1e-9, atol=1e-11)


def cotangents_like(y: Any, like: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A cotangent of a result, lazy and plain."""
    if isinstance(y, tuple | list):
        pairs = [cotangents_like(*parts, rng) for parts in zip(y, like, strict=True)]
        return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    y_bar = rng.normal(size=y.shape).astype(y.real.dtype if y.dtype.kind in "fc" else float)
    y_bar = y_bar + 1j * rng.normal(size=y.shape).astype(y.real.dtype) if y.dtype.kind == "c" else y_bar
    if not is_lazy(like):
        return y_bar, y_bar
    return lazily(y_bar, chunks=like.chunks), y_bar


def check_rules(f: Callable[..., Any], *args: Any, chunks: Any = None, **named: Any) -> None:
    """Both rules of a function: lazy with lazy arrays, and then equal to those with NumPy's.

    Numbers and what else is no array of floats stays as it is. `chunks` are those of every array.
    """
    rng = np.random.default_rng(0)
    is_float = [isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in args]
    lazy = [lazily(x, chunks) if moves else x for x, moves in zip(args, is_float, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y, pullback = rrule.require(f, *args, **named)
        with nothing_computed():
            lazy_y, lazy_pullback = rrule.require(f, *lazy, **named)
        lazy_bar, y_bar = cotangents_like(y, lazy_y, rng)
        bars = pullback(y_bar)
        with nothing_computed():
            lazy_bars = tuple(map(unthunk, lazy_pullback(lazy_bar)))
        assert_equal(lazy_y, y)
        # Of numbers beside lazy arrays the cotangents are lazy.
        assert_equal(lazy_bars, bars)

        dots = [
            rng.normal(size=x.shape).astype(x.dtype) if m else NoTangent()
            for x, m in zip(args, is_float, strict=True)
        ]
        lazy_dots = [
            lazily(dot, x.chunks) if m else dot for dot, x, m in zip(dots, lazy, is_float, strict=True)
        ]
        answer = frule.require((NoTangent(), *dots), f, *args, **named)
        with nothing_computed():
            lazy_answer = frule.require((NoTangent(), *lazy_dots), f, *lazy, **named)
            lazy_answer = lazy_answer[0], unthunk(lazy_answer[1])
        assert_equal(lazy_answer, answer)
