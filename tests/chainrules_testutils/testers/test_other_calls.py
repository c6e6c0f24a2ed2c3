"""Calls of rules that are not apart from each other, or from their arguments."""

import numpy as np
import pytest

from chainrules_core import NoTangent, not_implemented
from chainrules_testutils import RuleTestError, test_frule, test_rrule
from chainrules_testutils.testers.other_calls import have_one_sign
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import RIGHT
from tests.chainrules_testutils.wrong_rules_that_remember import REMEMBERING, exponential, plus_zero


@pytest.mark.parametrize(("make", "f", "args", "says"), REMEMBERING)
@pytest.mark.parametrize("mode", ["full", "fast"])
def test_rrules_that_remember(make, f, args, says, mode):
    """They are right at the first call, and rejected."""
    rrule_f, _ = make()
    with pytest.raises(RuleTestError, match=says) as caught:
        test_rrule(f, *args, rrule_f=rrule_f, mode=mode)
    assert caught.value.report.failed == 1


@pytest.mark.parametrize(("make", "f", "args", "says"), REMEMBERING)
def test_frules_that_remember(make, f, args, says):
    """They are right at the first call, and rejected."""
    _, frule_f = make()
    with pytest.raises(RuleTestError, match=says):
        test_frule(f, *args, frule_f=frule_f)


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
def test_right_rules_are_called_again(tester):
    """With other arguments, in all forms of values."""
    for call in RIGHT.values():
        wheres = [check.where for check in tester(*call).checks]
        assert "memory of the primal value" in wheres


def test_rules_that_refuse_other_arguments():
    """A rule need not be defined at them."""

    def rrule_f(config, f, x):
        if x != 2.0:
            raise ValueError("elsewhere")
        return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)

    assert test_rrule(rules.square, 2.0, rrule_f=rrule_f).failed == 0


def test_what_is_kept_and_right():
    """A linear function has the same derivatives everywhere, and a memory by values those of each call."""
    known = {}

    def linear(config, f, x):
        slope = known.setdefault(x.shape, 1.0)
        return x + 0.0, lambda y_bar: (NoTangent(), slope * y_bar)

    def by_values(config, f, x):
        y = known.setdefault(x.tobytes(), np.exp(x))
        return y.copy(), lambda y_bar: (NoTangent(), y * y_bar)

    x = np.array([0.3, -0.4])
    assert test_rrule(plus_zero, x, rrule_f=linear).failed == 0
    assert test_rrule(exponential, x, rrule_f=by_values).failed == 0


def test_results_that_are_views():
    """Where the function returns a view of its argument, a rule may too."""

    def transposed(x):
        return x.T

    def rrule_f(config, f, x):
        return x.T, lambda y_bar: (NoTangent(), y_bar.T)

    assert test_rrule(transposed, np.ones((2, 3)), rrule_f=rrule_f).failed == 0


def test_kinks_between_the_arguments():
    """A function with a kink just above the arguments, and just above the larger ones."""
    for bound in (1.0 + 2.0**-7, 1.0 + 2.0**-6 + 1e-4):

        def bounded(x, bound=bound):
            return np.minimum(x, bound)

        def rrule_f(config, f, x, bound=bound):
            return bounded(x), lambda y_bar: (NoTangent(), y_bar * (x < bound))

        assert test_rrule(bounded, np.array([1.0, 0.3]), rrule_f=rrule_f).failed == 0


def test_signs_of_tangents():
    """A rule may ignore one that all numbers have; of tangents without numbers nothing is said."""
    assert have_one_sign((1.0, np.ones(2)), (-1.0, np.array([-2.0, 0.0])))
    for x_dots in (
        (1.0, np.array([-2.0, 0.0])),
        (0.0, np.zeros(2)),
        (1.0, not_implemented("nobody knows it")),
    ):
        assert not have_one_sign((1.0, np.ones(2)), x_dots)
