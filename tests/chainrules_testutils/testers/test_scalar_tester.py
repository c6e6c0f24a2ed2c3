"""`test_scalar`: every real direction of input and output, in both modes."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule, typeof_, unthunk
from chainrules_testutils import RuleTestError, test_frule, test_rrule, test_scalar
from tests.chainrules_testutils import checks_made
from tests.chainrules_testutils import rules_under_test as rules


@pytest.mark.parametrize(
    "x", [2.0, -0.5, 3, 1.0 - 2.0j, np.float32(1.5), np.complex64(1 + 2j), np.float64(0.0)]
)
def test_right_rules_pass(x):
    """Right rules pass at real and complex numbers of any precision, and at integers."""
    report = test_scalar(rules.square, x)

    assert report.failed == report.broken == 0


def test_real_function_of_a_complex_number():
    """A real result has one direction, a complex argument two."""
    report = test_scalar(rules.absolute_squared, 1.0 + 2.0j)
    directions = {check.where.partition(":")[0] for check in report.checks}

    assert directions == {"frule, tangent (1+0j)", "frule, tangent 1j", "rrule, cotangent 1.0"}


def test_keyword_arguments_reach_primal_and_rule():
    """Keyword arguments are those of the primal, in both modes."""

    def scaled(x, *, scale):
        return scale * x

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: float, *, scale):
        return scale * x, lambda y_bar: (NoTangent(), scale * y_bar)

    @frule.dispatch
    def scaled_frule(tangents, f: typeof_(scaled), x: float, *, scale):
        return scale * x, scale * tangents[1]

    assert test_scalar(scaled, 2.0, fkwargs={"scale": 3.0}).failed == 0


def test_missing_conjugate_is_found():
    """A pullback that multiplies by the derivative itself is wrong for complex numbers."""

    def cube(z):
        return z**3

    @frule.dispatch
    def cube_frule(tangents, f: typeof_(cube), z: complex):
        return z**3, 3 * z**2 * tangents[1]

    @rrule.dispatch
    def cube_rrule(f: typeof_(cube), z: complex):
        return z**3, lambda y_bar: (NoTangent(), 3 * z**2 * y_bar)

    with pytest.raises(
        RuleTestError, match=r"rrule, cotangent \(1\+0j\): cotangent for input 2: wrong value"
    ) as caught:
        test_scalar(cube, 1.0 + 2.0j)
    assert caught.value.report.failed == 2
    assert "frule" not in str(caught.value).partition("\n- ")[2]


def test_both_modes_are_needed():
    """A function with one rule only fails for the other."""

    def forwards_only(x):
        return x

    @frule.dispatch
    def forwards_only_frule(tangents, f: typeof_(forwards_only), x: float):
        return x, tangents[1]

    with pytest.raises(RuleTestError, match="No rrule is registered for"):
        test_scalar(forwards_only, 1.0)


@pytest.mark.parametrize("x", [np.ones(2), "1", True, None])
def test_other_values_are_refused(x):
    """What is no number is refused."""
    with pytest.raises(TypeError, match="x is a real or complex number"):
        test_scalar(rules.square, x)


def test_several_results():
    """Each number of a tuple is a direction of its own."""
    report = test_scalar(rules.sine_and_cosine, 0.7)
    directions = {check.where.partition(":")[0] for check in report.checks}

    assert report.failed == 0
    assert sum(direction.startswith("rrule, cotangent Tangent[tuple](") for direction in directions) == 2


@pytest.mark.parametrize("y", [np.ones(2), "1", (1.0, np.ones(2)), [1.0], None])
def test_other_results_are_refused(y):
    """A result that is neither a number nor a tuple of numbers is refused."""
    with pytest.raises(TypeError, match=r"f returns numbers, or a tuple of them, not .*; use test_frule"):
        test_scalar(lambda x: y, 1.0)


def test_modes():
    """All testers have the fast mode; other modes are refused by all."""
    assert test_scalar(rules.square, 2.0, mode="fast").failed == 0
    assert test_frule(rules.square, 2.0, mode="fast").failed == 0
    for tester in (test_scalar, test_frule, test_rrule):
        with pytest.raises(ValueError, match="mode='slow': it is \"full\", every element"):
            tester(rules.square, 2.0, mode="slow")


def test_misplaced_arguments():
    """A result in the place of the function is refused before anything is called."""
    with pytest.raises(TypeError, match=r"test_scalar\(f, \*args\): f is a function, not 8\.0"):
        test_scalar(8.0, 2.0)


@pytest.mark.parametrize("number", [float, np.float32, np.float64, complex, np.complex64])
def test_directions_have_the_precision_of_the_number(number):
    """And its class: a rule meets what it meets in programs."""
    seen = set()

    def doubled(x):
        return 2 * x

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), x: number):
        return 2 * x, lambda y_bar: (NoTangent(), [seen.add(type(unthunk(y_bar))), 2 * y_bar][1])

    @frule.dispatch
    def doubled_frule(tangents, f: typeof_(doubled), x: number):
        return 2 * x, 2 * tangents[1]

    assert test_scalar(doubled, number(1.5)).failed == 0
    assert seen == {number}


def test_the_checks_that_are_made():
    """In forward mode one run for each direction of the argument, in reverse mode for each of the result."""
    calls = {
        "a float": (rules.square, 2.0),
        "float32": (rules.square, np.float32(2.0)),
        "an integer": (rules.square, 2),
        "a complex number": (rules.square, 1.0 - 2.0j),
        "real of complex": (rules.absolute_squared, 1.0 - 2.0j),
        "two results": (rules.sine_and_cosine, 0.7),
    }
    reports = {name: test_scalar(*call) for name, call in calls.items()}

    found, written = checks_made.compared_with_written(reports, "test_scalar")
    assert found == written


def test_pytest_points_at_the_call():
    """Not into the tester."""
    with pytest.raises(RuleTestError) as caught:
        test_scalar(lambda x: 2.0 * x, 1.0)

    assert checks_made.is_shown_last(caught, __file__)
