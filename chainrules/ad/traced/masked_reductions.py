"""Sums, means and other reductions of masked arrays with traced elements, by their names in `numpy.ma`."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.traced.masked_arrays import (
    AS_THEY_ARE,
    METHODS,
    OF_NUMPY,
    elementwise,
    elements_of,
    lifted,
    made,
    plain_of,
    refusal,
)
from chainrules.ad.traced.masked_functions import FUNCTIONS, filled


def _total(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.sum(np.where(mask, 0.0, x), axis=axis, keepdims=keepdims)


def _share(total: Any, count: Any) -> Any:
    return total / np.maximum(count, 1).astype(np.result_type(plain_of(total)))


def _mean(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return _share(_total(x, mask, axis, keepdims), np.sum(~mask, axis=axis, keepdims=keepdims))


def _variance(x: Any, mask: Any, axis: Any, keepdims: bool, ddof: float = 0) -> Any:
    d = np.where(mask, 0.0, x - _mean(x, mask, axis, True))
    squares = np.sum(np.real(np.conj(d) * d), axis=axis, keepdims=keepdims)
    return _share(squares, np.sum(~mask, axis=axis, keepdims=keepdims) - ddof)


def _product(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.prod(np.where(mask, 1.0, x), axis=axis, keepdims=keepdims)


def _least(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.min(np.where(mask, np.inf, x), axis=axis, keepdims=keepdims)


def _greatest(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.max(np.where(mask, -np.inf, x), axis=axis, keepdims=keepdims)


def _median(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    """Of what is not masked: the mean of the two in the middle, or of the one with itself."""
    if axis is None:
        y = _median(np.ravel(x), np.ravel(mask), 0, keepdims=False)
        return np.reshape(y, (1,) * mask.ndim) if keepdims else y
    order = np.lexsort((plain_of(x), mask), axis=axis)  # NaN last, and behind it what is masked
    count = np.sum(~mask, axis=axis, keepdims=True)

    def element(place: Any) -> Any:
        return np.take_along_axis(x, np.take_along_axis(order, np.maximum(place, 0), axis), axis)

    # NaN in the place of the last element is NaN for the median.
    y = 0.5 * element((count - 1) // 2) + 0.5 * element(np.minimum(count // 2, mask.shape[axis] - 1))
    is_nan = np.isnan(plain_of(element(count - 1)))
    y = np.where(is_nan, np.nan * y, y) if np.any(is_nan) else y
    return y if keepdims else np.squeeze(y, axis)


def _reduction(name: str, g: Any, formula: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction: where nothing is masked, by the function for arrays."""
    f = getattr(np.ma, name)
    signature = inspect.signature(getattr(np.ma.MaskedArray, name, f))
    (of_what, *_) = signature.parameters

    def call(*args: Any, **kwargs: Any) -> Any:
        options = signature.bind(*args, **kwargs).arguments
        x = lifted(options.pop(of_what))
        if options.get("dtype") is not None:
            x = x.astype(options["dtype"])
        refused = [key for key in ("out", "fill_value", "mean") if options.get(key) is not None]
        if refused:
            raise TypeError(refusal(f"`np.ma.{name}` with `{refused[0]}`"))
        options = {key: option for key, option in options.items() if key in {"axis", "keepdims", "ddof"}}
        plain, mask = f(x.plain, **options), np.ma.getmaskarray(x.plain)
        if plain is np.ma.masked:
            return plain
        if not mask.any():
            return made(plain, g(x.traced, **options))
        return made(plain, formula(x.traced, mask, **({"axis": None, "keepdims": False} | options)))

    return call


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": _reduction("sum", np.sum, _total),
    "prod": _reduction("prod", np.prod, _product),
    "mean": _reduction("mean", np.mean, _mean),
    "var": _reduction("var", np.var, _variance),
    "min": _reduction("min", np.min, _least),
    "max": _reduction("max", np.max, _greatest),
}


def _root(x: Any) -> Any:
    """The square root of a variance; where that is zero the derivative is, as of `numpy.std`."""
    is_zero = plain_of(x) == 0
    return np.where(is_zero, 0.0, np.sqrt(np.where(is_zero, 1.0, x)))


def _deviation(*args: Any, **kwargs: Any) -> Any:
    variance = REDUCTIONS["var"](*args, **kwargs)
    return variance if variance is np.ma.masked else elementwise(np.ma.sqrt, _root, variance)


def _range(x: Any, axis: Any = None, out: Any = None, fill_value: Any = None, keepdims: bool = False) -> Any:
    least, greatest = (
        REDUCTIONS[name](x, axis, out, fill_value, keepdims=keepdims) for name in ("min", "max")
    )
    return greatest - least


def _anomalies(x: Any, axis: Any = None) -> Any:
    x = lifted(x)
    return x - REDUCTIONS["mean"](x, axis, keepdims=True)


def _running(name: str, neutral: float) -> Callable[..., Any]:
    f, g = getattr(np.ma, name), getattr(np, name)

    def call(x: Any, axis: Any = None) -> Any:
        return made(f(plain_of(x), axis), g(filled(x, neutral), axis))

    return call


REDUCTIONS |= {
    "anom": _anomalies,
    "cumprod": _running("cumprod", 1.0),
    "cumsum": _running("cumsum", 0.0),
    "ptp": _range,
    "std": _deviation,
}
METHODS |= REDUCTIONS
FUNCTIONS |= REDUCTIONS
FUNCTIONS |= {
    "amax": REDUCTIONS["max"],
    "amin": REDUCTIONS["min"],
    "anomalies": _anomalies,
    "median": _reduction("median", np.median, _median),
    "product": REDUCTIONS["prod"],
}


def _with_zeros(name: str) -> Callable[..., Any]:
    """A product in which what is masked counts as zero."""
    f, g = getattr(np.ma, name), getattr(np, name)

    def call(x: Any, y: Any, **options: Any) -> Any:
        return made(f(plain_of(x), plain_of(y), **options), g(filled(x, 0.0), filled(y, 0.0)))

    return call


_PRODUCTS = {name: _with_zeros(name) for name in ("dot", "inner", "outer")}
FUNCTIONS |= _PRODUCTS
FUNCTIONS |= {"innerproduct": _PRODUCTS["inner"], "outerproduct": _PRODUCTS["outer"]}
METHODS["dot"] = _PRODUCTS["dot"]


def _as_they_are(f: Callable[..., Any]) -> Callable[..., Any]:
    """A product of NumPy: of all elements, those that are masked too, with the mask that NumPy gives it."""
    return lambda x, y: made(f(plain_of(x), plain_of(y)), f(elements_of(x), elements_of(y)), AS_THEY_ARE)


OF_NUMPY |= {f: _as_they_are(f) for f in (np.dot, np.inner, np.vdot)}
