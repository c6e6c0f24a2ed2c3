"""Functions that cannot be entered, and call traced code back, are errors that name them."""

import functools

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack
import scipy.integrate
import scipy.interpolate
import scipy.optimize
import scipy.signal
import scipy.spatial
from scipy import ndimage

from chainrules.ad import grad, stop_gradient
from chainrules.ad.interception.choosing.unentered import calls_back_unseen, guarding, not_entered
from chainrules_core import RuleNotFoundError


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda a: scipy.optimize.fminbound(lambda t: (t - a) ** 2, 0.0, 5.0), "fminbound"),
        (lambda a: scipy.integrate.odeint(lambda y, t: a * y, 1.0, [0.0, 1.0])[1, 0], "odeint"),
        (lambda a: scipy.optimize.brent(lambda t: (t - a) ** 2), "brent"),
        (lambda a: scipy.optimize.golden(functools.partial(lambda a, t: (t - a) ** 2, a)), "golden"),
        (lambda a: np.sum(ndimage.generic_filter(np.ones(3), lambda w: a * np.sum(w), 3)), "generic_filter"),
    ],
)
def test_callbacks_that_are_traced(f, name):
    """The derivative would be lost, or be that of the steps."""
    with pytest.raises(RuleNotFoundError, match=rf"scipy\.\w+\.{name}, .*calls .* back.*would be lost"):
        grad(f)(1.0)


def test_arguments_that_are_traced():
    """Likewise."""
    with pytest.raises(RuleNotFoundError, match=r"fmin.*not that of its result.*stop_gradient"):
        grad(lambda a: scipy.optimize.fmin(np.sum, np.array([a]), disp=False)[0])(1.0)


def test_constants():
    """Where nothing traced is involved they are called as they are."""

    def f(a):
        root = scipy.optimize.brentq(lambda t: t - 2.0, 0.0, 5.0)
        area, _ = scipy.integrate.quad(lambda t: t, 0.0, 1.0)
        filtered = ndimage.generic_filter(np.ones(3), np.sum, 3)
        return a * root * area * filtered[0]

    assert grad(f)(3.0) == pytest.approx(3.0)
    assert grad(lambda a: a * scipy.optimize.brentq(lambda t: t - stop_gradient(a), 0.0, 5.0))(3.0) == 3.0


def test_traced_values_in_code_in_c():
    """The function that the program called is named with its line, and the one in C that has no rule."""
    spline = scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 2)
    for f, called, in_c in (
        (lambda x: np.sum(spline(x)), "interpolate.CubicSpline.__call__", r"_ppoly\.evaluate"),
        (lambda x: np.sum(ndimage.gaussian_filter(x, 1.0)), "ndimage.gaussian_filter", r"\.correlate1d"),
        (lambda x: np.sum(scipy.fftpack.dct(x)), "fftpack.dct", r"(pypocket|pyducc)fft\.dct"),  # of pybind11
        (lambda x: scipy.signal.lfilter([1.0], [1.0, 0.2], x)[0], "signal.lfilter", r"\._linear_filter"),
        (lambda x: scipy.interpolate.splrep(np.arange(4.0), x)[1][0], "interpolate.splrep", "curfit"),  # f2py
    ):
        place = r"with a traced value at .*unentered\.py:\d+"
        message = rf"scipy\.{called} was called {place}.*{in_c}.* is written in C"
        with pytest.raises(RuleNotFoundError, match=message):
            grad(f)(np.ones(4))


def test_classes_in_c():
    """Their constructors are refused as functions in C are."""
    with pytest.raises(RuleNotFoundError, match=r"scipy\.spatial\.Voronoi was called .* It is written in C"):
        grad(lambda x: np.sum(scipy.spatial.Voronoi(x).vertices))(
            np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
        )


