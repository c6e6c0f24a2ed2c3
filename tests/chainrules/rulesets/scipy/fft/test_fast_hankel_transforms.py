"""The rules of fast Hankel transforms, against finite differences."""

import pytest
from scipy.fft import fht, fhtoffset, ifht

from chainrules.ad import grad
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_quickly, normal


@pytest.mark.parametrize("bias", [0.0, 0.3])
@pytest.mark.parametrize("shape", [(6,), (2, 5)])
@pytest.mark.parametrize("f", [fht, ifht])
def test_hankel_transforms(f, shape, bias):
    """Of even and odd lengths, with and without a bias; by all parameters."""
    args = normal(*shape), 0.4, 0.5, 0.2, bias
    test_frule(f, *args)
    test_rrule(f, *args)
    check_quickly(f, *args[:3])


@pytest.mark.parametrize("f", [fht, ifht])
def test_second_derivatives(f):
    """The transform is linear: so is the derivative of the sum of squares."""
    a = normal(5)
    first = grad(lambda a: (f(a, 0.15, 0.5, bias=0.2) ** 2).sum())
    moved = first(a + 1e-3) - first(a)
    assert moved == pytest.approx(grad(lambda a: (first(a) * 1e-3).sum())(a), rel=1e-9)


def test_offsets():
    """They are followed."""
    assert grad(fhtoffset)(0.1, 0.5) == pytest.approx(
        (fhtoffset(0.1 + 1e-6, 0.5) - fhtoffset(0.1 - 1e-6, 0.5)) / 2e-6, rel=1e-4
    )
