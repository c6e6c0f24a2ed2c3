"""What a run of a tester records."""

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    non_differentiable,
    rrule,
    typeof_,
)
from chainrules_testutils import PrimalAndTangent, Report, RuleTestError, TestConfig, test_frule, test_rrule
from chainrules_testutils.advice.report import failed, passed
from chainrules_testutils.testers.trial import AUTO, Options, Trial, can_be_scaled
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.checks_made import made


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
    assert {type(config) for config in seen} == {TestConfig}
    assert own not in seen
    seen.clear()
    test_rrule(rules.square, 2.0, rrule_f=spying, config=own)
    assert all(config is own for config in seen)


def test_exceptions_are_recorded():
    """An error becomes a failure, and the test goes on."""
    trial = Trial("rrule", rules.square, (2.0,), Options())
    with trial.errors_as_failures("here"):
        raise KeyError("x")
    with trial.errors_as_failures("there"):
        raise RuleNotFoundError("no rule")

    assert [check.message for check in trial.report.failures] == [
        "here: raised KeyError: 'x'",
        "there: no rule",
    ]


def test_interruptions_are_not_recorded():
    """An exception that is no error of the rule passes through."""
    trial = Trial("rrule", rules.square, (2.0,), Options())
    with pytest.raises(KeyboardInterrupt), trial.errors_as_failures("here"):
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


@pytest.mark.parametrize("mode", ["rrule", "frule"])
def test_what_is_no_pair(mode):
    """The message names the rule, if it is known by then."""
    trial = Trial(mode, rules.square, (2.0,), Options())
    assert trial.expect_pair(4.0) is False
    trial.call_rule(*([(NoTangent(), 1.0)] if mode == "frule" else []), rules.square, 2.0)
    assert trial.expect_pair(4.0) is False
    assert trial.expect_pair((4.0, len)) is True

    unnamed, named = (failure.message for failure in trial.report.failures)
    assert f"The {mode} should return" in unnamed
    assert f"square_{mode} (" in named


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
    assert test_rrule(doubled, (1.5, 2.5)).failed == 0


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


def trial_of_square(**options):
    """A run whose primal is called, and no rule yet."""
    return Trial("rrule", rules.square, (2.0,), Options(**options))


def test_what_is_expected():
    """A problem is a failure, none is a check that passed; it is returned which of both."""
    trial = trial_of_square()
    assert trial.expect([], "here") is True
    assert trial.expect(["wrong", "odd"], "there") is False

    assert made(trial.report)[-3:] == ["here", "there: failed", "there: failed"]
    assert [check.message for check in trial.report.failures] == ["there: wrong", "there: odd"]
    assert trial.record([]) is True


def test_checks_that_are_set_aside():
    """They are in a list of their own, also if the block ends with an error."""
    trial = trial_of_square()
    before = len(trial.report.checks)
    with trial.set_aside() as aside:
        trial.expect([], "here")

    assert [check.where for check in aside] == ["here"]
    assert len(trial.report.checks) == before
    with pytest.raises(KeyError), trial.set_aside():
        raise KeyError
    assert len(trial.report.checks) == before


def test_the_checks_of_another_report():
    """Each says what it is about, in its place and in its message if it has one."""
    trial = trial_of_square()
    trial.merge(Report("other", checks=[passed("here"), failed("there", "wrong")]), "second")

    assert made(trial.report)[-2:] == ["second, here", "second, there: failed"]
    assert [check.message for check in trial.report.checks[-2:]] == ["", "second, there: wrong"]


def test_differences_that_are_not_finite():
    """They are a failure of the call; finite ones are no check."""
    trial = trial_of_square()
    before = len(trial.report.checks)
    trial.expect_finite(np.ones(2))
    assert len(trial.report.checks) == before
    trial.expect_finite(np.array([1.0, np.nan]))
    assert "finite differences: not finite" in trial.report.failures[0].message


