"""Right rules pass, wrong ones are rejected for the right reason."""

import functools
import re

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    not_implemented,
    rrule,
    typeof_,
)
from chainrules_testutils import PrimalAndTangent, RuleTestError, positive, test_rrule
from tests.chainrules_testutils import checks_made, failure_texts
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, RIGHT, A, B, V, X
from tests.chainrules_testutils.structured_wrong_rrules import WRONG
from tests.chainrules_testutils.wrong_rrules import exception_in_the_rule, writes_into_an_argument


@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_rules_pass(call):
    """A right rule passes every check, and the report counts them."""
    report = test_rrule(*call)

    assert report.failed == report.broken == 0
    assert report.passed == len(report.checks) >= 10


def test_keyword_arguments_reach_primal_and_rule():
    """Keyword arguments are those of the primal, in the rule and in the differences."""
    assert test_rrule(rules.power, 1.5, 2.5, fkwargs={"scale": 3.0}).failed == 0


def test_not_implemented_is_broken_not_failed():
    """A derivative that is not implemented is counted as broken, once."""
    report = test_rrule(rules.unfinished, 2.0, 3.0)

    assert (report.broken, report.failed) == (1, 0)


def test_every_failure_is_listed():
    """One error lists all that is wrong, with the place of the rule."""

    def wrong(config, f, foo, b):
        return f(foo, b), lambda y_bar: (ZeroTangent(), Tangent[rules.Foo](A=2 * y_bar @ b.T), foo.A @ y_bar)

    with pytest.raises(RuleTestError) as caught:
        test_rrule(rules.foo_mul, FOO, X, rrule_f=wrong)

    message = str(caught.value)
    assert caught.value.report.failed == 3
    assert re.search(r"rule: .*test_rrule_tester.py:\d+", message)
    assert "- cotangent for input 1: The pullback in the rrule should use NoTangent()" in message
    assert "- cotangent for input 2, field A, index (" in message
    assert "- cotangent for input 3, index (" in message
    assert "rel error 5.0e-01 (allowed: rtol 1e-09, atol 1e-09)" in message
    assert "9 of 9 elements differ; this is the worst" in message
    assert len(message.splitlines()) < 24


@pytest.mark.parametrize(("rule", "f", "args", "says"), WRONG)
def test_wrong_rules_are_rejected(rule, f, args, says):
    """A wrong rule is rejected, for what is wrong with it."""
    with pytest.raises(RuleTestError, match=says):
        test_rrule(f, *args, rrule_f=rule)


def test_there_are_many_rules():
    """The tables of right and wrong rules are not lost by accident."""
    assert len(RIGHT) >= 60
    assert len(WRONG) >= 80


def test_texts_of_failures():
    """The message for each wrong rule is the one that is written down, but for digits."""
    assert failure_texts.raised(test_rrule, "rrule", WRONG) == failure_texts.written("rrule")


# --- Results that have no tangents ---------------------------------------------------------------


@pytest.mark.parametrize("x", [2.0, 0.5, -1.0])
def test_declared_outputs_of_other_types(x):
    """Where a rule says so, the result is compared, and the cotangents are `NoTangent()`."""
    report = test_rrule(rules.label, x)

    assert report.failed == 0
    assert {"primal value", "number of cotangents", "cotangents"} <= {check.where for check in report.checks}


def other_result(config, f, x):
    """A wrong result."""
    return "small", lambda y_bar: (NoTangent(), NoTangent())


def with_cotangent(config, f, x):
    """A cotangent from nothing."""
    return f(x), lambda y_bar: (NoTangent(), 1.0)


def that_raises(config, f, x):
    """A pullback that insists on a number."""
    return f(x), lambda y_bar: (NoTangent(), {}[y_bar])


