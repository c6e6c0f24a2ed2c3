"""Functions in C that begin recursive filters of mirrored sequences, and that measure peaks, in NumPy.

Each filter begins with the sum of a few elements, and of a series ``Σ_k w_k x_k``. SciPy ends the series
after the first weight that is near zero; here it has as many terms.

Where peaks are, and their bases, is constant. A prominence is the height above the higher base. A width ends
between two samples, on the line through these. All else is written in Python, and calls are followed into it.
"""

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import describe_callee, primal_of


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


def _of_least_phase(minimum_phase: Any) -> Callable[..., Any]:
    """The function for the place of `minimum_phase`.

    Its method "hilbert" takes the root of a spectrum less its least element, which stays zero there.
    """
    followed = entered(minimum_phase) or minimum_phase
    transforms = inspect.unwrap(minimum_phase).__globals__  # NumPy's before SciPy 1.16

    def call(h: Any, method: str = "homomorphic", n_fft: Any = None, **half: Any) -> Any:
        if method != "hilbert":
            return followed(h, method, n_fft, **half)
        y, h = minimum_phase(primal_of(h), method, n_fft, **half), _as_array(h)
        n = 2 ** int(np.ceil(np.log2(2.0 * (len(h) - 1) / 0.01))) if n_fft is None else int(n_fft)
        fft, ifft = (choose(transforms[name]) for name in ("fft", "ifft"))
        H = np.real(fft(h, n) * np.exp(1j * (np.arange(n) * (2.0 * np.pi / n * (len(h) // 2)))))
        least, most = np.min(H), np.max(H)
        H = H - least
        plain = primal_of(H)
        is_least = plain <= 8.0 * np.finfo(float).eps * np.max(plain)  # some are least but for rounding
        roots = np.where(is_least, np.sqrt(plain), np.sqrt(np.where(is_least, 1.0, H)))
        H = 2.0 * roots / (np.sqrt(most - least) + np.sqrt(2.0 - most - least)) + 1e-10
        signs = np.sign(np.fft.fftfreq(n)) * (np.arange(n) != n // 2)
        return np.real(ifft(H * np.exp(fft(signs * ifft(np.log(H))))))[: len(y)]

    return entered_if_traced(minimum_phase, call)


fact("scipy.signal._fir_filter_design.minimum_phase", wrapped=_of_least_phase)
fact("scipy.signal._waveforms.sweep_poly", wrapped=_sweeping)


# --- Coefficients that are zero ----------------------------------------------------------------------------
#
# SciPy drops the first coefficients of polynomials if they are zero, and their derivatives would be lost.
# That is an error if they depend on anything; but the response of a system is computed from all of them.


def _dropping(function: Any, read: Callable[..., list[Any]]) -> Callable[..., Any]:
    """The function for the place of one that drops coefficients, those that `read` finds in its arguments."""
    followed = entered(function) or function

    def call(*args: Any, **kwargs: Any) -> Any:
        y = followed(*args, **kwargs)
        for dropped in read(*args):
            _refuse_to_drop(function, dropped)
        return y

    return entered_if_traced(function, call)


def _refuse_to_drop(function: Any, dropped: Any) -> None:
    place = place_in_program(sys._getframe(1))
    error = TypeError(
        f"{describe_callee(function)} drops coefficients that are zero, and was given a traced one{place}: "
        "its derivative would be lost. All coefficients are kept by `scipy.signal.freqs` and `freqz`, and by "
        "`freqresp`, `bode` and the like, for a system that is given as a tuple, `bode((b, a))`, or by its "
        "state space."
    )
    while isinstance(dropped, TracedValue):
        trace, record = dropped._trace, dropped._record
        y_bar = np.sqrt(np.arange(1.0, 1.0 + np.size(primal_of(dropped)))).reshape(np.shape(dropped))
        if not trace.is_constant and trace.lost is not None:
            trace.lost.append((record, y_bar, error))
        elif not trace.is_constant and trace.moves(record, y_bar):
            raise trace.refuse(error)
        dropped = dropped._value


def _normalized(b: Any, a: Any) -> list[Any]:
    """The coefficients that `normalize` drops; of numerators those that are near zero in all rows."""
    dropped = _leading(a)
    rows = np.atleast_2d(_as_array(b))
    first = next(iter(dropped), None)
    scale = np.atleast_1d(primal_of(_as_array(a)))[0 if first is None else first.shape[0]]
    is_kept = np.any(np.abs(primal_of(rows) / scale) > 1e-14, axis=0)
    count = min(int(np.argmax(is_kept)) if is_kept.any() else len(is_kept), len(is_kept) - 1)
    return [*dropped, rows[:, :count]] if count else dropped


def _leading(*polynomials: Any) -> list[Any]:
    """The first coefficients of each polynomial, as far as they are zero, if there are any."""
    found = [np.atleast_1d(_as_array(c)) for c in polynomials]
    return [c[: np.argmax(primal_of(c) != 0)] for c in found if np.any(primal_of(c)) and primal_of(c)[0] == 0]


def _trailing(*polynomials: Any) -> list[Any]:
    return _leading(*(np.atleast_1d(_as_array(c))[::-1] for c in polynomials))


def _as_array(x: Any) -> Any:
    return choose(np.asarray)(x)


_DROPPED: dict[str, Callable[..., list[Any]]] = {
    "_filter_design.normalize": lambda b, a, *_: _normalized(b, a),
    "_filter_design.bilinear": lambda b, a, *_: _leading(b, a),
    "_signaltools.residue": lambda b, a, *_: _leading(b, a),
    "_signaltools.residuez": lambda b, a, *_: _trailing(b, a),
    "_signaltools.invres": lambda r, p, k, *_: _leading(k),
    "_signaltools.invresz": lambda r, p, k, *_: _trailing(k),
}
for _name, _read in _DROPPED.items():
    fact(f"scipy.signal.{_name}", wrapped=functools.partial(_dropping, read=_read))


def _response(point: Callable[[Any], Any]) -> Callable[[Any], Callable[..., Any]]:
    """For where a frequency lies in the plane what makes the function for the place of `freqresp`."""

    def wrapped(respond: Any) -> Callable[..., Any]:
        followed = entered(respond) or respond

        def call(system: Any, w: Any = None, *args: Any, **kwargs: Any) -> Any:
            found = None if is_traced(w) else _polynomials(system, point is _on_circle)
            if found is None:
                return followed(system, w, *args, **kwargs)
            plain, num, den = found
            w, _ = respond(plain, w, *args, **kwargs)
            return w, np.polyval(num, point(w)) / np.polyval(den, point(w))

        return entered_if_traced(respond, call)

    return wrapped


def _polynomials(system: Any, is_discrete: bool) -> tuple[Any, Any, Any] | None:
    """The plain system, its numerator and denominator; `None` if it is given in another way."""
    if hasattr(system, "_A"):
        parts, rest = [system.A, system.B, system.C, system.D], (system.dt,) * is_discrete
    elif isinstance(system, tuple | list) and len(system) - is_discrete in {2, 4}:
        parts, rest = (
            [_as_array(part) for part in system[: len(system) - is_discrete]],
            tuple(system[-1:]) * is_discrete,
        )
    else:
        return None
    plain = (*map(primal_of, parts), *rest)
    if len(parts) == 4:
        import scipy.signal  # noqa: PLC0415 - the caller has imported it

        num, den = choose(scipy.signal.ss2tf)(*parts)
    else:
        num, den = parts
    num = np.atleast_2d(num)[0]
    is_zero = np.abs(primal_of(num)) <= 1e-14 * np.abs(primal_of(den))[0]
    return plain, num - np.where(np.cumprod(is_zero), primal_of(num), 0.0), den


def _on_axis(w: Any) -> Any:
    return 1j * w


def _on_circle(w: Any) -> Any:
    return np.exp(1j * w)


fact("scipy.signal._ltisys.freqresp", wrapped=_response(_on_axis))
fact("scipy.signal._ltisys.dfreqresp", wrapped=_response(_on_circle))


def _divided(f: Callable[..., Any]) -> Callable[..., Any]:
    """`lfiltic`, of coefficients divided by the first of `a`, as by newer SciPy where that is not one."""
    followed = entered_if_traced(f)
    divides = f([0.0], [2.0, 2.0], [1.0])[0] == -1.0

    def call(b: Any, a: Any, y: Any, x: Any = None) -> Any:
        if divides and is_traced(a):
            a, b = choose(np.atleast_1d)(a), choose(np.atleast_1d)(b)
            if primal_of(a[0]) == 1.0:
                a, b = a / a[0], b / a[0]
        return followed(b, a, y, x)

    return call


fact("scipy.signal._signaltools.lfiltic", wrapped=_divided)
