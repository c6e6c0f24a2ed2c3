"""Right rules pass, wrong ones are rejected for the right reason: forward mode."""

# ruff: noqa: D103 - a wrong rule's name says what is wrong with it

import numpy as np
import pytest

from chainrules_core import NoTangent, RuleNotFoundError, Tangent, ZeroTangent
from chainrules_testutils import PrimalAndTangent, RuleTestError, test_frule
from tests.chainrules_testutils import checks_made, failure_texts
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, RIGHT, A, B, V, X


@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_rules_pass(call):
    """A right rule passes every check, and the report counts them."""
    report = test_frule(*call)

    assert report.failed == report.broken == 0
    assert report.passed == len(report.checks) >= 8


def test_keyword_arguments_reach_primal_and_rule():
    """Keyword arguments are those of the primal, in the rule and in the differences."""
    assert test_frule(rules.power, 1.5, 2.5, fkwargs={"scale": 3.0}).failed == 0


def test_not_implemented_is_broken_not_failed():
    """A derivative that is not implemented is counted as broken, once."""
    report = test_frule(rules.unfinished, 2.0, 3.0)

    assert (report.broken, report.failed) == (1, 0)


@pytest.mark.parametrize("scale", [1.0, 1e-6])
def test_kinks_are_named(scale):
    """However short the tangent is, also where both sides cancel; the slopes are of the worst element."""

    def frule_f(config, tangents, f, x):
        return f(x), np.where(x > 1, 1, -1) * tangents[1]

    for beside in (0.0, scale):  # a greater derivative, which is right
        call = PrimalAndTangent(np.array([2.0, 1.0]), np.array([beside, scale]))
        with pytest.raises(RuleTestError, match="differ, -1 below and 1 above: a kink"):
            test_frule(lambda x: np.abs(x - 1.0), call, frule_f=frule_f)


def test_no_tangent():
    """It is said what to return in the place of `None`, and nothing else."""
    with pytest.raises(RuleTestError, match=r"1 of \d+ checks .*\n.*\n- tangent of the output: None is no"):
        test_frule(rules.square, 2.0, frule_f=lambda config, tangents, f, x: (f(x), None))


WRONG = []


def wrong(f, *args, says):
    """Register a wrong rule of a call, and a regular expression for its message."""

    def register(rule):
        WRONG.append(pytest.param(rule, f, args, says, id=rule.__name__))
        return rule

    return register


@wrong(
    rules.square,
    2.0,
    says=r"tangent of the output: wrong value\s+actual   .*\n\s+expected .*\n.*rel error 3.3e-01",
)
def factor(config, tangents, f, x):
    return x * x, 3 * x * tangents[1]


@wrong(rules.square, 1.0 + 2.0j, says="tangent of the output: wrong value")
def conjugate(config, tangents, f, x):
    return x * x, 2 * np.conj(x) * tangents[1]


@wrong(rules.square, 2.0, says="primal value: wrong value")
def wrong_primal(config, tangents, f, x):
    return 2.5 * x, 2 * x * tangents[1]


@wrong(rules.square, 2.0, says=r"three_results \(.*:\d+\) should return \(y, y_dot\), not \(4.0, 1.0, 2.0\)")
def three_results(config, tangents, f, x):
    return x * x, 1.0, 2.0


@wrong(rules.square, 2.0, says="returned None: no rule")
def declines(config, tangents, f, x):
    return None


@wrong(
    rules.sine_and_cosine, 0.7, says="a raw tuple is no tangent: for structural differentials use `Tangent`"
)
def raw_tuple(config, tangents, f, x):
    return f(x), (np.cos(x) * tangents[1], -np.sin(x) * tangents[1])


@wrong(rules.sine_and_cosine, 0.7, says="tangent of the output: 1 items, expected 2")
def forgotten_result(config, tangents, f, x):
    return f(x), Tangent[tuple](np.cos(x) * tangents[1])


