"""Right rules pass, wrong ones are rejected for the right reason."""

import functools
import re

import numpy as np
import pytest

from chainrules_core import (
    InplaceableThunk,
    NoTangent,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    rrule,
    thunk,
    typeof_,
    unthunk,
)
from chainrules_testutils import PrimalAndTangent, RuleTestError, positive, test_rrule
from tests.chainrules_testutils import rules_under_test as rules

RNG = np.random.default_rng(4)
A, B, X, V = RNG.normal(size=(3, 2)), RNG.normal(size=(2, 4)), RNG.normal(size=(3, 3)), RNG.normal(size=3)
FOO = rules.Foo(X, 3.0)


def complex_normal(*shape):
    """Complex numbers with both parts normal."""
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


RIGHT = {
    "float": (rules.square, 2.0),
    "int": (rules.square, 3),
    "complex": (rules.square, 1.0 + 2.0j),
    "float32": (rules.square, np.float32(1.5)),
    "complex64": (rules.square, np.complex64(1.5 - 1j)),
    "real of complex": (rules.absolute_squared, 1.0 - 2.0j),
    "int as a number": (rules.power, 1.5, 3),
    "arrays": (rules.matmul, A, B),
    "float32 arrays": (rules.matmul, A.astype(np.float32), B.astype(np.float32)),
    "complex arrays": (rules.matmul, complex_normal(2, 3), complex_normal(3, 2)),
    "complex64 arrays": (
        rules.matmul,
        complex_normal(2, 3).astype(np.complex64),
        complex_normal(3, 2).astype(np.complex64),
    ),
    "empty arrays": (rules.matmul, np.ones((0, 2)), B),
    "broadcasting": (rules.add, V, X),
    "index": (rules.take, V, 1),
    "an argument without effect": (rules.first_of_two, 1.0, 2.0),
    "two results": (rules.sine_and_cosine, 0.7),
    "structure": (rules.foo_mul, FOO, X),
    "constructor": (rules.Foo, X, 2.0),
    "containers": (rules.total, {"pair": rules.Pair(1.5, 2), "list": [2.5], "tuple": ("name", 0.5)}),
    "closure": (rules.scale, 2.0),
    "functor": (rules.Multiplier(V), V + 1),
}


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
        test_rrule(rules.foo_mul, FOO, X, rrule_f=wrong, check_thunked_output_tangent=False)

    message = str(caught.value)
    assert caught.value.report.failed == 3
    assert re.search(r"rule: .*test_rrule_tester.py:\d+", message)
    assert "- cotangent for input 1: The pullback in the rrule should use NoTangent()" in message
    assert "- cotangent for input 2, field A, index (" in message
    assert "- cotangent for input 3, index (" in message
    assert "rel error 5.0e-01 (allowed: rtol 1e-09, atol 1e-09)" in message
    assert "9 of 9 elements differ; this is the worst" in message
    assert len(message.splitlines()) < 24


# --- Wrong rules ---------------------------------------------------------------------------------
# Each is a rule function, a call, and what the error has to say.

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
    says=r"cotangent for input 2: wrong value\s+actual   -?\d.*\n\s+expected .*\n.*rel error 3.3e-01",
)
def factor(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 3 * x * y_bar)


@wrong(rules.square, 2.0, says="cotangent for input 2: wrong value")
def sign(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), -2 * x * y_bar)


@wrong(rules.square, 1.0 + 2.0j, says="cotangent for input 2: wrong value")
def missing_conjugate(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)


@wrong(rules.square, 2.0, says="primal value: wrong value")
def wrong_primal(config, f, x):
    return 2.5 * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)


@wrong(rules.square, 2.0, says="the rule returns complex, the primal float")
def complex_primal(config, f, x):
    return x * x + 0j, lambda y_bar: (NoTangent(), 2 * x * y_bar)


@wrong(rules.matmul, A, B, says=r"the rule returns ndarray of float32 .* the primal ndarray of float64")
def primal_in_lower_precision(config, f, A, B):
    A, B = np.round(A), np.round(B)
    return (A @ B).astype(np.float32), lambda y_bar: (NoTangent(), y_bar @ B.T, A.T @ y_bar)


