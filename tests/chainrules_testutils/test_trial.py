"""What a run of a tester records."""

import numpy as np
import pytest

from chainrules_core import NoTangent, RuleNotFoundError, Tangent, ZeroTangent, rrule, typeof_
from chainrules_testutils import RuleTestError, TestConfig, test_rrule
from chainrules_testutils.trial import AUTO, Options, Trial, can_be_scaled
from tests.chainrules_testutils import rules_under_test as rules


def test_title():
    """The title names the function, and the types of the arguments."""
    trial = Trial("rrule", rules.matmul, (np.ones((2, 2)), np.ones((2, 2))), Options())

    assert trial.report.title.startswith("test_rrule: ")
    assert trial.report.title.endswith("matmul on ndarray[float64, 2], ndarray[float64, 2]")


def test_place_of_the_rule():
    """The report says where the rule stands: the one that was found, or the one that was given."""

    def given(config, f, x):
        return rules.square_rrule(f, x)

    found = test_rrule(rules.square, 2.0).rule
    file, _, line = test_rrule(rules.square, 2.0, rrule_f=given).rule.rpartition(":")
    assert found.rpartition(":")[0].endswith("rules_under_test.py")
    assert file.endswith("test_trial.py")
    assert int(line) == given.__code__.co_firstlineno


def test_configurations():
    """Rules are called with a `TestConfig` that has the method, or with the configuration that is given."""
    seen = []

    def spying(config, f, x):
        seen.append(config)
        return rules.square_rrule(f, x)

    own = TestConfig()
    test_rrule(rules.square, 2.0, rrule_f=spying)
    test_rrule(rules.square, 2.0, rrule_f=spying, config=own)
    assert type(seen[0]) is TestConfig
    assert seen[1] is own


def test_exceptions_are_recorded():
    """A guarded block records what it raises, and goes on."""
    trial = Trial("rrule", rules.square, (2.0,), Options())
    with trial.guarded("here"):
        raise KeyError("x")
    with trial.guarded("there"):
        raise RuleNotFoundError("no rule")

    assert [check.message for check in trial.report.failures] == [
        "here: raised KeyError: 'x'",
        "there: no rule",
    ]


def test_interruptions_are_not_recorded():
    """An exception that is no error of the rule passes through."""
    trial = Trial("rrule", rules.square, (2.0,), Options())
    with pytest.raises(KeyboardInterrupt), trial.guarded("here"):
        raise KeyboardInterrupt


def test_accumulation_of_immutable_tangents():
    """Tangents that cannot be written into are added as well."""
    trial = Trial("rrule", rules.square, (2.0,), Options())
    for accumulated, tangent in [
        (1.0, 2.0),
        (Tangent[tuple](1.0), Tangent[tuple](2.0)),
        (1.0, ZeroTangent()),
    ]:
        trial.check_accumulation(accumulated, tangent, "tangent")

    assert trial.report.failed == 0
    assert trial.report.passed == 3


def test_what_can_be_scaled():
    """Tangents and numbers can be scaled; values with fields that stand in their place cannot."""
    assert can_be_scaled(1.0)
    assert can_be_scaled(Tangent[rules.Foo]())
    assert not can_be_scaled(rules.Foo(1.0, 2.0))
    assert repr(AUTO) == "AUTO"


def test_ambiguous_rules():
    """A call that two rules match equally well is a failure that names both."""

    def ambiguous(x, y):
        return x * y

    @rrule.dispatch
    def of_float(f: typeof_(ambiguous), x: float, y: object):
        raise NotImplementedError

    @rrule.dispatch
    def of_other_float(f: typeof_(ambiguous), x: object, y: float):
        raise NotImplementedError

    with pytest.raises(RuleTestError, match="rrule: raised AmbiguousLookupError"):
        test_rrule(ambiguous, 1.0, 2.0)

    @rrule.dispatch
    def of_both(f: typeof_(ambiguous), x: float, y: float):
        return x * y, lambda y_bar: (NoTangent(), y * y_bar, x * y_bar)

    assert test_rrule(ambiguous, 1.0, 2.0).failed == 0


def test_iterators_are_read():
    """The result of a primal that returns an iterator is the tuple of its items, as its rule has it."""

    def doubled(xs):
        return (2 * x for x in xs)

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), xs: tuple):
        def doubled_pullback(ys_bar):
            return NoTangent(), Tangent[tuple](2 * ys_bar[0], 2 * ys_bar[1])

        return tuple(doubled(xs)), doubled_pullback

    assert Trial("rrule", doubled, ((1.5, 2.5),), Options()).y == (3.0, 5.0)
    assert test_rrule(doubled, (1.5, 2.5), check_thunked_output_tangent=False).failed == 0


def test_options_stay():
    """Options are given by name, and not changed afterwards."""
    with pytest.raises(AttributeError):
        Options().mode = "fast"
    with pytest.raises(TypeError):
        Options({})


def test_primals_get_copies():
    """A primal that writes into its arguments does so in copies, at each call."""

    def sort(x):
        x.sort()
        return x[:1]

    x = np.array([3.0, 1.0, 2.0])
    trial = Trial("rrule", sort, (x,), Options())

    assert x.tolist() == trial.primals[1].tolist() == [3.0, 1.0, 2.0]
