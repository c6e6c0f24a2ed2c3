"""Recursive filters of sequences that are mirrored at their ends, and peaks."""

import inspect

import numpy as np
import pytest
from scipy import signal
from scipy.signal import _spline

from chainrules.ad import checkpoint, grad, jacobian, jvp
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    primal_of,
    rrule,
    unthunk,
)
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import jacobian as differences
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.program_checks import check_along, check_slope
from tests.chainrules.rule_checks import normal

KERNELS = {
    "symiirorder1_ic": [(0.5,), (-0.4,)],
    "symiirorder2_ic_fwd": [(0.5, 0.7), (0.6, 2.0), (0.5, 0.0), (-0.5, 0.7)],
    "symiirorder2_ic_bwd": [(0.5, 0.7), (0.6, 2.0), (0.5, 0.0), (-0.5, 0.7)],
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex64])
def test_beginnings(name, dtype):
    """They are those that SciPy computes in C, to its precision and in its dtype."""
    if dtype == np.complex64 and name != "symiirorder1_ic":
        pytest.skip("SciPy takes real sequences only")
    x = normal(2, 60, dtype=dtype)
    for parameters in KERNELS[name]:
        for precision in (1e-3, 1e-5, -1.0):
            expected = getattr(_spline, name)(x, *parameters, precision)
            y = while_traced(x, lambda x: primal_of(getattr(_spline, name)(x, *parameters, precision)))  # noqa: B023 - called at once
            assert y.dtype == expected.dtype
            np.testing.assert_allclose(y, expected, rtol=2e-5 if dtype != np.float64 else 1e-12, atol=1e-6)


@pytest.mark.parametrize(
    "program",
    [
        lambda x, t: signal.symiirorder1(x, t[0], t[1]),
        lambda x, t: signal.symiirorder2(x, t[0], t[1]),
        lambda x, t: signal.symiirorder2(x[np.newaxis], t[0], 0.0),
        lambda x, t: signal.cspline2d(x[:, np.newaxis] * x[:24], precision=1e-4),
        lambda x, t: signal.cspline2d(x[:, np.newaxis] * x[:24], 2.0, 1e-3),
        lambda x, t: signal.qspline2d(x[:, np.newaxis] * x[:24], precision=1e-4),
    ],
)
def test_filters(program):
    """The derivatives are those by the sequence and by the parameters of the filter."""

    def f(x, t):
        return np.sum(program(x, t) ** 2)

    x, t = normal(60), np.array([0.31, 0.47])
    bars, expected = grad(f, (0, 1))(x, t), grad_by_differences(None, f, x, t)
    for bar, by_differences in zip(bars, expected, strict=True):
        np.testing.assert_allclose(bar, by_differences, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jvp(f, (x, t), (x, t))[1], sum(map(np.vdot, (x, t), bars)), rtol=1e-9)


def test_series_that_do_not_end():
    """They are SciPy's error."""
    with pytest.raises(ValueError, match="did not converge"):
        grad(lambda x: np.sum(signal.symiirorder1(x, 0.5, 0.5, 1e-9)))(normal(4))


A = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 2.0, 3.0]])


@pytest.mark.parametrize("poles", [[-1.0, -2.0, -3.0], [-1.0 + 1.0j, -1.0 - 1.0j, -3.0]])
def test_the_gain_of_one_input(poles):
    """It is the only one that places the poles, by the system and by the poles."""

    def f(t):
        B = np.stack([t[1:2], t[:1], t[1:2]])
        return np.sum(signal.place_poles(A + t[0], B, np.array(poles) - t[0]).gain_matrix ** 2)

    t = np.array([0.3, 0.2])
    np.testing.assert_allclose(grad(f)(t), grad_by_differences(None, f, t)[0], rtol=1e-6)


@pytest.mark.every_case
@pytest.mark.parametrize("method", ["YT", "KNV0"])
def test_searches_among_gains(method):
    """They are refused, with the reason."""
    B = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])

    def f(t):
        return np.sum(signal.place_poles(A * t, B, [-1.0, -2.0, -3.0], method).gain_matrix)

    with pytest.raises(TypeError, match="searches"):
        grad(f)(1.5)


