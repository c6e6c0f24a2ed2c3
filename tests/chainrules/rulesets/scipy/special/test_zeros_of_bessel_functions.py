"""Zeros of Bessel functions have no derivatives."""

import pytest
from scipy import special

from tests.chainrules.rule_checks import check_declared


@pytest.mark.parametrize("f", [special.jn_zeros, special.jnp_zeros, special.yn_zeros, special.ynp_zeros])
def test_zeros_of_an_order(f):
    """They are found by the order and how many."""
    check_declared(f, 1, 2)


@pytest.mark.parametrize("f", [special.jnjnp_zeros, special.y0_zeros, special.y1_zeros, special.y1p_zeros])
def test_zeros_of_given_orders(f):
    """They are found by how many."""
    check_declared(f, 2)


def test_zeros_of_several_functions():
    """They are found by the order and how many."""
    check_declared(special.jnyn_zeros, 1, 2)
