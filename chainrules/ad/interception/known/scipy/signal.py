"""Functions in C that begin recursive filters of sequences that are mirrored at their ends, in NumPy.

Each result is the sum of a few elements, and of a series ``Σ_k w_k x_k``. SciPy ends the series after the
first weight that is near zero; here it has as many terms. The filters are written in Python, and calls are
followed into them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _by_one_pole(n: int, z: Any) -> list[tuple[Any, Any]]:
    """The weights of ``x_0 + Σ_k z^(k+1) x_k``."""
    return [(np.ones(1), z ** np.arange(1.0, n + 1))]


def _forwards(n: int, r: Any, omega: Any) -> list[tuple[Any, Any]]:
    """The weights of the first two elements, by the response ``h_k = c r^k sin((k + 1) ω) / sin(ω)``."""
    h = _gain(r, omega) * r ** np.arange(n + 2.0) * _sines(n + 2, omega)
    return [(h[:1], h[1 : n + 1]), (h[1::-1], h[2:])]


def _backwards(n: int, r: Any, omega: Any) -> list[tuple[Any, Any]]:
    """The weights of the last two elements, the last first, by the response to both directions."""
    square, sines = r * r, _sines(n + 2, omega)
    scale = (1.0 + square) / (1.0 - square) / (1.0 - 2.0 * square * np.cos(2.0 * omega) + square**2)
    before = np.concatenate((np.zeros(1), sines[:-1]))
    waves = sines - 2.0 * square / (1.0 + square) * np.cos(omega) * before
    h = _gain(r, omega) ** 2 * scale * np.abs(r) ** np.arange(n + 2.0) * waves
    none = np.zeros(1)
    return [(none, h[:n] + h[1 : n + 1]), (none, np.concatenate((h[1:2], h[: n - 1])) + h[2:])]


def _gain(r: Any, omega: Any) -> Any:
    return 1.0 - 2.0 * r * np.cos(omega) + r * r


def _sines(n: int, omega: Any) -> Any:
    """``sin((k + 1) ω) / sin(ω)``, by their recurrence, which holds where ω is zero too."""
    twice = 2.0 * np.cos(omega)
    sines = [1.0, twice]
    while len(sines) < n:
        sines.append(twice * sines[-1] - sines[-2])
    return np.stack(sines)


def _beginning(weights_of: Any, is_reversed: bool = False) -> Callable[[Any], Callable[..., Any]]:
    """What makes the function for the place of one in C, from what computes the weights of its results."""

    def make(begin: Any) -> Callable[..., Any]:
        def call(x: Any, *parameters: Any) -> Any:
            *parameters, precision = parameters
            plain = [primal_of(parameter) for parameter in parameters]
            begin(primal_of(x), *plain, precision)  # which raises if a series does not end
            least = precision if 0.0 < precision < 1.0 else _PRECISION[x.real.dtype.itemsize]
            least = least**0.5 if is_reversed else least  # as SciPy has it
            terms = [int(np.argmax(np.abs(w) <= least)) + 1 for _, w in weights_of(x.shape[1], *plain)]
            x, dtype = x[:, ::-1] if is_reversed else x, x.dtype
            y = [
                x[:, : len(first)] @ first + x[:, :n] @ w[:n]
                for n, (first, w) in zip(terms, weights_of(max(terms), *parameters), strict=True)
            ]
            return np.stack(y, axis=1).astype(dtype)

        return entered_if_traced(begin, call)

    return make


_PRECISION = {4: 1e-6, 8: 1e-11}

fact("scipy.signal._spline.symiirorder1_ic", wrapped=_beginning(_by_one_pole))
fact("scipy.signal._spline.symiirorder2_ic_fwd", wrapped=_beginning(_forwards))
fact("scipy.signal._spline.symiirorder2_ic_bwd", wrapped=_beginning(_backwards, is_reversed=True))

fact(
    "scipy.signal._ltisys._KNV0_loop",
    "scipy.signal._ltisys._YT_loop",
    refused="With several inputs, but fewer than states, `scipy.signal.place_poles` searches. The derivative "
    "of its steps is not that of its result. Give it one input, or as many as there are states, for which "
    "one gain places the poles; or write `scipy.linalg.solve_continuous_are`.",
)