PEAKS = np.array([0.0, 1.0, 0.3, 2.0, 1.1, 0.2, 1.5, 1.4, 0.1])
MEASURES = {
    "positions": lambda x: x[signal.find_peaks(x, distance=3)[0]],
    "prominences": lambda x: signal.find_peaks(x, prominence=0.1)[1]["prominences"],
    "prominences in a window": lambda x: signal.peak_prominences(x, [1, 3, 6], 5)[0],
    "widths": lambda x: np.concatenate(signal.peak_widths(x, [1, 3, 6], 0.7)),
    "widths up to the ends": lambda x: np.concatenate(signal.peak_widths(x[1:7], [2], 1.0)),
    "heights of properties": lambda x: signal.find_peaks(x, width=0.1, height=0.5)[1]["width_heights"],
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", MEASURES)
def test_peaks(name):
    """By the signal: positions and bases are constant, widths end between samples."""
    check_slope(MEASURES[name], PEAKS)


def test_second_derivatives_of_widths():
    """They are quotients of samples."""
    check_along(lambda x: np.sum(MEASURES["widths"](x) ** 2), PEAKS, np.cos(PEAKS))


def test_swept_polynomials():
    """A polynomial stands for its coefficients."""
    t = np.array([0.1, 0.4])
    by_object = grad(lambda t: np.sum(signal.sweep_poly(t, np.poly1d([0.3, 1.0]))))(t)
    np.testing.assert_allclose(by_object, grad(lambda t: np.sum(signal.sweep_poly(t, [0.3, 1.0])))(t))


# --- Coefficients that are zero -----------------------------------------------------------------------------

STATE, INPUT, OUTPUT = np.array([[0.0, 1.0], [-2.0, -3.0]]), np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]])
W = np.array([0.5, 1.0])
BOTH = [lambda f, x: grad(f)(x), lambda f, x: jacobian(f, mode="forward")(x)]


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
@pytest.mark.parametrize("differentiate", BOTH)
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda d: np.sum(signal.bode((STATE, INPUT, OUTPUT, d.reshape(1, 1)), w=W)[2]), np.zeros(1)),
        (
            lambda d: np.sum(signal.bode(signal.StateSpace(STATE, INPUT, OUTPUT, d.reshape(1, 1)), w=W)[1]),
            np.zeros(1),
        ),
        (lambda c: np.sum(signal.bode((STATE, INPUT, c.reshape(1, 2), 0.0), w=W)[2]), np.array([1.0, 0.0])),
        (lambda a: np.sum(signal.bode((a.reshape(2, 2), INPUT, OUTPUT, 0.0), w=W)[1]), STATE.ravel()),
        (
            lambda d: np.sum(signal.dbode((STATE / 4, INPUT, OUTPUT, d.reshape(1, 1), 0.1), w=W)[2]),
            np.zeros(1),
        ),
        (lambda b: np.sum(abs(signal.freqresp(([b[0], b[1]], [1.0, 2.0, 3.0]), w=W)[1])), np.array([0.0, 1])),
        (lambda b: np.sum(abs(signal.dfreqresp((b, [1.0, 0.2, 0.3], 1.0), W)[1])), np.array([0.0, 0, 1])),
        (lambda w: np.sum(signal.bode((STATE, INPUT, OUTPUT, 0.0), w=w)[1]), W),
        (lambda b: np.sum(abs(signal.freqresp(signal.TransferFunction(b, [1.0, 2.0]), w=W)[1])), W),
    ],
)
def test_responses_by_coefficients_that_are_zero(f, x, differentiate):
    """All coefficients count, where systems are given by state spaces or tuples."""
    np.testing.assert_allclose(differentiate(f, x), differences(None, f, x)[0].ravel(), rtol=1e-7, atol=1e-8)


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
@pytest.mark.every_case
@pytest.mark.parametrize("differentiate", BOTH)
@pytest.mark.parametrize(
    ("f", "x", "name"),
    [
        (lambda b: signal.TransferFunction([b[0], b[1]], [1.0, 2.0, 3.0]).num[0], [0.0, 1.0], "normalize"),
        (lambda a: signal.TransferFunction([1.0], a).den[1], [0.0, 1.0, 2.0], "normalize"),
        (
            lambda c: signal.StateSpace(STATE, INPUT, c.reshape(1, 2), 0.0).to_tf().num[0],
            [1.0, 0.0],
            "normalize",
        ),
        (lambda b: signal.bilinear(b, [1.0, 2.0, 3.0])[0][0], [0.0, 1.0], "bilinear"),
        (lambda k: np.sum(signal.invres([1.0, 2.0], [-1.0, -2.0], k)[0]), [0.0, 1.0], "invres"),
        (lambda k: np.sum(signal.invresz([1.0, 2.0], [-1.0, -2.0], k)[0]), [1.0, 0.0], "invresz"),
    ],
)
def test_coefficients_that_would_be_dropped(f, x, name, differentiate):
    """STATE system, or a result, of fewer coefficients would have lost their derivatives."""
    with pytest.raises(TypeError, match=rf"{name} drops coefficients that are zero, .* would be lost"):
        differentiate(f, np.array(x))


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
@pytest.mark.parametrize("differentiate", BOTH)
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda b: signal.TransferFunction(np.array([0.0, b[0], b[1]]), [1.0, 2.0, 3.0]).num[1], [2.0, 1.0]),
        (
            lambda b: signal.TransferFunction([0.0 * b[0], b[0], b[1]], [0.0, 1.0, 2.0, 3.0]).num[1],
            [2.0, 1.0],
        ),
        (lambda a: np.sum(signal.step((a.reshape(2, 2), INPUT, OUTPUT, 0.0), T=W)[1]), STATE.ravel()),
        (lambda a: signal.StateSpace(a.reshape(2, 2), INPUT, OUTPUT, 0.0).to_tf().den[2], STATE.ravel()),
    ],
)
def test_coefficients_that_are_constants(f, x, differentiate):
    """They may be dropped: nothing depends on them."""
    x = np.array(x)
    np.testing.assert_allclose(differentiate(f, x), differences(None, f, x)[0].ravel(), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: signal.bilinear(np.array([1.0, 2.0]), [1.0, 2.0, 3.0], x[0]),
        lambda x: signal.bilinear(x[:2], x[1:], fs=x[1]),
        lambda x: signal.bilinear(2.0, x, x[2]),
        lambda x: signal.residue(x, [1.0, 2.0, 1.0, 1.0])[0].real,
        lambda x: signal.residue(x, [1.0, 2.0])[2],
    ],
)
def test_programs(f):
    """By a rate that the coefficients depend on; by a numerator over known poles."""
    check_slope(lambda x: np.concatenate([np.ravel(part) for part in f(x)]), np.array([1.3, 0.8, 2.1]))