def test_changed_arguments():
    """Each input that was changed is reported once; whether any was is said each time."""
    trial = trial_of_square()
    x, y = np.ones(2), np.ones(2)
    given = trial.remembered((rules.square, x, y))
    assert given == (rules.square, x, y)
    assert trial.check_arguments() is True
    x[0] = 3.0
    assert trial.check_arguments() is trial.check_arguments() is False
    assert [check.message for check in trial.report.failures] == [
        "arguments: input 2 was changed; compute with a copy of it."
    ]
    y[0] = 3.0
    assert trial.check_arguments() is False
    assert "input 3 was changed" in trial.report.failures[1].message
    assert len(trial.report.failures) == 2


def test_changed_values():
    """The advice follows the place."""
    trial = trial_of_square()
    assert trial.check_unchanged(np.ones(2), np.ones(2), "here") is True
    assert trial.check_unchanged(np.ones(2), np.zeros(2), "here", "; copy it") is False
    assert trial.report.failures[0].message == "here: it was changed; copy it"


def test_wrong_results():
    """A value is followed by a hint at the call; a class or dtype speaks for itself."""
    trial = trial_of_square()
    trial.check_result(4.0)
    assert trial.report.failed == 0
    trial.check_result(5.0)
    trial.check_result(np.float32(5.0))

    hints = ["hint: the rule's result is not `square(x)`." in c.message for c in trial.report.failures]
    assert hints == [True, False, False]


@pytest.mark.parametrize(
    ("tester", "says"),
    [
        (lambda given: test_rrule(rules.square, 2.0, rrule_f=given), r"rrule_f\(config, f, \*args"),
        (lambda given: test_frule(rules.square, 2.0, frule_f=given), r"frule_f\(config, tangents, f, \*args"),
    ],
)
def test_rules_that_do_not_take_the_call(tester, says):
    """The message says how a rule that is given is called."""
    with pytest.raises(RuleTestError, match=says):
        tester(lambda: None)


def test_what_can_be_multiplied():
    """Tangents and numbers, and values whose class says so; containers repeat their items."""

    class Vector:
        def __rmul__(self, factor): ...

    assert can_be_scaled(Vector())
    assert can_be_scaled(np.ones(2))
    assert not any(map(can_be_scaled, ((1.0,), [1.0], {"a": 1.0}, None)))


@pytest.mark.parametrize("options", [{"order": 0}, {"order": 3}, {"mode": "slow"}])
def test_options_out_of_range(options):
    """Derivatives of orders 1 and 2, all elements or one direction."""
    with pytest.raises(ValueError, match=next(iter(options))):
        Options(**options)
    assert (Options().order, Options(order=2).order, Options(mode="fast").mode) == (1, 2, "fast")


def test_what_is_given_is_chosen():
    """A tangent that does not fit its primal is refused before the rule is called."""
    with pytest.raises(RuleTestError, match="tangent of input 2"):
        Trial("rrule", rules.square, (PrimalAndTangent(2.0, np.ones(3)),), Options())
    with pytest.raises(RuleTestError, match="output_tangent"):
        trial_of_square(output_tangent=np.ones(3))


def test_the_title_names_keywords():
    """And says where there are no arguments."""
    trial = Trial("rrule", rules.power, (1.5, 2.5), Options(fkwargs={"scale": 3.0}))
    assert trial.report.title.endswith("power on float, float with scale=3.0")
    assert Trial("rrule", lambda: 2.0, (), Options()).report.title.endswith(" on nothing")


def test_outputs_without_tangents():
    """They are opaque unless a rule, registered or given, says so."""

    def described(x):
        return f"{x}"

    def declared(x):
        return f"{x}"

    non_differentiable(declared)
    assert Trial("rrule", described, (2.0,), Options()).is_opaque(described, 2.0)
    assert not Trial("rrule", described, (2.0,), Options(rule=lambda *_: None)).is_opaque(described, 2.0)
    assert not Trial("rrule", declared, (2.0,), Options()).is_opaque(declared, 2.0)
    assert not trial_of_square().is_opaque(rules.square, 2.0)