@wrong(rules.square, 2.0, says="The pullback in the rrule should use NoTangent.. rather than ZeroTangent..")
def zero_for_the_function(config, f, x):
    return x * x, lambda y_bar: (ZeroTangent(), 2 * x * y_bar)


@wrong(rules.take, V, 1, says="cotangent for input 3: The pullback in the rrule should use NoTangent..")
def zero_for_an_index(config, f, x, i):
    _, pullback = rules.take_rrule(f, x, i)
    return x[i], lambda y_bar: (*pullback(y_bar)[:2], ZeroTangent())


@wrong(rules.take, V, 1, says="cotangent for input 3: 0.0 for an integer that the primal takes no float")
def float_for_an_index(config, f, x, i):
    _, pullback = rules.take_rrule(f, x, i)
    return x[i], lambda y_bar: (*pullback(y_bar)[:2], 0.0)


@wrong(rules.power, 1.5, 3, says="cotangent for input 3: wrong value")
def wrong_float_for_an_integer(config, f, x, n):
    _, pullback = rules.power_rrule(f, x, n)
    return x**n, lambda y_bar: (*pullback(y_bar)[:2], x**n * y_bar)


@wrong(rules.square, 2.0, says="cotangent for input 1: 1.0 for an argument that cannot be perturbed")
def number_for_the_function(config, f, x):
    return x * x, lambda y_bar: (1.0, 2 * x * y_bar)


@wrong(rules.square, 2.0, says=r"1 cotangent for the primal and each primal input: 2 here, not 3\.")
def too_many_cotangents(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar, NoTangent())


@wrong(rules.square, 2.0, says=r"1 cotangent for the primal and each primal input: 2 here, not 1\.")
def too_few_cotangents(config, f, x):
    return x * x, lambda y_bar: (2 * x * y_bar,)


@wrong(rules.square, 2.0, says=r"must return a tuple \(f_bar, \*arg_bars\), not a list")
def list_of_cotangents(config, f, x):
    return x * x, lambda y_bar: [NoTangent(), 2 * x * y_bar]


@wrong(rules.square, 2.0, says=r"must return a tuple \(f_bar, \*arg_bars\), not a float")
def bare_cotangent(config, f, x):
    return x * x, lambda y_bar: 2 * x * y_bar


@wrong(rules.square, 2.0, says=r"The rrule should return \(y, pullback\), not 4.0")
def primal_only(config, f, x):
    return x * x


@wrong(rules.square, 2.0, says="rrule: wrong_none, given as rrule_f, returned None|returned None: no rule")
def declines(config, f, x):
    return None


@wrong(rules.matmul, X, X, says="cotangent for input 2, index .*: wrong value")
def not_transposed(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B, A.T @ y_bar)


@wrong(rules.matmul, A, B, says=r"cotangent for input 2: shape \(2, 3\), expected \(3, 2\): transposed\?")
def transposed(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), (unthunk(y_bar) @ B.T).T, A.T @ y_bar)


@wrong(
    rules.add,
    V,
    X,
    says=r"input 2: shape \(3, 3\), expected \(3,\): sum over the axes that the primal broadcast",
)
def not_summed(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), y_bar, y_bar)


@wrong(rules.add, V, X, says="cotangent for input 2, index .*: wrong value")
def summed_over_the_wrong_axis(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=1), y_bar)


@wrong(rules.add, V, X, says="arguments: it, 1 was changed")
def writes_into_an_argument(config, f, x, y):
    z = x + y
    x *= 2
    return z, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0), y_bar)


@wrong(rules.add, V, X, says="arguments: it, 1 was changed")
def pullback_writes_into_an_argument(config, f, x, y):
    def pullback(y_bar):
        x[:] = 0.0
        return NoTangent(), unthunk(y_bar).sum(axis=0), y_bar

    return x + y, pullback


@wrong(rules.add, V, X, says="cotangent given to the pullback: it was changed")
def pullback_writes_into_its_cotangent(config, f, x, y):
    def pullback(y_bar):
        y_bar = unthunk(y_bar)
        y_bar *= 1 + 1e-12
        return NoTangent(), y_bar.sum(axis=0), y_bar

    return x + y, pullback


