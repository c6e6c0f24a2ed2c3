"""Calls for which there is no rule in the mode that needs it; errors that programs catch."""

import functools
import logging
import math
import numbers
import operator

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
from scipy.signal import remez

from chainrules.ad import call, grad, interception, jacobian, jvp
from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    frule,
    opt_out,
    primitive,
    rrule,
    scalar_rule,
    typeof_,
)
from tests.chainrules.rule_checks import normal


def test_a_rule_for_one_mode_only():
    """The error in the other mode says which rule is missing."""

    @primitive
    def only_forwards(x):
        return x

    @frule.dispatch
    def only_forwards_frule(tangents, f: typeof_(only_forwards), x: float):
        return x, 5.0 * tangents[1]

    assert jvp(only_forwards, (1.0,), (1.0,)) == (1.0, 5.0)
    with pytest.raises(RuleNotFoundError, match=r"rrule\(ADConfig, .*only_forwards"):
        grad(only_forwards)(1.0)


def test_a_rule_without_a_return():
    """It is named, in both modes, and is not said to serve the call."""

    @primitive
    def wave(x):
        return math.frexp(x)

    @rrule.dispatch
    def wave_rrule(f: typeof_(wave), x: float): ...

    @frule.dispatch
    def wave_frule(tangents, f: typeof_(wave), x: float): ...

    says = r"^wave_{} \(\S*test_rule_calls\.py:\d+\) returned None for .* its `return y, {}` is missing\.$"
    with pytest.raises(RuleNotFoundError, match=says.format("rrule", "pullback")):
        grad(lambda x: wave(x) * 2.0)(1.5)
    with pytest.raises(RuleNotFoundError, match=says.format("frule", "y_dot")):
        jvp(wave, (1.5,), (1.0,))


def test_the_error_shows_the_whole_call():
    """With the arguments by keyword, which decide too whether there is a rule."""

    @primitive
    def without_rule(x, power=1.0):
        return x**power

    @primitive
    def with_another(x, power=1.0):
        return x**power

    @rrule.dispatch
    def with_another_rrule(f: typeof_(with_another), x: float, power: str):
        raise AssertionError

    @frule.dispatch
    def with_another_frule(tangents, f: typeof_(with_another), x: float, power: str):
        raise AssertionError

    for f in (without_rule, with_another):
        with pytest.raises(RuleNotFoundError, match=r"rrule\(ADConfig, .*, float, power=float\) has no rule"):
            grad(lambda x, f=f: f(x, power=2.0))(1.5)
        with pytest.raises(RuleNotFoundError, match=r"frule\(ADConfig, .*, float, power=float\) has no rule"):
            jvp(lambda x, f=f: f(x, power=2.0), (1.5,), (1.0,))


def test_an_opt_out_by_keyword_is_traced():
    """What was opted out of the rules is looked into, though the argument that says so came by keyword."""

    @primitive
    def scaled(x, mode=None):
        return 2.0 * x

    @frule.dispatch
    def scaled_frule(tangents, f: typeof_(scaled), x: numbers.Number, mode: object):
        raise AssertionError

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: numbers.Number, mode: object):
        raise AssertionError

    opt_out(rrule, typeof_(scaled), float, str)
    opt_out(frule, typeof_(scaled), float, str)

    assert grad(lambda x: scaled(x, mode="a"))(1.5) == 2.0
    assert jvp(lambda x: scaled(x, mode="a"), (1.5,), (1.0,)) == (3.0, 2.0)


def test_rules_of_one_function_with_more_arguments_by_keyword():
    """Each call is served by the rule for its own arguments, whichever calls came before."""

    def area(x, y=1.0):
        return x * x * y

    @rrule.dispatch
    def squared_rrule(f: typeof_(area), x: float):
        return x * x, lambda y_bar: (NoTangent(), 2.0 * x * y_bar)

    @rrule.dispatch
    def area_rrule(f: typeof_(area), x: float, y: float):
        return x * x * y, lambda y_bar: (NoTangent(), 2.0 * x * y * y_bar, x * x * y_bar)

    @frule.dispatch
    def squared_frule(tangents, f: typeof_(area), x: float):
        return x * x, 2.0 * x * tangents[1]

    @frule.dispatch
    def area_frule(tangents, f: typeof_(area), x: float, y: float):
        return x * x * y, 2.0 * x * y * tangents[1] + x * x * tangents[2]

    scales = {1.0: lambda x: area(x), 2.0: lambda x: area(x, y=2.0), 3.0: lambda x: area(x, 3.0)}
    for _ in range(3):
        for scale, f in scales.items():
            assert grad(f)(3.0) == jvp(f, (3.0,), (1.0,))[1] == 6.0 * scale
            assert grad(grad(f))(3.0) == jvp(grad(f), (3.0,), (1.0,))[1] == 2.0 * scale


def test_ufuncs_of_python_functions():
    """`np.frompyfunc` has no rule; the error names `np.vectorize`, which has."""
    doubled = np.frompyfunc(lambda x: x + x, 1, 1)

    with pytest.raises(RuleNotFoundError, match=r"write `np\.vectorize` in place of `np\.frompyfunc`"):
        grad(lambda x: np.sum(doubled(x)))(np.ones(2))


def test_rule_of_a_partial():
    """A rule for the very object goes before what its function does."""
    tripled = functools.partial(operator.mul, 3.0)

    @rrule.dispatch
    def tripled_rrule(f: typeof_(primitive(tripled)), x: float):
        return 3.0 * x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    assert rrule(tripled, 1.5)[1](1.0)[1] == 100.0
    for f in (primitive(tripled), functools.partial(call, tripled), lambda x: call(primitive(tripled), x)):
        assert grad(f)(1.5) == 100.0


