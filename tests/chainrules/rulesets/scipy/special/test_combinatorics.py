"""The rules of binomial coefficients, permutations and factorials, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NotImplementedTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, check_second_derivative, within


@pytest.mark.parametrize("f", [special.binom, special.comb, special.perm], ids=lambda f: f.__name__)
def test_selections(f):
    """On real numbers and arrays."""
    check_elementwise(f, within(4.0, 6.0), within(0.5, 3.0))


def test_comb_with_repetition():
    """``C(n + k - 1, k)``."""
    check_rule(special.comb, np.array([3.5, 4.0]), np.array([2.0, 1.2]), repetition=True)
    check_rule(
        special.comb, np.array([0.3, 0.5]), np.array([0.4, 3.0]), repetition=True
    )  # some SciPy cut these


def test_binom_of_other_numbers():
    """Of negative and of small ones."""
    check_rule(special.binom, np.array([-2.5, -3.5, 0.4]), np.array([1.3, 2.0, 0.7]))


@pytest.mark.parametrize(
    ("n", "k", "by_n", "by_k"),
    [(3.0, 5.0, -1 / 20, 1 / 20), (0.0, 1.0, 1.0, -1.0), (2.0, -1.0, 0.0, 1 / 3), (3.0, 4.0, 1 / 4, -1 / 4)],
)
def test_binom_at_its_zeros(n, k, by_n, by_k):
    """Where the denominator has a pole, the slopes are none the less numbers."""
    np.testing.assert_allclose(rrule(special.binom, n, k)[1](1.0)[1:], [by_n, by_k], rtol=1e-14)


@pytest.mark.parametrize(
    ("n", "k"), [(1.0, 2.0), (0.0, 3.0), (2.0, -1.0), (0.5, -1.0), (0.5, 1.5), (2.5, -2.0), (-1.5, 0.5)]
)
def test_second_derivatives_of_binom_at_its_zeros(n, k):
    """Each factor that is not zero changes as well."""
    check_second_derivative(special.binom, n, k)


def test_out_of_range():
    """Outside of ``0 <= k <= n`` nothing is selected, and that does not change."""
    n, k = np.array([3.0, 3.0, 3.0, 3.0, -1.5]), np.array([4.5, -1.5, 5.0, -1.0, -2.0])
    for f in (special.comb, special.perm):
        _, n_bar, k_bar = rrule(f, n, k)[1](np.ones(5))
        np.testing.assert_array_equal(unthunk(n_bar), 0.0)
        np.testing.assert_array_equal(unthunk(k_bar), 0.0)


@pytest.mark.parametrize("f", [special.comb, special.perm], ids=lambda f: f.__name__)
def test_selections_of_less_than_one(f):
    """The ends of the range are not among whole numbers alone."""
    check_rule(f, np.array([0.4, 0.7]), np.array([0.2, 0.1]))


@pytest.mark.parametrize(("n", "k"), [(3.0, 0.0), (3.0, 3.0), (0.0, 0.0)])
def test_ends_of_the_range(n, k):
    """They belong to it, where `comb` is `binom`."""
    actual, expected = (rrule(f, n, k)[1](1.0)[1:] for f in (special.comb, special.binom))
    assert list(map(unthunk, actual)) == list(map(unthunk, expected))
    assert unthunk(rrule(special.factorial, 0.0)[1](1.0)[1]) == rrule(special.gamma, 1.0)[1](1.0)[1]


def test_keywords():
    """Arguments by keyword, as in plain code."""
    expected = rrule(special.comb, 5.5, 2.5)[1](1.0)[1]
    assert grad(lambda n: special.comb(N=n, k=2.5))(5.5) == pytest.approx(float(expected))


@pytest.mark.parametrize("extend", ["zero", "complex"])
def test_factorial(extend):
    """``Γ(n + 1)``; where it is cut to zero so is its derivative."""
    check_rule(special.factorial, np.array([0.5, 3.0, 4.2]), extend=extend)
    test_rrule(special.factorial, -1.5, fkwargs={"extend": extend})


@pytest.mark.parametrize(
    ("f", "args", "named"),
    [
        (special.comb, (5, 2), {"exact": True}),
        (special.perm, (5, 2), {"exact": True}),
        (special.perm, (5, 2, True), {}),
        (special.factorial, (5,), {"exact": True}),
        (special.factorial2, (5,), {}),
        (special.factorialk, (5, 2), {}),
        (special.factorial2, (2.5,), {"extend": "complex"}),
    ],
)
def test_whole_numbers(f, args, named):
    """Between them there are no values; who asks for a derivative is told so."""
    y, pullback = rrule(f, *args, **named)
    assert y == f(*args, **named)
    assert isinstance(unthunk(pullback(1.0)[1]), NotImplementedTangent)


def test_multifactorials_of_real_numbers():
    """The error says why there is no derivative."""
    with pytest.raises(DerivativeNotImplementedError, match="multifactorial"):
        grad(lambda n: special.factorial2(n, extend="complex"))(2.5)
    with pytest.raises(DerivativeNotImplementedError, match="multifactorial"):
        grad(lambda k: special.factorialk(3, k, extend="complex"))(2.5)


def test_multifactorials():
    """Of whole numbers alone."""
    for f, args in ((special.factorial2, (5,)), (special.factorialk, (7, 2))):
        test_frule(f, *args)
        test_rrule(f, *args)


def test_stirling():
    """Of whole numbers alone."""
    test_frule(special.stirling2, 5, 3)
    test_rrule(special.stirling2, 5, 3)
