"""Values with other numbers at some places, and pullbacks to these numbers."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import signal

from chainrules.ad import ADConfig
from chainrules.values.chosen_numbers import pull_of_numbers, value_at, with_numbers
from chainrules.values.held_numbers import places_in
from chainrules_core import DerivativeNotImplementedError, RuleConfig, contains_carrier, rrule_via_ad, unthunk

CONFIG = ADConfig()


def closure(p, data):
    """A function that holds its arguments."""
    return lambda t: np.sum(p[0] * t * data) + p[1]


def test_other_numbers_at_some_places():
    """In tuples and closures; the rest is the same object, and the value itself stays as it was."""
    data = np.ones(3)
    held = (closure((2.0, 3.0), data), (5.0, "text"))
    chosen = [place for place in places_in(held) if place.path[-1] != "data"]
    assert [value_at(held, place.path) for place in chosen] == [2.0, 3.0, 5.0]
    f, args = with_numbers(held, chosen)([20.0, 30.0, 50.0])
    assert f(1.0) == 90.0
    assert args == (50.0, "text")
    assert value_at(f, ("data",)) is data
    assert held[0](1.0) == 9.0
    assert with_numbers(held, chosen[2:])([7.0])[0] is held[0]


@pytest.mark.parametrize("held", [[2.0], {"x": 2.0}, SimpleNamespace(x=2.0)])
def test_containers_that_change(held):
    """Of a list, a dict or an object no copy is made, which the caller would not see change."""
    assert with_numbers((np.sin, held), places_in((np.sin, held))) is None


def test_an_ad_system_without_such_pullbacks():
    """There is none for a configuration that nobody has registered one for."""
    assert pull_of_numbers(RuleConfig(), np.sin, 0.3, (), []) is None


# --- The pullbacks of `chainrules.ad` -----------------------------------------------------------------------


def test_chosen_numbers():
    """Their cotangents are those that all have; nothing else is traced, the first argument neither."""
    data, seen = np.linspace(0.1, 0.9, 100), []

    def f(t, p, q, scales):
        seen.append(contains_carrier((t, data, q)))
        return p * np.sum(np.sin(scales * t) * data[:2]) + q

    args = (2.0, 3.0, np.array([0.4, 0.7]))
    _, pullback = rrule_via_ad(CONFIG, f, 0.3, *args)
    p_bar, _, scales_bar = map(unthunk, pullback(1.5)[2:])
    chosen = [place for place in places_in((f, args)) if place.path in {(1, 0), (1, 2)}]
    seen.clear()
    np.testing.assert_array_equal(
        pull_of_numbers(CONFIG, f, 0.5, args, chosen)(0.3, 1.5), [p_bar, *scales_bar]
    )
    assert seen == [False]


def test_chosen_numbers_in_a_closure():
    """The function that is called holds others in their place; of what it does not use the cotangent is 0."""
    p, unused, z = 2.0, 3.0, 1.0 + 2.0j

    def f(t):
        return np.abs(z) * p * t if t > 0.0 else unused

    pull = pull_of_numbers(CONFIG, f, 0.5, (), places_in((f, ())))
    np.testing.assert_allclose(pull(0.3, 1.0), [0.3 * np.sqrt(5.0), 0.0, *(0.6 * np.array([1, 2]) / 5**0.5)])


def test_chosen_numbers_of_a_function_with_a_rule():
    """There is no shorter way past its rule, nor for what lists hold."""
    y, args = [2.0], (0.3,)
    assert pull_of_numbers(CONFIG, np.arctan2, 0.5, args, places_in((np.arctan2, args))) is None
    assert pull_of_numbers(CONFIG, lambda t: t * y[0], 0.5, (), places_in((lambda t: t * y[0], ()))) is None


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
def test_chosen_numbers_whose_derivative_is_lost():
    """It is an error, not zero."""

    def f(t, p):
        return t * signal.tf2zpk(np.array([p - 2.0, 1.0, p]), np.array([1.0, 3.0]))[2]

    pull = pull_of_numbers(CONFIG, f, 0.5, (2.0,), places_in((f, (2.0,))))
    with pytest.raises(DerivativeNotImplementedError, match="drops coefficients that are zero"):
        pull(0.3, 1.0)
