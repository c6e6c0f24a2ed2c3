"""What cotangents are compared with: `mode="full"`, and `mode="fast"`."""

import re

import fdm
import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, Tangent, rrule, typeof_, unthunk
from chainrules_testutils import Outcome, PrimalAndTangent, RuleTestError, jvp, test_frule, test_rrule
from chainrules_testutils.comparing.finite_differences import fixed_step
from chainrules_testutils.testers.cotangent_references import Directional, ElementWise, compared_products
from chainrules_testutils.testers.trial import Options, Trial
from chainrules_testutils.values.precision import Tolerance
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, RIGHT, A, B, V, X
from tests.chainrules_testutils.structured_wrong_rrules import WRONG


@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_rules_pass_the_fast_mode(call):
    """Whatever passes element by element passes along a direction, by the same kinds of checks."""
    report = test_rrule(*call, mode="fast")

    assert report.failed == report.broken == 0
    assert report.passed >= 10


@pytest.mark.parametrize(("rule", "f", "args", "says"), WRONG)
def test_the_fast_mode_rejects_what_the_full_one_rejects(rule, f, args, says):
    """Every wrong rule is rejected, with the same reason but for the element."""
    with pytest.raises(RuleTestError) as caught:
        test_rrule(f, *args, rrule_f=rule, mode="fast")

    if not re.search(says, str(caught.value)):
        assert re.search(r"input \d(, field \w+)?, along a random direction: wrong value", str(caught.value))


def test_one_wrong_element_is_found():
    """One element in many is enough for the fast mode to fail."""
    A = np.linspace(0.0, 1.0, 1200).reshape(30, 40)

    def slightly_wrong(config, f, x, y):
        def pullback(y_bar):
            y_bar = unthunk(y_bar).copy()
            x_bar = y_bar.sum(axis=0)
            y_bar[7, 11] *= 1 + 1e-4
            return NoTangent(), x_bar, y_bar

        return x + y, pullback

    with pytest.raises(RuleTestError, match="input 3, along a random direction: wrong value") as caught:
        test_rrule(rules.add, A[0], A, rrule_f=slightly_wrong, mode="fast")
    assert caught.value.report.failed == 1


def test_the_price_of_the_fast_mode():
    """The primal is evaluated a few times for each argument, whatever its size."""
    calls = []

    def counted(A, B):
        calls.append(A)
        return A @ B

    def rule(config, f, A, B):
        return rules.matmul_rrule(rules.matmul, A, B)

    for n in (3, 20):
        calls.clear()
        test_rrule(counted, np.ones((n, n)), np.ones((n, n)), rrule_f=rule, mode="fast")
        assert len(calls) < 40


def test_parts_that_cannot_be_perturbed():
    """Where a field cannot be perturbed, its tangent has to be zero in the fast mode too."""

    def wrong(config, f, foo, b):
        return f(foo, b), lambda y_bar: (
            NoTangent(),
            Tangent[rules.Foo](A=y_bar @ b.T, c=2.0),
            foo.A.T @ y_bar,
        )

    foo = PrimalAndTangent(FOO, Tangent[rules.Foo](A=X, c=NoTangent()))
    with pytest.raises(RuleTestError, match=r"input 2: not zero for a part that cannot be perturbed"):
        test_rrule(rules.foo_mul, foo, X, rrule_f=wrong, mode="fast")


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_sparse_arguments(mode):
    """The cotangent of a sparse array may be sparse or dense: its entries count."""

    def product(A, x):
        return A @ x

    @rrule.dispatch
    def product_rrule(f: typeof_(product), A: scipy.sparse.csr_array, x: np.ndarray):
        def product_pullback(y_bar):
            row, col = A.nonzero()
            data = unthunk(y_bar)[row] * x[col]
            return NoTangent(), scipy.sparse.csr_array((data, (row, col)), A.shape), A.T @ unthunk(y_bar)

        return A @ x, product_pullback

    matrix = scipy.sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    assert test_rrule(product, matrix, V, mode=mode).failed == 0


def test_unknown_modes_are_refused():
    """There are two modes."""
    with pytest.raises(ValueError, match=re.escape('mode=\'quick\': it is "full", every element, or "fast"')):
        test_rrule(rules.matmul, A, B, mode="quick")


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_entries_outside_of_a_pattern_are_found(mode):
    """A cotangent of a sparse array that is not zero where the array stores nothing is wrong."""
    A = scipy.sparse.csr_array(np.diag([1.0, 2.0]))

    def rule(config, f, A):
        return f(A), lambda y_bar: (NoTangent(), scipy.sparse.csr_array(np.ones((2, 2)) * unthunk(y_bar)))

    with pytest.raises(RuleTestError, match=r"input 2, index \(0, 1\): wrong value"):
        test_rrule(lambda A: A.sum(), A, rrule_f=rule, mode=mode)


