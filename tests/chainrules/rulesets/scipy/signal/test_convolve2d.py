"""The rules of convolutions in a plane, against finite differences."""

import pytest
from scipy import signal

from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("f", [signal.convolve2d, signal.correlate2d])
def test_modes(f, mode, boundary):
    """With each border; either may be the larger one, of even and odd lengths."""
    for n, m in (((3, 4), (2, 3)), ((2, 2), (3, 4))):
        args = normal(*n, dtype=complex), normal(*m, seed=1, dtype=complex)
        check_quickly(f, *args, mode, boundary, 1.5)
    check_quickly(f, normal(1, 5), normal(1, 2, seed=1), mode, boundary=boundary)


@pytest.mark.parametrize("f", [signal.convolve2d, signal.correlate2d])
def test_in_every_way(f):
    """In both precisions, with gaps, and differentiated twice; lists."""
    check_rule(f, normal(3, 3), normal(2, 3, seed=1), "same", "symm")
    check_quickly(f, normal(2, 3), [[1.0, 2.0]], "full", fillvalue=0.5)