@wrong(rules.matmul, np.eye(2), X[:2], says="The cotangent for input 2 shares memory with an argument")
def returns_an_argument(config, f, A, B):
    _, pullback = rules.matmul_rrule(f, A, B)

    def aliasing_pullback(y_bar):
        _, A_bar, B_bar = pullback(y_bar)
        A[:] = unthunk(A_bar)
        return NoTangent(), A, B_bar

    return A @ B, aliasing_pullback


@wrong(
    rules.add,
    V.astype(np.float32),
    X.astype(np.float32),
    says="it: float64, but tangents of ndarray of float32",
)
def loses_single_precision(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0, dtype=np.float64), y_bar)


@wrong(rules.square, np.float32(2.0), says="it: float64, but tangents of float32 are float32")
def loses_single_precision_of_a_number(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), np.float64(2 * x * y_bar))


@wrong(rules.matmul, A, B, says="it: complex128, but tangents of ndarray of float64")
def complex_for_real(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T + 0j, A.T @ y_bar)


@wrong(rules.square, 2.0, says="second call of the pullback, cotangent for input 2: wrong value")
def stateful_pullback(config, f, x):
    calls = []

    def pullback(y_bar):
        calls.append(y_bar)
        return NoTangent(), 2 * x * y_bar * len(calls)

    return x * x, pullback


@wrong(rules.add, V, X, says="cotangents after another call of the pullback: it, 1 was changed")
def reuses_its_result(config, f, x, y):
    buffer = np.empty_like(x)

    def pullback(y_bar):
        np.sum(unthunk(y_bar), axis=0, out=buffer)
        return NoTangent(), buffer, y_bar

    return x + y, pullback


@wrong(rules.square, 2.0, says="pulling back zero, cotangent for input 2: .* where the other is not zero")
def not_linear(config, f, x):
    y_bars = []

    def pullback(y_bar):
        y_bars.append(y_bar)
        return NoTangent(), 2 * x * y_bars[0]

    return x * x, pullback


@wrong(rules.matmul, A, B, says=r"accumulating the cotangent for input 2, index .*: wrong value")
def wrong_addition_in_place(config, f, A, B):
    def pullback(y_bar):
        y_bar = unthunk(y_bar)

        def add_to(A_bar):
            A_bar += 200 * y_bar @ B.T
            return A_bar

        return NoTangent(), InplaceableThunk(add_to, thunk(lambda: y_bar @ B.T)), A.T @ y_bar

    return A @ B, pullback


@wrong(rules.matmul, A, B, says="accumulating the cotangent for input 2: raised BadInplaceError")
def addition_not_in_place(config, f, A, B):
    def pullback(y_bar):
        y_bar = unthunk(y_bar)
        A_bar = InplaceableThunk(lambda other: other + y_bar @ B.T, thunk(lambda: y_bar @ B.T))
        return NoTangent(), A_bar, A.T @ y_bar

    return A @ B, pullback


@wrong(
    rules.total,
    {"pair": rules.Pair(1.5, 2), "list": [2.5], "tuple": ("name", 0.5)},
    says="a raw dict is no tangent",
)
def raw_dict(config, f, xs):
    _, pullback = rules.total_rrule(f, xs)
    return f(xs), lambda y_bar: (NoTangent(), {name: pullback(y_bar)[1][name] for name in xs})


@wrong(rules.foo_mul, FOO, X, says="a raw tuple is no tangent: for structural differentials use `Tangent`")
def raw_tuple(config, f, foo, b):
    return f(foo, b), lambda y_bar: (NoTangent(), (y_bar @ b.T, 0.0), foo.A.T @ y_bar)


@wrong(rules.foo_mul, FOO, X, says=r"a Tangent\[Pair\] where a Tangent\[Foo\] belongs")
def tangent_of_another_class(config, f, foo, b):
    return f(foo, b), lambda y_bar: (NoTangent(), Tangent[rules.Pair](a=1.0), foo.A.T @ y_bar)


@wrong(
    rules.foo_mul, FOO, X, says="cotangent for input 2, field A: ZeroTangent.. where the other is not zero"
)
def forgotten_field(config, f, foo, b):
    return f(foo, b), lambda y_bar: (NoTangent(), Tangent[rules.Foo](c=0.0), foo.A.T @ y_bar)


