"""The rules of entropies, divergences and losses, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules_core import rrule
from chainrules_testutils import positive
from tests.chainrules.rule_checks import check_elementwise, check_rule, off, within


def test_entr():
    """On positive numbers; at 0 it is infinitely steep."""
    check_elementwise(special.entr, positive)
    assert rrule(special.entr, 0.0)[1](1.0)[1] == np.inf


@pytest.mark.parametrize("f", [special.rel_entr, special.kl_div], ids=lambda f: f.__name__)
def test_divergences(f):
    """On positive numbers, equal ones among them."""
    check_elementwise(f, positive, positive)
    check_rule(f, np.array([0.5, 2.0]), np.array([0.5, 2.0]))


@pytest.mark.parametrize(
    ("f", "x", "y", "expected"),
    [
        (special.rel_entr, 0.0, 0.0, (0.0, 0.0)),
        (special.kl_div, 0.0, 0.0, (0.0, 0.0)),
        (special.rel_entr, 0.0, 2.0, (-np.inf, 0.0)),
        (special.kl_div, 0.0, 2.0, (-np.inf, 1.0)),
        (special.rel_entr, 1e-200, 1e200, (np.log(1e-200) - np.log(1e200) + 1.0, 0.0)),
        (special.kl_div, 1e200, 1e-200, (np.log(1e200) - np.log(1e-200), -np.inf)),
    ],
)
def test_extreme_shares(f, x, y, expected):
    """Where nothing is compared with nothing there is no derivative, and it is given as 0."""
    assert rrule(f, x, y)[1](1.0)[1:] == pytest.approx(expected, rel=1e-15)
    bars = rrule(f, np.array([x, 1.0]), np.array([y, 1.0]))[1](np.ones(2))[1:]
    assert [bar[0] for bar in bars] == pytest.approx(expected, rel=1e-15)


def test_huber():
    """Below the threshold and beyond it, on both sides."""
    check_elementwise(special.huber, within(2.0, 3.0), within(-1.5, 1.5))
    check_elementwise(special.huber, within(0.3, 0.6), off(-0.5, 0.0, 0.5))
    check_rule(special.huber, 1.0, np.array([-3.0, -0.5, 0.0, 0.4, 7.0]))


def test_pseudo_huber():
    """On thresholds and residuals of all sizes."""
    check_elementwise(special.pseudo_huber, positive, within(-2.0, 2.0))
    check_rule(special.pseudo_huber, 1.0, np.array([-30.0, -0.5, 0.3]))


@pytest.mark.parametrize(
    ("delta", "x", "expected"),
    [
        (0.0, 0.0, (0.0, 0.0)),
        (0.0, 2.0, (2.0, 0.0)),
        (1e200, 1e-3, (0.0, 1e-3)),
        (1e-3, 1e200, (1e200, 1e-3)),
        (1.0, 1e-3, (0.25e-12, 1e-3)),
    ],
)
def test_extreme_residuals(delta, x, expected):
    """Neither squares overflow, nor do small slopes lose their digits."""
    assert rrule(special.pseudo_huber, delta, x)[1](1.0)[1:] == pytest.approx(expected, rel=1e-5, abs=0.0)