def test_callables_without_a_name():
    """The error says what they are, and advises nothing that is for others."""

    class Functor:
        def __call__(self, x):
            return x

    with interception(False), pytest.raises(RuleNotFoundError, match="has no rule") as caught:
        grad(primitive(Functor()))(1.5)
    assert "frompyfunc" not in str(caught.value)


def test_opting_out_of_what_numpy_hands_back_is_an_error():
    """A ufunc has no body to trace: without a rule there is no derivative."""
    cube_root = np.frompyfunc(np.cbrt, 1, 1)
    scalar_rule(cube_root, lambda y, x: 1 / (3 * y * y))
    opt_out(rrule, typeof_(cube_root), np.float32)

    assert grad(cube_root)(8.0) == pytest.approx(1 / 12)
    with pytest.raises(RuleNotFoundError, match="cbrt"):
        grad(cube_root)(np.float32(8.0))


def test_missing_rule():
    """A function without a rule is named, and what to do is said."""
    ufunc = np.frompyfunc(max, 2, 1)
    with pytest.raises(RuleNotFoundError, match=r"max \(vectorized\).*has no rule"):
        grad(lambda x: ufunc(x, 2.0))(1.0)
    with pytest.raises(RuleNotFoundError, match=r"numpy\.nested_iters"):
        grad(lambda x: np.sum(call(np.nested_iters, x, [[0]])))(normal(3))
    with pytest.raises(RuleNotFoundError, match="max"):
        grad(lambda x: call(ufunc, x, 1.0))(1.0)


# --- Errors that the program catches ---------------------------------------------------------------


def cautious(f, otherwise=0.0):
    """A program that returns something else where a function does not work."""

    def program(x):
        try:
            return f(x)
        except Exception:  # noqa: BLE001 - as people write it
            return otherwise * np.sum(x)

    return program


searched = scipy.optimize._optimize.approx_fhess_p  # a part of a search that nobody calls by itself

REFUSED = {
    "math without interception": lambda x: math.exp(x[0]),
    "code in C": lambda x: np.sum(remez(3, [0.0, 0.1, 0.2, 0.5], x[:2])),
    "a search": lambda x: np.sum(searched(1.0, 1.0, lambda t: x[0] * t, 1e-6)),
    "a start": lambda x: scipy.integrate.ode(lambda t, y: -y).set_initial_value(x[0]).integrate(1.0)[0],
    "a ufunc without a rule": lambda x: np.sum(WITHOUT_RULE(x)),
}

WITHOUT_RULE = np.frompyfunc(abs, 1, 1)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("name", list(REFUSED))
def test_an_error_that_the_program_catches_is_raised_again(mode, name):
    """Without differentiation it goes another way: the derivative of this way would be wrong."""
    program, x = cautious(REFUSED[name]), np.array([0.5, 2.0])
    with interception("math" not in name), pytest.raises((TypeError, RuleNotFoundError)) as caught:
        jacobian(program, mode=mode)(x)
    assert "went on" in caught.value.__notes__[-1]


def test_an_error_that_the_plain_program_catches_too():
    """What has no value without differentiation either is no refusal."""

    def program(x):
        try:
            return float(x)
        except TypeError:
            return np.sum(x * x)

    def indexed(x):
        try:
            return operator.index(x[0])
        except TypeError:
            return np.sum(x * x)

    x = np.array([0.5, 2.0])
    for f in (program, indexed):
        with interception(False):
            np.testing.assert_array_equal(grad(f)(x), 2.0 * x)
        np.testing.assert_array_equal(grad(f)(x), 2.0 * x)

    def outer(x):
        try:
            return grad(lambda y: y * np.sum(WITHOUT_RULE(y)))(x[0])
        except RuleNotFoundError:  # an inner differentiation fails wherever the outer one is
            return np.sum(x * x)

    np.testing.assert_array_equal(grad(outer)(x), 2.0 * x)


def test_what_was_tried_by_call_may_fail():
    """`call` asks for a rule in so many words, and says whether there is one."""

    def program(x):
        try:
            return call(WITHOUT_RULE, x)
        except RuleNotFoundError:
            return np.abs(x)

    assert grad(program)(-2.0) == -1.0


def test_an_error_is_raised_for_the_differentiation_that_it_belongs_to():
    """The next one begins anew, and nothing of the program is kept."""
    f = grad(cautious(lambda x: WITHOUT_RULE(x) if x > 1.0 else x * x))
    with pytest.raises(RuleNotFoundError):
        f(2.0)
    assert f(0.5) == 1.0


def test_messages_of_logging(caplog):
    """Their text is that of the plain program: it has no derivative, and nothing is refused."""

    def program(x):
        with caplog.at_level(logging.INFO):
            logging.getLogger(__name__).info("%.2f, %d, %s", x, x, x > 1.0)
        return x * x

    for intercepted in (True, False):
        caplog.clear()
        with interception(intercepted):
            assert grad(program)(1.5) == 3.0
        assert caplog.messages == ["1.50, 1, True"]


def inverse(s):
    """As a program writes it that takes a number for a matrix: NumPy's own error says so."""
    try:
        return np.linalg.inv(s)
    except np.linalg.LinAlgError:
        return 1.0 / s


def test_numbers_that_linear_algebra_refuses():
    """The error is NumPy's own, in both modes and their nestings: the plain program catches it too."""
    number = np.float64(2.0)
    assert inverse(number) == 0.5
    assert grad(inverse)(number) == jvp(inverse, (number,), (1.0,))[1] == -0.25
    assert grad(grad(inverse))(number) == jvp(grad(inverse), (number,), (1.0,))[1] == 0.25
    with pytest.raises(np.linalg.LinAlgError, match="0-dimensional"):
        grad(np.linalg.inv)(number)
