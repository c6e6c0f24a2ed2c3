"""Which function a program called, for whoever is told that a function further in has no rule."""

import sys

import pytest
from scipy import integrate, interpolate, optimize, signal, stats

from chainrules.ad import grad
from chainrules.ad.traced.called_functions import called_by_program, how_to_write_a_rule
from chainrules_core import RuleNotFoundError


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (
            lambda x: integrate.LSODA(lambda t, y: -y * x[0], 0.0, [1.0], 1.0).step(),
            r"integrate.LSODA(\.__init__)?",
        ),
        (
            lambda x: interpolate.SmoothSphereBivariateSpline([0.5, 1.0, 1.5, 2.0], [1, 2, 3, 4], x)(
                1.0, 1.0
            ),
            "interpolate.SmoothSphereBivariateSpline",
        ),
        (lambda x: signal.remez(9, [0.0, x[0], 0.3, 0.5], [1.0, 0.0]), "signal.remez"),  # by code in C
        (lambda x: stats.levy_stable.pdf(x[0], 1.5, 0.2), r"stats.levy_stable\.pdf"),
    ],
)
def test_public_names(f, name):
    """Of a function, a class, a method by the class of its instance or by an instance that one imports."""
    with pytest.raises((RuleNotFoundError, TypeError), match=rf"^scipy\.{name}[ ,]"):
        grad(f)([0.1, 0.4, 0.5, 0.7])


def test_what_is_around_the_differentiation():
    """It has not been called by the program that is differentiated."""
    slope = grad(lambda a: signal.remez(9, [0.0, a, 0.3, 0.5], [1.0, 0.0])[0])

    with pytest.raises(RuleNotFoundError, match=r"^scipy\.signal\.remez "):
        optimize.brentq(slope, 0.1, 0.2)


def test_a_function_without_a_library_around_it():
    """It is named itself."""
    assert called_by_program(optimize.brentq, sys._getframe()) == "scipy.optimize.brentq"
    assert called_by_program(optimize.brentq, None) == "scipy.optimize.brentq"


def test_other_libraries():
    """The page is about SciPy."""
    assert how_to_write_a_rule("mypackage.f") == "Write a rule for mypackage.f, see `rrule.dispatch`"
