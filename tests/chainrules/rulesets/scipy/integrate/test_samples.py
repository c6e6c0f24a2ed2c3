"""The rules of integrals of sampled functions, against finite differences."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, cumulative_trapezoid, newton_cotes, romb, simpson, trapezoid

from chainrules.ad import grad, jvp
from tests.chainrules.rule_checks import check_rule, normal, record_rules

PLACES = np.array([0.0, 0.4, 1.1, 1.5, 2.3, 2.6])
MATRIX = normal(3, 6)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("f", [trapezoid, simpson, cumulative_trapezoid, cumulative_simpson])
def test_few_samples(f, n):
    """An interval that is left over, and what has too few samples for a parabola."""
    if n > 1 or f in {trapezoid, simpson}:
        check_rule(f, normal(n))


@pytest.mark.parametrize("n", [2, 5, 6])
@pytest.mark.parametrize("f", [trapezoid, simpson, cumulative_trapezoid])
def test_places(f, n):
    """They may lie anywhere."""
    check_rule(f, normal(2, n), PLACES[:n])


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (trapezoid, (MATRIX, None, 0.5, 0), {}),
        (cumulative_trapezoid, (MATRIX, None, 0.5, 0, 0), {}),
        (cumulative_trapezoid, (MATRIX,), {"initial": 0, "axis": -2}),
        (cumulative_trapezoid, (MATRIX, PLACES), {"initial": 0}),
        (cumulative_simpson, (MATRIX,), {"x": PLACES, "initial": 2.0}),
        (cumulative_simpson, (MATRIX,), {"axis": 0, "dx": 0.5}),
        (cumulative_simpson, (normal(4, 2, dtype=complex),), {"axis": 0, "x": PLACES[:4]}),
        (cumulative_trapezoid, (normal(4, dtype=complex), PLACES[:4]), {}),
        (simpson, (normal(4, dtype=complex), PLACES[:4]), {}),
        (simpson, (normal(4, 2), PLACES[:4, None] * np.array([1.0, 2.0])), {"axis": 0}),
        (simpson, (normal(2, 4, 2),), {"axis": 1, "dx": 0.5}),
        (simpson, (normal(5, dtype=np.float32),), {}),
        (simpson, (normal(0, 3),), {}),
        (cumulative_trapezoid, (normal(0, 3),), {}),
        (simpson, (list(normal(4)), list(PLACES[:4])), {}),
    ],
)
def test_options(f, args, options):
    """Along any axis, with a first value, and with a distance."""
    check_rule(f, *args, **options)


def test_what_has_no_rule_is_followed():
    """Places by keyword alone, and places that repeat."""
    y, x = normal(5), PLACES[:5]
    step = 1e-6 * np.arange(5.0)
    slope = (cumulative_simpson(y, x=x + step) - cumulative_simpson(y, x=x - step)) / 2e-6
    np.testing.assert_allclose(
        jvp(lambda x: cumulative_simpson(y, x=x), (x,), (np.arange(5.0),))[1], slope, rtol=1e-6
    )
    by_samples = grad(lambda y: simpson(y, np.array([0.0, 1.0, 1.0])))(y[:3])
    np.testing.assert_allclose(by_samples, [simpson(row, [0.0, 1.0, 1.0]) for row in np.eye(3)])


def test_weights_are_constants():
    """They depend on whole numbers alone."""
    assert grad(lambda x: x * newton_cotes(3)[0][0])(2.0) == newton_cotes(3)[0][0]
    record_rules(newton_cotes, 3)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(2),), {}),
        ((normal(3),), {}),
        ((normal(9), 0.5), {}),
        ((normal(2, 5, dtype=complex), 0.5, -1), {}),
        ((normal(5, 2), 0.5), {"axis": 0}),
        ((normal(5, 0),), {"axis": 0}),
    ],
)
def test_romb(args, options):
    """By the samples, and by their distance."""
    check_rule(romb, *args, **options)