def too_few(config, f, x):
    """Too few cotangents."""
    return f(x), lambda y_bar: (NoTangent(),)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (other_result, "1 of 6 checks failed\n.*\n- primal value: not equal"),
        (with_cotangent, "- primal: its output, 'large', is a str, neither"),
        (that_raises, "- primal: its output, 'large', is a str, neither"),
        (too_few, "2 here, not 1"),
    ],
)
def test_wrong_rules_for_outputs_of_other_types(rule, says):
    """A derivative of such an output, another result, or too few cotangents, are refused."""
    with pytest.raises(RuleTestError, match=says):
        test_rrule(rules.label, 2.0, rrule_f=rule)


# --- Arguments of the tester ---------------------------------------------------------------------


def test_missing_rule():
    """Where there is no rule the failure is `explain`'s account, chained."""

    def without_rule(x):
        return x

    with pytest.raises(RuleTestError, match="No rrule is registered") as caught:
        test_rrule(without_rule, 1.0)
    assert isinstance(caught.value.__cause__, RuleNotFoundError)


def test_exceptions_of_rules_are_chained():
    """An exception in the rule is the cause of the error, with its traceback."""
    with pytest.raises(RuleTestError) as caught:
        test_rrule(rules.square, 2.0, rrule_f=exception_in_the_rule)
    assert isinstance(caught.value.__cause__, KeyError)


def test_exceptions_of_primals_are_their_own():
    """What the primal raises is no failure of the rule."""
    with pytest.raises(AttributeError, match="no attribute 'A'"):
        test_rrule(rules.foo_mul, 1.0, X)


def test_arguments_are_not_written_into():
    """Not even a rule that writes into its arguments reaches those of the caller."""
    x = V.copy()
    with pytest.raises(RuleTestError):
        test_rrule(rules.add, x, X, rrule_f=writes_into_an_argument)
    assert np.array_equal(x, V)


def test_given_no_tangent_excludes_an_argument():
    """An argument with `NoTangent()` is not differentiated, and must get `NoTangent()`."""

    def only_first(config, f, x, y):
        return x * y, lambda y_bar: (NoTangent(), y * y_bar, NoTangent())

    def both(config, f, x, y):
        return x * y, lambda y_bar: (NoTangent(), y * y_bar, 2.0)

    pair = PrimalAndTangent(3.0, NoTangent())
    assert test_rrule(rules.unfinished, 2.0, pair, rrule_f=only_first).failed == 0
    with pytest.raises(RuleTestError, match=r"input 3: 2\.0 for an argument that cannot be perturbed"):
        test_rrule(rules.unfinished, 2.0, pair, rrule_f=both)


def test_given_output_tangent_is_pulled_back():
    """The pullback gets the output tangent that was given, and it has to fit the output."""
    seen = []

    def spying(config, f, x):
        y, pullback = rules.square_rrule(f, x)
        return y, lambda y_bar: [seen.append(y_bar), pullback(y_bar)][1]

    def no_projection(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)

    test_rrule(rules.square, 2.0, rrule_f=spying, output_tangent=5.5)
    assert seen[0] == 5.5
    with pytest.raises(RuleTestError, match="output_tangent: it does not fit the output"):
        test_rrule(rules.square, 2.0, output_tangent=np.ones(2), rrule_f=no_projection)


def test_rules_need_not_know_of_thunks():
    """A pullback is given what is computed, so one that takes nothing but arrays is right."""

    def takes_arrays(config, f, A, B):
        def pullback(y_bar):
            assert type(y_bar) is np.ndarray
            return NoTangent(), y_bar @ B.T, A.T @ y_bar

        return A @ B, pullback

    assert test_rrule(rules.matmul, A, B, rrule_f=takes_arrays).failed == 0


def test_thunks_are_pulled_back_like_their_values():
    """What `rrule` makes of the pullback computes them; `check_thunked_output_tangent=False` asks not."""
    for option, is_checked in ({}, True), ({"check_thunked_output_tangent": False}, False):
        report = test_rrule(rules.matmul, A, B, **option)
        assert any("thunk" in check.where for check in report.checks) == is_checked