@wrong(rules.matmul, A, B, says="tangent of the output, index .*: wrong value")
def forgotten_term(config, tangents, f, A, B):
    return A @ B, tangents[1] @ B


@wrong(rules.matmul, A, B, says="tangent of the output: ZeroTangent.. where the other is not zero")
def zero(config, tangents, f, A, B):
    return A @ B, ZeroTangent()


@wrong(rules.matmul, A, B, says=r"tangent of the output: shape \(4, 3\), expected \(3, 4\): transposed\?")
def transposed(config, tangents, f, A, B):
    return A @ B, (tangents[1] @ B + A @ tangents[2]).T


@wrong(rules.add, V, X, says="arguments: input 2 was changed; compute with a copy of it")
def writes_into_an_argument(config, tangents, f, x, y):
    z = x + y
    x *= 2
    return z, tangents[1] + tangents[2]


@wrong(rules.add, V, X, says="tangents given to the frule: it, 2 was changed")
def writes_into_a_tangent(config, tangents, f, x, y):
    y_dot = tangents[2]
    y_dot += tangents[1]
    return x + y, y_dot


@wrong(rules.add, V, X, says="The tangent of the output shares memory with an argument")
def returns_an_argument(config, tangents, f, x, y):
    z = x + y
    y[:] = tangents[1] + tangents[2]
    return z, y


@wrong(
    rules.add,
    V.astype(np.float32),
    X.astype(np.float32),
    says="it: float64, but tangents of ndarray of float32",
)
def loses_single_precision(config, tangents, f, x, y):
    return x + y, np.add(tangents[1], tangents[2], dtype=np.float64)


@wrong(rules.square, 2.0, says="second call of the frule: wrong value")
def stateful(config, tangents, f, x, calls=[]):  # noqa: B006 - the state
    calls.append(x)
    return x * x, 2 * x * tangents[1] * len(calls)


@wrong(rules.square, 2.0, says="pushing zeros forward: wrong value|pushing zeros forward: ZeroTangent")
def not_linear(config, tangents, f, x, seen=[]):  # noqa: B006 - the state
    seen.append(tangents[1])
    return x * x, 2 * x * seen[0]


@wrong(rules.scale, 2.0, says="tangent of the output: wrong value")
def forgotten_closure(config, tangents, f, x):
    return f(x), 3.0 * tangents[1]


@wrong(
    rules.square,
    2.0,
    says="where the other is not zero[\\s\\S]*hint: the first tangent is that of the function",
)
def tangent_of_the_function(config, tangents, f, x):
    return x * x, tangents[0]


@wrong(rules.square, 2.0, says="frule: raised ZeroDivisionError")
def exception(config, tangents, f, x):
    return x * x, x * (1 / 0)


@pytest.mark.parametrize(("rule", "f", "args", "says"), WRONG)
def test_wrong_rules_are_rejected(rule, f, args, says):
    """A wrong rule is rejected, for what is wrong with it."""
    with pytest.raises(RuleTestError, match=says):
        test_frule(f, *args, frule_f=rule)


def test_texts_of_failures():
    """The message for each wrong rule is the one that is written down, but for digits."""
    assert failure_texts.raised(test_frule, "frule", WRONG) == failure_texts.written("frule")


def test_missing_rule():
    """Where there is no rule the failure is `explain`'s account, chained."""

    def without_rule(x):
        return x

    with pytest.raises(RuleTestError, match="No frule is registered") as caught:
        test_frule(without_rule, 1.0)
    assert isinstance(caught.value.__cause__, RuleNotFoundError)


def test_given_tangents_are_pushed_forward():
    """The tangent of an argument is the one that was given; integers move if theirs is a number."""
    seen = []

    def spying(config, tangents, f, *args):
        seen.append(tangents)
        return rules.power_frule(tangents, f, *args)

    test_frule(rules.power, PrimalAndTangent(1.5, 0.25), PrimalAndTangent(3, 2.0), frule_f=spying)
    assert seen[0] == (NoTangent(), 0.25, 2.0)