def test_random_directions_have_no_small_elements():
    """In them no element of a cotangent is overlooked: the smallest is no less than half of the largest."""
    x = rng_normal(40)
    sizes = np.abs(Directional(trial_of(rules.add, x), np.ones(40)).direction(1, None))

    assert sizes.max() <= 2.0 * sizes.min()
    assert np.linalg.norm(sizes) == pytest.approx(1.0)


def trial_of(f, x):
    """A run of `test_rrule` with two equal arguments."""
    return Trial("rrule", f, (x, x), Options(rng=np.random.default_rng(0), mode="fast"))


def rng_normal(size):
    """Normal numbers."""
    return np.random.default_rng(1).normal(size=size)


@pytest.mark.parametrize("size", [1, 40])
def test_random_directions_have_length_one_and_both_signs(size):
    """However few numbers they have."""
    x = rng_normal(size)
    direction = Directional(trial_of(rules.add, x), np.ones(size)).direction(1, None)

    assert np.linalg.norm(direction) == pytest.approx(1.0)
    assert len(set(np.sign(direction))) == min(size, 2)


def test_inner_products_that_cancel():
    """The errors of large summands do not cancel, so that the tolerance is that of the summands."""
    tolerance = Tolerance(1e-6, 1e-6)
    large = np.array([1e6, -1e6])
    for error, outcome in ((1.0, Outcome.PASSED), (10.0, Outcome.FAILED)):
        assert compared_products(large + np.array([error, 0.0]), large, "here", tolerance).outcome is outcome
        assert compared_products(large, large + np.array([error, 0.0]), "here", tolerance).outcome is outcome
    assert compared_products(np.ones(1) + 1e-3, np.ones(1), "here", tolerance).outcome is Outcome.FAILED
    infinite = np.array([np.inf, -np.inf])
    assert compared_products(infinite, np.ones(2), "here", tolerance).outcome is Outcome.FAILED


def wave(x):
    """A function whose derivatives take smaller steps than those of scale one."""
    return np.sin(20.0 * x)


def rule_with(slope):
    """Both rules of a function with a slope, as options of the testers."""
    return {
        test_rrule: {"rrule_f": lambda config, f, x: (f(x), lambda y_bar: (NoTangent(), y_bar * slope(x)))},
        test_frule: {"frule_f": lambda config, dots, f, x: (f(x), dots[1] * slope(x))},
    }


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
def test_a_fixed_step_is_not_the_last_word(tester):
    """Where differences of a fixed step do not agree with a rule, those of an adapted step decide."""
    assert abs(jvp(fixed_step, wave, (0.7, 1.0)) - 20.0 * np.cos(14.0)) > 1e-8
    assert tester(wave, 0.7, **rule_with(lambda x: 20.0 * np.cos(20.0 * x))[tester]).failed == 0
    with pytest.raises(RuleTestError, match="wrong value"):
        tester(wave, 0.7, **rule_with(lambda x: 20.0 * np.cos(20.0 * x) + 1e-7)[tester])


CALLS = []


def counted(x):
    """A function that counts its calls."""
    CALLS.append(x)
    return np.sin(x)


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
def test_a_fixed_step_takes_few_calls(tester):
    """Of a right rule, as most are; and no step is adapted to the function."""
    numbers = []
    for method in (None, fdm.central_fdm(5, 1)):
        CALLS.clear()
        tester(counted, 0.7, **rule_with(np.cos)[tester], fdm=method)
        numbers.append(len(CALLS))

    assert numbers[0] + 6 <= numbers[1]


def test_errors_that_are_not_finite_are_no_direction():
    """A kink is sought along the others."""
    reference = ElementWise(trial_of(rules.add, rng_normal(3)), np.ones(3))
    reference.measure(None)

    for error, expected in (
        ([0.0, np.nan, 2.0], [0.0, 0.0, 1.0]),
        ([np.inf, -np.inf, 2.0], [0.0, 0.0, 1.0]),
        ([0.0, -1.0, 2.0], [0.0, -0.5, 1.0]),
        ([0.0, -1e-3, 2e-3], [0.0, -0.5, 1.0]),
    ):
        direction = reference.direction(1, 1.0 + np.array(error))
        np.testing.assert_allclose(direction, expected, atol=1e-7)  # that of the differences


@pytest.mark.parametrize("kind", [ElementWise, Directional])
def test_the_largest_derivative(kind):
    """It may be small, and is zero where there is none."""

    def small(x, y):
        return 1e-3 * (x + y)

    for size, largest in (1, 1e-3), (0, 0.0):
        reference = kind(trial_of(small, np.ones(size)), np.ones(size))
        reference.measure(None)
        assert reference.largest == pytest.approx(largest)