@pytest.mark.parametrize("n", [100, 101])
def test_minimum_phase(n):
    """The least element of a spectrum stays the least: its root has the slope zero."""
    h = signal.firwin(21, 0.3)
    if inspect.unwrap(signal.minimum_phase).__globals__["fft"] is np.fft.fft:
        pytest.skip(
            "before SciPy 1.16 the values jump with rounding, since NumPy's spectra are not symmetric"
        )
    # SciPy's values have the roots of rounding in them, which limit the differences.
    check_slope(lambda h: signal.minimum_phase(h + h[::-1], "hilbert", n), 0.5 * h, rtol=1e-4)


def test_minimum_phase_by_logarithms():
    """The other method."""
    check_slope(lambda h: signal.minimum_phase(h[:9] + h[8::-1], n_fft=64), 1.0 / np.arange(1.0, 10.0))


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
def test_dropped_coefficients_in_rules():
    """A rule has the derivatives by other arguments, and an error where that by a coefficient is needed."""
    system = np.array([[-1.0]]), np.eye(1), np.eye(1), np.zeros((1, 1))

    (_, p, _), pullback = rrule(signal.ss2zpk, *system)
    _, by_A, _, _, by_D = pullback((NoTangent(), np.ones(1), 0.0))

    assert p == [-1.0]
    np.testing.assert_allclose(unthunk(by_A), [[1.0]])
    assert isinstance(unthunk(by_D), NotImplementedTangent)
    assert grad(lambda a: checkpoint(signal.ss2zpk)(a, *system[1:])[1][0])(system[0]) == [[1.0]]
    with pytest.raises(DerivativeNotImplementedError, match="drops coefficients that are zero"):
        grad(lambda d: checkpoint(signal.ss2zpk)(*system[:3], d)[1][0])(system[3])


@pytest.mark.parametrize("first", [1.0, 2.0])
@pytest.mark.parametrize(
    "state",
    [
        lambda b, a, y: signal.lfiltic(b, a, y, x=y),
        lambda b, a, y: signal.lfiltic(b, a, y[:2], [0.3, y[0]]),
        lambda b, a, y: signal.lfiltic([b[0], 0.3], [a[0], a[1], 0.2], y),
    ],
)
def test_states_by_the_first_coefficient(first, state):
    """SciPy divides by it if it is not one, or never: the derivative is the same limit."""
    b, y = np.array([0.3, 0.2]), np.array([0.7, -0.4])

    def f(v):
        return np.sum(np.sin(state(b * v[1], v[:3], y * v[2])))

    check_along(f, np.array([first, -0.5, 0.2]), np.array([0.3, 0.4, -1.0]))