def test_natural_tangents_of_structures():
    """A value of the same class serves as the tangent of a structure."""
    natural = rules.Foo(np.ones((3, 3)), 1.0)

    assert test_frule(rules.foo_mul, PrimalAndTangent(FOO, natural), X).failed == 0


def test_misfitting_tangent():
    """A tangent that does not fit its argument is a failure that says so."""
    with pytest.raises(
        RuleTestError, match="with 1 real numbers cannot have as its tangent a ndarray with 2"
    ):
        test_frule(rules.square, PrimalAndTangent(2.0, np.ones(2)))


@pytest.mark.parametrize("x", [0.001, 0.001 - 0.002j])
def test_tolerances_above_the_tangent(x):
    """One by which zero would pass is a failure of the call."""
    with pytest.raises(RuleTestError, match="exceeds every derivative"):
        test_frule(rules.square, PrimalAndTangent(x, x), atol=0.1)
    assert test_frule(rules.square, PrimalAndTangent(x, x), rtol=0.1).failed == 0


def test_integers_that_move():
    """Where an integer moves, so may an integer result."""
    assert test_frule(rules.square, PrimalAndTangent(3, 1.0)).failed == 0
    with pytest.raises(RuleTestError, match="tangent of the output: wrong value"):
        test_frule(rules.square, PrimalAndTangent(3, 1.0), frule_f=factor)


@pytest.mark.parametrize("x", [2.0, 0.5, -1.0])
def test_declared_outputs_of_other_types(x):
    """Where a rule says so, the result is compared, and the tangent is `NoTangent()`."""
    report = test_frule(rules.label, x)

    assert report.failed == 0
    assert {"primal value", "tangent of the output"} <= {check.where for check in report.checks}


def test_wrong_tangents_of_outputs_of_other_types():
    """A tangent of such an output is refused."""

    def with_tangent(config, tangents, f, x):
        return f(x), 1.0

    with pytest.raises(RuleTestError, match="- primal: its output, 'large', is a str, neither"):
        test_frule(rules.label, 2.0, frule_f=with_tangent)


def test_outputs_of_other_types_without_rules():
    """Where no rule says that there is no derivative, the output is refused by its type."""
    with pytest.raises(RuleTestError, match="1 of 1 checks failed\n- primal: its output, 'name', is a str"):
        test_frule(lambda x: "name", 1.0)


def test_hints_about_conjugates_are_for_complex_numbers():
    """A rule of real numbers that is right at its second call is not told of conjugates."""
    calls = []

    def wrong_at_first(config, tangents, f, x):
        calls.append(x)
        return x * x, (3 if len(calls) == 1 else 2) * x * tangents[1]

    with pytest.raises(RuleTestError) as caught:
        test_frule(rules.square, 2.0, frule_f=wrong_at_first)

    assert "wrong value" in str(caught.value)
    assert "conjugate" not in str(caught.value)


def test_the_checks_that_are_made():
    """Of each right rule the checks that are written down, no more and no fewer."""
    reports = {
        **{name: test_frule(*RIGHT[name]) for name in checks_made.CALLS},
        "arrays, fast": test_frule(*RIGHT["arrays"], mode="fast"),
        "order 2": test_frule(*RIGHT["float"], order=2),
        "order 2 of arrays": test_frule(*RIGHT["real and complex"], order=2),
        "unfinished": test_frule(rules.unfinished, 2.0, 3.0),
    }

    found, written = checks_made.compared_with_written(reports, "test_frule")
    assert found == written


def test_pytest_points_at_the_call():
    """Not into the tester."""
    with pytest.raises(RuleTestError) as caught:
        test_frule(rules.square, 2.0, frule_f=lambda *_: None)

    assert checks_made.is_shown_last(caught, __file__)
