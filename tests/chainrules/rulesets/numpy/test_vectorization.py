"""The rules of the instances of `numpy.vectorize`, against finite differences."""

import math

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad
from chainrules_core import DimensionMismatchError, Tangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes, check_calling_back
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


def test_what_the_function_holds():
    """A closure is looked into, whatever the arguments are."""
    x = normal(3)
    assert grad(lambda s: np.sum(np.vectorize(lambda t: t * s**2)(x)))(1.5) == pytest.approx(3.0 * np.sum(x))
    assert grad(lambda s: np.sum(np.vectorize(lambda t: t * s)(s * x)))(1.5) == pytest.approx(3.0 * np.sum(x))


@pytest.mark.parametrize("find", [rrule, rrule.unchecked], ids=["checked", "unchecked"])
def test_a_cotangent_in_another_shape_is_refused(find):
    """Of a longer one the first elements would be taken."""
    _, pullback = find(ADConfig(), np.vectorize(math.sin), normal(3))

    with pytest.raises(DimensionMismatchError):
        pullback(np.ones(4))