def test_solvers_in_c():
    """Code in C that may corrupt memory where it cannot convert a value is not called with one."""
    for solve in (
        lambda a: scipy.integrate.ode(lambda t, y: -y).set_initial_value(a).integrate(0.5)[0],
        lambda a: scipy.integrate.solve_ivp(lambda t, y: -y, (0, 1), np.stack([a]), method="LSODA").y[0, -1],
    ):
        with pytest.raises(
            RuleNotFoundError, match=r"(ode\.integrate|solve_ivp) .*\b(dvode|lsoda), which is written in C"
        ):
            grad(solve)(1.0)


def test_what_to_read():
    """Whoever has to write a rule is sent to a page with some, or to the function that is there instead."""
    with pytest.raises(RuleNotFoundError, match=r"scipy\.optimize\.fminbound: `docs/.*` has five"):
        grad(lambda a: scipy.optimize.fminbound(lambda t: (t - a) ** 2, 0.0, 5.0))(1.0)
    with pytest.raises(RuleNotFoundError, match=r"scipy\.fft\.rfft was called .* Write `np\.fft\.rfft`"):
        grad(lambda x: np.sum(np.abs(scipy.fft.rfft(x))))(np.ones(4))


def test_arrays_that_may_be_filled_in_code_in_c():
    """They are plain arrays there."""

    def f(x):
        y = np.zeros(4)
        y[1] = 2.0
        inner = spline(y)
        y[0] = x
        return np.sum(inner) * np.sum(y)

    spline = scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 2)
    assert grad(f)(3.0) == pytest.approx(4.0)


def test_errors_of_code_in_c():
    """They stay what they are, where nothing traced is given."""
    with pytest.raises(TypeError, match="takes exactly 7 arguments"):
        grad(lambda x: x * ndimage._nd_image.correlate1d(1))(1.0)


def test_which_functions():
    """Those of Python's library are known; the functions of Rosenbrock do not search."""
    assert not calls_back_unseen(map)
    assert not calls_back_unseen(3)
    assert calls_back_unseen(np.frompyfunc)
    for f, expected in (
        (scipy.optimize.minimize, True),
        (scipy.optimize.rosen, False),
        (scipy.integrate.quad, True),
        (scipy.integrate.simpson, False),
        (scipy.signal.lfilter, False),
    ):
        assert bool(not_entered(f)) is expected
    f = functools.wraps(scipy.optimize.minimize)(lambda x: x)
    f.__module__ = None
    assert not not_entered(f)
    assert not_entered(scipy.optimize.minimize)
    assert not_entered(scipy.integrate.quad)
    assert not not_entered(scipy.integrate.solve_ivp)
    assert not not_entered(scipy.optimize.rosen)
    assert not not_entered(test_which_functions)


def test_errors_after_a_lost_derivative():
    """The error of a function that missed what was lost is a consequence: the cause is told."""
    with pytest.raises(RuleNotFoundError, match=r"brent.*calls .* back") as caught:
        grad(lambda a: scipy.optimize.brent(lambda t: t - a, brack=(0.0, 1.0, 2.0)))(1.0)

    assert "Bracketing values" in str(caught.value.__cause__)


def test_errors_of_their_own():
    """Where nothing was lost the error is the function's."""
    with pytest.raises(ValueError, match="different signs"):
        grad(lambda a: a * scipy.optimize.brentq(lambda t: t - 2.0, 10.0, 20.0))(1.0)


def test_an_error_after_the_first_call_back():
    """What was lost is told, whether it was lost once or more often."""

    def calling_once(f):
        f(1.0)
        return 1.0

    def failing(f):
        calling_once(f)
        raise ValueError("without a result")

    def program(x, f):
        return guarding(f, lambda f: f)(lambda t: t * x)

    with pytest.raises(RuleNotFoundError, match=r"calling_once.*calls .* back"):
        grad(program)(1.0, calling_once)
    with pytest.raises(RuleNotFoundError, match=r"calls .* back") as caught:
        grad(program)(1.0, failing)
    assert "without a result" in str(caught.value.__cause__)