@wrong(rules.scale, 2.0, says="cotangent for input 1, field a: NoTangent.. where the other is not zero")
def forgotten_closure(config, f, x):
    return f(x), lambda y_bar: (NoTangent(), 3.0 * y_bar)


@wrong(rules.square, 2.0, says="cotangent for input 2: ZeroTangent.. where the other is not zero")
def forgotten_derivative(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), ZeroTangent())


@wrong(rules.square, 2.0, says="pullback: raised ZeroDivisionError: float division by zero")
def exception_in_the_pullback(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), y_bar / 0.0)


@wrong(rules.square, 2.0, says="rrule: raised KeyError: 'x'")
def exception_in_the_rule(config, f, x):
    return {}["x"]


@wrong(rules.matmul, A, B, says="cotangent for input 3: raised ValueError: matmul")
def exception_in_a_thunk(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T, thunk(lambda: A @ unthunk(y_bar)))


@wrong(rules.matmul, A, B, says="pulling back a thunk: raised TypeError")
def takes_no_thunks(config, f, A, B):
    def pullback(y_bar):
        if not isinstance(y_bar, np.ndarray):
            raise TypeError(f"no {type(y_bar).__name__} here")
        return NoTangent(), y_bar @ B.T, A.T @ y_bar

    return A @ B, pullback


@wrong(rules.matmul, A, B, says="pulling back a thunk, cotangent for input 2, index .*: wrong value")
def doubles_thunks(config, f, A, B):
    def pullback(y_bar):
        factor = 1.0 if isinstance(y_bar, np.ndarray) else 2.0
        return NoTangent(), factor * unthunk(y_bar) @ B.T, A.T @ unthunk(y_bar)

    return A @ B, pullback


@wrong(rules.add, V, X, says="cotangent for input 2: not equal")
def string_for_a_cotangent(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), "nothing", y_bar)


@pytest.mark.parametrize(("rule", "f", "args", "says"), WRONG)
def test_wrong_rules_are_rejected(rule, f, args, says):
    """A wrong rule is rejected, for what is wrong with it."""
    with pytest.raises(RuleTestError, match=says):
        test_rrule(f, *args, rrule_f=rule)


def test_there_are_many_wrong_rules():
    """The table above is not lost by accident."""
    assert len(WRONG) >= 40


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

    pair = PrimalAndTangent(3.0, NoTangent())
    assert test_rrule(rules.unfinished, 2.0, pair, rrule_f=only_first).failed == 0
    with pytest.raises(
        RuleTestError, match=r"cotangent for input 3: 2.0 for an argument that cannot be perturbed"
    ):
        test_rrule(
            rules.unfinished,
            2.0,
            pair,
            rrule_f=lambda c, f, x, y: (x * y, lambda _: (NoTangent(), y * _, 2.0)),
        )


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
    with pytest.raises(RuleTestError, match="finite differences: raised DimensionMismatchError"):
        test_rrule(rules.square, 2.0, output_tangent=np.ones(2), rrule_f=no_projection)


def test_thunks_can_be_left_out():
    """`check_thunked_output_tangent=False` accepts pullbacks that take no thunks."""
    report = test_rrule(rules.matmul, A, B, rrule_f=takes_no_thunks, check_thunked_output_tangent=False)
    assert not any("thunk" in check.where for check in report.checks)


def test_tolerances():
    """The tolerances are those that are asked for."""

    def slightly_wrong(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar * (1 + 1e-7))

    with pytest.raises(RuleTestError, match="allowed: rtol 1e-09, atol 1e-09"):
        test_rrule(rules.square, 2.0, rrule_f=slightly_wrong)
    assert test_rrule(rules.square, 2.0, rrule_f=slightly_wrong, rtol=1e-6).failed == 0
    assert test_rrule(rules.square, 2.0, rrule_f=slightly_wrong, atol=1e-5).failed == 0


def test_partials_are_differentiated():
    """What a `functools.partial` holds gets a cotangent."""
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


def test_positive_arguments():
    """The domains serve as arguments."""
    assert test_rrule(rules.power, float(positive()), 2.5).failed == 0