def test_tolerances():
    """The tolerances are those that are asked for."""

    def slightly_wrong(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar * (1 + 1e-7))

    with pytest.raises(RuleTestError, match="allowed: rtol 1e-09, atol 1e-09"):
        test_rrule(rules.square, 2.0, rrule_f=slightly_wrong)
    assert test_rrule(rules.square, 2.0, rrule_f=slightly_wrong, rtol=1e-6).failed == 0
    assert test_rrule(rules.square, 2.0, rrule_f=slightly_wrong, atol=1e-5).failed == 0


def test_partials_are_differentiated():
    """The values that a `functools.partial` holds get a cotangent."""
    f = functools.partial(rules.matmul, A)

    @rrule.dispatch
    def partial_rrule(f: typeof_(f), x: np.ndarray):
        def pullback(y_bar):
            f_bar = Tangent[functools.partial](args=Tangent[tuple](y_bar @ x.T))
            return f_bar, A.T @ y_bar

        return f(x), pullback

    assert test_rrule(f, B).failed == 0


def test_random_tangents_are_reproducible():
    """The same call checks with the same random tangents; another seed with others."""
    seeds = []

    def spying(config, f, x):
        y, pullback = rules.square_rrule(f, x)
        return y, lambda y_bar: [seeds.append(y_bar), pullback(y_bar)][1]

    for rng in (1, 1, 2):
        test_rrule(rules.square, 2.0, rrule_f=spying, rng=rng)
    first = seeds[:: len(seeds) // 3]
    assert first[0] == first[1] != first[2]


def test_integers_without_tangents():
    """Where nothing was differentiated since reals were written as integers, that is a failure."""

    def declared(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), NoTangent())

    for options in ({}, {"output_tangent": 1.0}):
        with pytest.raises(RuleTestError, match="each of them is an integer"):
            test_rrule(rules.square, 3, rrule_f=declared, **options)


def test_pullbacks_that_are_not_linear():
    """They are told as that, beside a cotangent that is not implemented too."""

    def squares(config, f, x, y):
        return x * y, lambda y_bar: (NoTangent(), y * y_bar * abs(y_bar), not_implemented("later"))

    with pytest.raises(RuleTestError, match="not linear"):
        test_rrule(rules.unfinished, 2.0, 3.0, rrule_f=squares)


def test_positive_arguments():
    """The domains serve as arguments."""
    assert test_rrule(rules.power, float(positive()), 2.5).failed == 0


@pytest.mark.parametrize("order", [1, 2])
def test_what_is_checked_of_right_rules_only(order):
    """A right rule is compared with the `frule`, and with `order=2` differentiated; a wrong one is not."""

    def wheres(report):
        return " ".join(check.where for check in report.checks)

    def wrong(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 3 * x * y_bar)

    right = wheres(test_rrule(rules.square, 2.0, order=order))
    with pytest.raises(RuleTestError) as caught:
        test_rrule(rules.square, 2.0, rrule_f=wrong, order=order)

    assert "agreement with the frule" in right
    assert ("derivative of the pullback" in right) == (order == 2)
    assert "derivative of the pullback" not in wheres(caught.value.report)


def test_the_checks_that_are_made():
    """Of each right rule the checks that are written down, no more and no fewer."""
    reports = {
        **{name: test_rrule(*RIGHT[name]) for name in checks_made.CALLS},
        "arrays, fast": test_rrule(*RIGHT["arrays"], mode="fast"),
        "order 2": test_rrule(*RIGHT["float"], order=2),
        "order 2 of arrays": test_rrule(*RIGHT["real and complex"], order=2),
        "unfinished": test_rrule(rules.unfinished, 2.0, 3.0),
        "zero": test_rrule(*RIGHT["arrays"], output_tangent=ZeroTangent()),
    }

    found, written = checks_made.compared_with_written(reports, "test_rrule")
    assert found == written


def test_pytest_points_at_the_call():
    """Not into the tester."""
    with pytest.raises(RuleTestError) as caught:
        test_rrule(rules.square, 2.0, rrule_f=lambda *_: None)

    assert checks_made.is_shown_last(caught, __file__)
