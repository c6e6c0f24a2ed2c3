"""Integers, what cannot be perturbed, and finite differences that fail."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, not_implemented
from chainrules_testutils import PrimalAndTangent, RuleTestError, test_rrule


def rule(f, *cotangents):
    """A rule that scales fixed cotangents, after the function's, by the sum of the cotangent."""

    def rule_f(config, f, *args, **kwargs):
        def pullback(y_bar):
            def scaled(x_bar):
                return x_bar * y_bar if isinstance(x_bar, float | np.ndarray | Tangent) else x_bar

            return NoTangent(), *map(scaled, cotangents)

        return f(*args, **kwargs), pullback

    return rule_f


def scale(x, n):
    """Takes floats for `n`."""
    return x * n


def repeat(x, n):
    """Takes no floats for `n`."""
    return x * len(range(n))


@pytest.mark.parametrize("n_bar", [lambda x: NoTangent(), float, np.float64])
def test_integers_may_have_either(n_bar):
    """An integer that may be a real number gets `NoTangent`, or the derivative there."""

    def rrule_f(config, f, x, n):
        return rule(scale, 3.0, n_bar(x))(config, f, x, n)

    assert test_rrule(scale, 2.0, 3, rrule_f=rrule_f).failed == 0


@pytest.mark.parametrize(
    ("n_bar", "says"),
    [
        (1.0, "cotangent for input 3: wrong value"),
        (0.0, "cotangent for input 3: wrong value"),
        (ZeroTangent(), "should use NoTangent"),
        (
            None,
            r"1 of \d+ checks .*\n.*\n- cotangent for input 3: None for an integer; return NoTangent",
        ),
        ("text", "cotangent for input 3: 'text' is no tangent"),
        (np.ones(2), "cotangent for input 3: shape"),
    ],
)
def test_integers_may_not_have_anything(n_bar, says):
    """Any other cotangent of an integer is wrong."""
    with pytest.raises(RuleTestError, match=says):
        test_rrule(scale, 2.0, 3, rrule_f=rule(scale, 3.0, n_bar))


def test_arrays_of_integers():
    """What holds for integers holds for arrays of them, and for tuples of them."""
    n = np.array([1, 2])
    y_bar = np.array([0.5, 3.0])

    def pulls_back_floats(config, f, x, n):
        return x * n, lambda y_bar: (NoTangent(), n @ y_bar, x * y_bar)

    options = {"output_tangent": y_bar}
    assert test_rrule(scale, 2.0, n, rrule_f=pulls_back_floats, **options).failed == 0

    def pulls_back_twice_that(config, f, x, n):
        return x * n, lambda y_bar: (NoTangent(), n @ y_bar, 2 * x * y_bar)

    with pytest.raises(RuleTestError, match=r"cotangent for input 3, index \(1,\): wrong value"):
        test_rrule(scale, 2.0, n, rrule_f=pulls_back_twice_that, **options)


def test_integers_that_are_no_numbers():
    """Where the primal takes no float in an integer's place, a float is refused, with the primal's error."""
    with pytest.raises(
        RuleTestError, match=r"2\.0 for an integer in whose place the primal takes no float"
    ) as caught:
        test_rrule(repeat, 2.0, 3, rrule_f=rule(repeat, 3.0, 2.0), output_tangent=1.0)
    assert isinstance(caught.value.__cause__, TypeError)
    assert test_rrule(repeat, 2.0, 3, rrule_f=rule(repeat, 3.0, NoTangent())).failed == 0


@pytest.mark.parametrize("flag", [True, "text", None, slice(1), np.array([True]), len])
def test_what_cannot_be_perturbed(flag):
    """Flags, texts and functions have `NoTangent` and nothing else."""

    def first(x, flag):
        return x

    assert test_rrule(first, 2.0, flag, rrule_f=rule(first, 1.0, NoTangent())).failed == 0
    with pytest.raises(RuleTestError, match="should use NoTangent"):
        test_rrule(first, 2.0, flag, rrule_f=rule(first, 1.0, ZeroTangent()))
    with pytest.raises(RuleTestError, match="for an argument that cannot be perturbed; return NoTangent"):
        test_rrule(first, 2.0, flag, rrule_f=rule(first, 1.0, 0.0))


def test_not_implemented_in_the_place_of_no_tangent():
    """A cotangent that is not implemented is broken, not failed, for an integer too."""
    report = test_rrule(scale, 2.0, 3, rrule_f=rule(scale, 3.0, not_implemented("later")))

    assert (report.broken, report.failed) == (1, 0)


def test_points_without_a_derivative():
    """Where finite differences are not finite the failure says what to do."""

    def log(x):
        with np.errstate(all="ignore"):
            return np.log(x)

    with pytest.raises(
        RuleTestError, match=r"finite differences: not finite\. Is the primal defined around the arguments"
    ):
        test_rrule(log, 1e-4, rrule_f=rule(log, 1e4))


def test_primals_that_raise_elsewhere():
    """A primal that raises beside the point is a failure of the differences, and only that."""

    def only_two(x):
        if x != 2.0:
            raise ValueError("not two")
        return x

    with pytest.raises(RuleTestError, match="finite differences: raised ValueError: not two") as caught:
        test_rrule(only_two, 2.0, rrule_f=rule(only_two, 1.0))
    assert caught.value.report.failed == 1


def test_given_tangents_serve_for_accumulation():
    """The cotangent is added to the tangent that is given with an argument."""
    report = test_rrule(scale, PrimalAndTangent(2.0, 5.0), 3, rrule_f=rule(scale, 3.0, NoTangent()))

    assert "accumulating the cotangent for input 2" in [check.where for check in report.checks]
