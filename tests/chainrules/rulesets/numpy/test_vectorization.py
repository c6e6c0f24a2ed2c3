"""The rules of the instances of `numpy.vectorize`, against finite differences."""

import math

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad, jacobian
from chainrules_core import DimensionMismatchError, Tangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import normal, positive


def scaled(w):
    """A closure, over a number."""
    return lambda x, c=1.0: w * x * x * c


@pytest.mark.parametrize("x", [1.5, np.array(1.5), normal(3), normal(2, 3)])
def test_one_argument(x):
    """Both modes are right for numbers and arrays."""
    check_both_modes(np.vectorize(math.sin), x)


@pytest.mark.parametrize(
    "args",
    [(normal(3, 1), positive(2)), (normal(3), 1.5), (1.5, positive(2)), (1.5, 2.5), (np.arange(3), 1.5)],
)
def test_two_arguments_that_broadcast(args):
    """Broadcasting is undone in reverse; integers are constants."""
    check_both_modes(np.vectorize(math.atan2), *args)


def test_other_precisions():
    """Results have the precision that the function gives to the first element."""
    for dtype in (np.float32, np.complex64, complex):
        test_frule(np.vectorize(np.sin), normal(3, dtype=dtype))
        test_rrule(np.vectorize(np.sin), normal(3, dtype=dtype))
    test_frule(np.vectorize(math.sin), normal(3, dtype=np.float32))
    test_rrule(np.vectorize(math.sin), normal(3, dtype=np.float32))


def test_several_results():
    """A function with several results gives a tuple of arrays."""
    check_both_modes(np.vectorize(divmod), normal(2, 3), 0.7)
    check_both_modes(np.vectorize(divmod, otypes=[float, float]), normal(0), 0.7)


def test_a_closure():
    """What it holds, and what is excluded, get the sum of the cotangents of all calls."""
    check_calling_back(np.vectorize(scaled(2.5)), normal(3))
    check_calling_back(np.vectorize(scaled(2.5)), normal(3), normal(3, seed=1))
    check_calling_back(np.vectorize(scaled(2.5), excluded=[1]), normal(3), 1.5)
    _, pullback = rrule(ADConfig(), np.vectorize(scaled(2.0)), np.array([1.0, 2.0]))
    assert pullback(np.ones(2))[0] == Tangent[np.vectorize](pyfunc=Tangent[type(scaled)](w=5.0))


class Model:
    """An object whose method is vectorized."""

    def __init__(self, w):
        self.w = w

    def applied(self, x):
        """The value at one point."""
        return np.sin(self.w[0] * x) + self.w[1]


@pytest.mark.parametrize(
    "f_of",
    [
        lambda w: np.vectorize(lambda x: np.sin(w[0] * x) * w[1]),
        lambda w: np.vectorize(lambda x: w[0] * x**2, otypes=[float]),
        lambda w: np.vectorize(Model(w).applied),
        lambda w: np.vectorize(lambda x: w[0] * np.cos(x), signature="(n)->(n)"),
    ],
)
@pytest.mark.parametrize("x", [positive(2), positive(2, 3)])
def test_what_is_vectorized_may_hold_traced_values(f_of, x):
    """In both modes and for second derivatives, as of any other closure or callable object."""
    check_along(lambda w: np.sum(np.cos(f_of(w)(x))), positive(2), normal(2))


def test_keywords_are_constants():
    """They are gone through too, unless they are excluded."""
    check_calling_back(np.vectorize(scaled(2.5)), normal(3), c=normal(2, 1))
    check_calling_back(np.vectorize(scaled(2.5), excluded=["c"]), normal(3), c=1.5)


def test_the_first_result_says_the_type():
    """As it does for NumPy: an integer cuts all others to integers, which are constant."""
    x = np.array([-1.5, 2.5])
    y, pullback = rrule(ADConfig(), np.vectorize(lambda x: max(x, 0)), x)
    assert y.tolist() == [0, 2]
    assert not np.any(pullback(np.ones(2))[1])
    test_rrule(np.vectorize(lambda x: max(x, 0), otypes=[float]), x)


def test_nothing():
    """Where there are no calls, the types of the results have to be known."""
    check_both_modes(np.vectorize(math.sin, otypes=[float]), normal(0))
    with pytest.raises(ValueError, match="otypes"):
        rrule(ADConfig(), np.vectorize(math.sin), normal(0))


def test_a_signature_has_no_rule():
    """It makes arrays of the results of calls with arrays."""
    assert rrule(ADConfig(), np.vectorize(np.sum, signature="(n)->()"), normal(2, 3)) is None


def test_traced():
    """The rule is used by AD."""
    assert grad(lambda x: np.sum(call(np.vectorize(math.sin), x)))(np.zeros(2)).tolist() == [1.0, 1.0]


def powered(x, p):
    """A power, the exponent of which is given in many ways."""
    return x ** (3 if p is None else len(p) if isinstance(p, str) else p)


@pytest.mark.parametrize("p", [2, None, "four", [1, 2], np.array(["a", "bb"]), [2.0, 3.0], (2.0, 3.0)])
def test_elements_of_other_arguments(p):
    """They are what NumPy gives the function: numbers of a list, text, `None`; these are constants."""
    check_both_modes(np.vectorize(powered), positive(2), p)
    x = positive(2)
    of_other = jacobian(lambda x: np.vectorize(powered)(x, p), mode="forward")(x)
    np.testing.assert_allclose(of_other, jacobian(lambda x: np.vectorize(powered)(x, p), mode="reverse")(x))


def test_traced_numbers_in_a_list():
    """They are elements like others."""
    times = np.vectorize(lambda x, y: x * y)
    for mode in ("forward", "reverse"):
        gradients = jacobian(lambda x: times([x[0], x[1]], [2.0, x[0]]), mode=mode)(np.array([3.0, 5.0]))
        np.testing.assert_array_equal(
            gradients, jacobian(lambda x: x * np.array([2.0, x[0]]))(np.array([3.0, 5.0]))
        )


@pytest.mark.parametrize("find", [rrule, rrule.unchecked], ids=["checked", "unchecked"])
def test_a_cotangent_in_another_shape_is_refused(find):
    """Of a longer one the first elements would be taken."""
    _, pullback = find(ADConfig(), np.vectorize(math.sin), normal(3))

    with pytest.raises(DimensionMismatchError):
        pullback(np.ones(4))
