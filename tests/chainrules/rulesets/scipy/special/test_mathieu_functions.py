"""The rules of Mathieu functions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, rrule, unthunk
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

VALUES = [special.mathieu_a, special.mathieu_b]
COEFFICIENTS = [special.mathieu_even_coef, special.mathieu_odd_coef]
ANGULAR = [special.mathieu_cem, special.mathieu_sem]
MODIFIED = [
    special.mathieu_modcem1,
    special.mathieu_modcem2,
    special.mathieu_modsem1,
    special.mathieu_modsem2,
]
DEGREES = np.array([17.0, -130.0, 300.0])


@pytest.mark.parametrize("f", VALUES)
def test_characteristic_values(f):
    """By q of both signs, of even and odd orders, in both precisions, and with second derivatives."""
    check_rule(f, np.array([[1], [2], [5]]), np.array([0.7, 3.2, 25.0]))
    for m, q in ((3, -4.0), (2, 0.0), (1, 0.0), (2, 300.0), (2, np.zeros((0, 2))), (np.array([], int), 1.0)):
        test_frule(f, m, q)
        test_rrule(f, m, q)
    assert rrule(f, 1, 0.5)[1](1.0)[1] == NoTangent()


def test_characteristic_values_in_closed_form():
    """``a₁ = 1 + q - q²/8 - ...``, ``b₁ = 1 - q - q²/8 + ...``: https://dlmf.nist.gov/28.6."""
    for f, slope in zip(VALUES, (1.0, -1.0), strict=True):
        assert grad(f, 1)(1, 0.0) == pytest.approx(slope)
        assert grad(grad(f, 1), 1)(1, 0.0) == pytest.approx(-0.25)


@pytest.mark.parametrize("f", VALUES)
@pytest.mark.parametrize(
    ("m", "q"), [(1.5, 1.0), (-1, 1.0), (1, np.nan), (1, np.inf), (2001, 1.0), (1, np.nextafter(1e6, np.inf))]
)
def test_what_has_no_characteristic_value(f, m, q):
    """The derivative is NaN, too, and spoils no other element."""
    bars = unthunk(rrule(f, np.array([m, 2]), np.array([q, 1.0]))[1](np.ones(2))[2])
    assert np.isnan(bars[0])
    assert bars[1] == grad(f, 1)(2, 1.0)


@pytest.mark.parametrize("f", COEFFICIENTS)
@pytest.mark.parametrize(("m", "q"), [(2, 5.0), (3, 5.0), (4, 5.0), (1, 30.0)])
def test_coefficients(f, m, q):
    """Of Fourier series, by q, also where SciPy's signs are not those of the eigenvectors."""
    test_frule(f, m, q)
    test_rrule(f, m, q)


@pytest.mark.parametrize("f", ANGULAR)
@pytest.mark.parametrize("m", [1, 2, 5, np.array([[1], [2], [4]])])
def test_angular_functions(f, m):
    """Both results by q and by x in degrees."""
    for q in (0.5, 5.0, -1.5, np.array([0.5, 5.0, 20.0])):
        test_frule(f, m, q, DEGREES)
        test_rrule(f, m, q, DEGREES)


@pytest.mark.parametrize("f", ANGULAR)
def test_angular_functions_of_other_numbers(f):
    """Single numbers and no numbers; in single precision SciPy's values are NaN."""
    assert np.isnan(f(1, np.float32(2.0), np.float32(30.0))[0])
    for q, x in ((2.0, 30.0), (np.zeros((0, 1)), 30.0)):
        test_frule(f, 1, q, x)
        test_rrule(f, 1, q, x)


@pytest.mark.parametrize("f", ANGULAR)
def test_second_derivatives(f):
    """By both arguments, against differences of gradients."""

    def product(q, x):
        value, slope = f(3, q, x)
        return value * slope

    for place in (0, 1):
        gradient = grad(product, place)
        for other, h in ((0, 1e-4), (1, 1e-2)):
            step = h * np.eye(2)[other]
            point = np.array([2.5, 40.0])
            expected = (gradient(*(point + step)) - gradient(*(point - step))) / (2 * h)
            assert grad(gradient, other)(*point) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("f", MODIFIED)
def test_modified_functions(f):
    """By the argument; by q a message says that there is no rule."""
    q = PrimalAndTangent(1.5, NoTangent())
    for m in (1, 2):
        for x in (np.array([0.3, 0.9]), 0.5):
            test_frule(f, m, q, x)
            test_rrule(f, m, q, x)
    assert rrule(f, 2, 1.5, 0.5)[1]((1.0, 1.0))[1] == NoTangent()
    with pytest.raises(DerivativeNotImplementedError, match="modified Mathieu"):
        grad(lambda q: f(2, q, 0.5)[0])(1.5)
