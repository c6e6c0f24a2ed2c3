"""SciPy's sums of exponentials for lazy arrays, of functions of NumPy that stay lazy: SciPy would compute."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.values.lazy_arrays import is_untraced_lazy, refuse_lazy


def by_numpy_if_lazy(f: Callable[..., Any], lazy: Callable[..., Any]) -> Callable[..., Any]:
    """The function `f`, and for a lazy array `lazy`, which takes the same arguments."""

    def apply(x: Any, *options: Any, **named: Any) -> Any:
        return (lazy if is_untraced_lazy(x) else f)(x, *options, **named)

    return apply


def lazy_logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """As `scipy.special.logsumexp`, without weights.

    Raises
    ------
    TypeError
        With weights, or if the sign is to be returned.
    """
    if b is not None or return_sign:
        refuse_lazy(
            "scipy.special.logsumexp(..., b=..., return_sign=...)",
            "Sum `b * np.exp(x - np.max(x))` yourself.",
        )
    terms, shift = _shifted(a, axis)
    y = np.log(np.sum(terms, axis=axis, keepdims=keepdims))
    return y + np.reshape(shift, y.shape)


def lazy_softmax(x: Any, axis: Any = None) -> Any:
    """As `scipy.special.softmax`."""
    terms, _ = _shifted(x, axis)
    return terms / np.sum(terms, axis=axis, keepdims=True)


def lazy_log_softmax(x: Any, axis: Any = None) -> Any:
    """As `scipy.special.log_softmax`."""
    terms, shift = _shifted(x, axis)
    return x - shift - np.log(np.sum(terms, axis=axis, keepdims=True))


def _shifted(x: Any, axis: Any) -> tuple[Any, Any]:
    """The exponentials after the largest is shifted to one, and the shift; an infinite one is not shifted."""
    largest = np.max(x, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0)
    return np.exp(x - shift), shift
