"""Functions in C that begin recursive filters of mirrored sequences, and that measure peaks, in NumPy.

Each filter begins with the sum of a few elements, and of a series ``Σ_k w_k x_k``. SciPy ends the series
after the first weight that is near zero; here it has as many terms.

Where peaks are, and their bases, is constant. A prominence is the height above the higher base. A width ends
between two samples, on the line through these. All else is written in Python, and calls are followed into it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
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
        def call(x: Any, *given: Any) -> Any:
            *parameters, precision = given
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


def _at_constant_places(find: Any) -> Callable[..., Any]:
    """A function whose results are numbers of samples and truth values."""
    return lambda *args: find(*map(primal_of, args))


def _prominences(measure: Any) -> Callable[..., Any]:
    """The function for the place of `_peak_prominences`."""

    def call(x: Any, peaks: Any, wlen: Any) -> Any:
        _, left, right = measure(primal_of(x), peaks, wlen)
        return x[peaks] - np.maximum(x[left], x[right]), left, right

    return entered_if_traced(measure, call)


def _widths(measure: Any) -> Callable[..., Any]:
    """The function for the place of `_peak_widths`."""

    def call(x: Any, peaks: Any, rel_height: Any, prominences: Any, left: Any, right: Any) -> Any:  # noqa: PLR0913, PLR0917 - SciPy's
        *_, first, last = measure(*map(primal_of, (x, peaks, rel_height, prominences, left, right)))
        heights = x[peaks] - rel_height * prominences
        first, last = (
            _crossing(x, heights, at, side) for at, side in ((np.floor(first), 1), (np.ceil(last), -1))
        )
        return last - first, heights, first, last

    return entered_if_traced(measure, call)


def _crossing(x: Any, heights: Any, at: Any, side: int) -> Any:
    """Where the line from a sample to its neighbour has a height; the sample itself, where that is higher."""
    at = at.astype(int)
    beside = np.clip(at + side, 0, len(x) - 1)
    is_between = primal_of(x)[at] < primal_of(heights)
    rise = np.where(is_between, x[beside] - x[at], 1.0)
    return at + side * np.where(is_between, (heights - x[at]) / rise, 0.0)


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
fact(
    "scipy.signal._peak_finding_utils._local_maxima_1d",
    "scipy.signal._peak_finding_utils._select_by_peak_distance",
    wrapped=_at_constant_places,
)
fact("scipy.signal._peak_finding_utils._peak_prominences", wrapped=_prominences)
fact("scipy.signal._peak_finding_utils._peak_widths", wrapped=_widths)


def _sweeping(sweep_poly: Any) -> Callable[..., Any]:
    """The function for the place of `sweep_poly`: a polynomial stands for its coefficients."""
    followed = entered(sweep_poly) or sweep_poly

    def call(t: Any, poly: Any, phi: Any = 0) -> Any:
        return followed(t, getattr(poly, "coeffs", poly), phi)

    return entered_if_traced(sweep_poly, call)


fact("scipy.signal._waveforms.sweep_poly", wrapped=_sweeping)
