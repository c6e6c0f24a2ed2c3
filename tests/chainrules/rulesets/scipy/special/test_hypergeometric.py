"""The rules of hypergeometric functions, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_quickly, check_rule_in_double, within

CASES = [
    *((special.hyp2f1, mpmath.hyp2f1, x) for x in [(0.5, 1.5, 2.3, 0.3), (0.5, 0.5, 1.0, 0.99)]),
    *((special.hyp2f1, mpmath.hyp2f1, x) for x in [(1.0, 1.0, 2.0, 0.5), (-3.0, 2.0, 1.5, 0.4)]),
    *((special.hyp2f1, mpmath.hyp2f1, x) for x in [(0.5, 1.5, 2.3, -50.0), (20.0, 3.0, 30.0, 0.7)]),
    *((special.hyp1f1, mpmath.hyp1f1, x) for x in [(0.5, 1.5, 0.3), (0.5, 1.5, -200.0), (1.0, 2.0, 100.0)]),
    *((special.hyp1f1, mpmath.hyp1f1, x) for x in [(-3.0, 2.0, 5.0), (0.3, 0.05, 1.0), (30.0, 40.0, 10.0)]),
    *((special.hyp0f1, mpmath.hyp0f1, x) for x in [(0.5, 0.3), (-1.5, 3.0), (0.1, 3.0), (1.0, -1000.0)]),
    *((special.hyperu, mpmath.hyperu, x) for x in [(0.5, 1.5, 0.3), (1.0, 2.0, 1.0), (2.5, 0.3, 0.1)]),
    *((special.hyperu, mpmath.hyperu, x) for x in [(0.5, 1.5, 20.0), (-1.3, 0.4, 2.0), (-2.0, 1.5, 0.7)]),
]


@pytest.mark.parametrize(("f", "reference", "x"), CASES)
def test_accuracy(f, reference, x):
    """12 digits of the function by all arguments, parameters too; 13 of the derivative by the variable."""
    slopes = grad(f, tuple(range(len(x))))(*x)

    with mpmath.workdps(40):
        size = abs(float(reference(*x)))
        for place, slope in enumerate(slopes):
            orders = tuple(int(i == place) for i in range(len(x)))
            expected = float(mpmath.diff(reference, x, orders))
            tolerance = 1e-13 * abs(expected) if place == len(x) - 1 else 1e-12 * size
            assert abs(slope - expected) <= max(tolerance, 1e-12 * abs(expected)), (place, slope, expected)


@pytest.mark.parametrize(
    ("f", "parameters"),
    [
        (special.hyp0f1, (1.5,)),
        (special.hyp1f1, (0.5, 1.5)),
        (special.hyp2f1, (0.5, 1.5, 2.3)),
        (special.hyperu, (0.5, 1.5)),
    ],
)
def test_by_variable(f, parameters):
    """On all kinds of numbers and arrays, with constant parameters."""
    integers = tuple(range(1, len(parameters) + 1))
    for z in (0.3, np.float32(0.3), np.array([0.3, 0.7]), np.zeros((0, 2)) + 0.5, np.array(0.4)):
        test_frule(f, *integers, z)
        test_rrule(f, *integers, z)
    check_rule_in_double(f, *parameters, np.array([0.2, 0.6]))
    test_rrule(f, *parameters, np.array([[0.2], [0.6]], np.float32), mode="fast")


@pytest.mark.parametrize(
    ("f", "parameters"),
    [(special.hyp0f1, (1.5,)), (special.hyp1f1, (0.5, 1.5)), (special.hyp2f1, (0.5, 1.5, 2.3))],
)
def test_complex_variable(f, parameters):
    """Parameters stay real, and get real cotangents."""
    check_quickly(f, *parameters, np.array([0.3 + 0.4j, -0.5 - 0.2j]))
    check_quickly(f, *parameters, 0.3 + 0.4j)


def test_parameters_broadcast():
    """Arrays of parameters, in both modes and twice."""
    check_rule_in_double(special.hyp1f1, np.array([0.5, 1.7]), np.array([[1.5], [2.2]]), 0.7)
    check_rule_in_double(special.hyp2f1, np.array([0.5, 1.7]), 0.4, np.array([[1.5], [2.2]]), 0.3)
    check_elementwise(special.hyp0f1, within(0.5, 3.0), within(-2.0, 2.0))


def test_parameters_that_are_not_wanted_cost_nothing(monkeypatch):
    """Only the cotangent that is asked for is computed."""
    calls = []
    name = "chainrules.rulesets.scipy.special.hypergeometric.derivative_by_parameter"
    _, pullback = rrule(special.hyp2f1, 0.5, 1.5, 2.5, 0.3)
    monkeypatch.setattr(name, lambda *args: calls.append(args) or 1.0)

    _, by_a, by_b, _, _ = pullback(1.0)
    assert calls == []
    assert unthunk(by_a) == unthunk(by_b) == 1.0
    assert len(calls) == 2


def test_integer_parameters_have_no_tangent():
    """In arrays too."""
    _, pullback = rrule(special.hyp1f1, 1, np.array([2, 3]), 0.3)

    assert pullback(np.ones(2))[1] == NoTangent()
    assert pullback(np.ones(2))[2] == NoTangent()


def test_few_digits_of_scipy_give_nan():
    """SciPy's U has eight digits here and no integral: its derivative is not guessed."""
    assert np.isnan(grad(special.hyperu, 1)(-0.5, 0.4, 20.0))


def test_positive_and_negative_parameters_together():
    """Each by its own method."""
    a = np.array([-1.3, 0.5])
    by_a, by_b = grad(lambda a, b: np.sum(special.hyperu(a, b, 2.0)), (0, 1))(a, np.array([0.4, 1.5]))

    for i, b in enumerate((0.4, 1.5)):
        assert (by_a[i], by_b[i]) == grad(special.hyperu, (0, 1))(a[i], b, 2.0)


def test_lists_and_keywords():
    """As NumPy takes them; `out` is refused."""
    gradient = grad(lambda x: np.sum(special.hyp1f1([1.0, 2.0], 2.0, x)))(0.5)

    assert gradient == pytest.approx(sum(grad(special.hyp1f1, 2)(a, 2.0, 0.5) for a in (1.0, 2.0)))
    with pytest.raises(TypeError, match="out"):
        rrule(special.hyp1f1, 1.0, 2.0, 0.5, out=np.zeros(()))
