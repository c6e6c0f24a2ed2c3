"""Wrong rules for reverse mode: each with a call, and with what the error has to say."""

# ruff: noqa: D103 - a wrong rule's name says what is wrong with it

import numpy as np
import pytest

from chainrules_core import InplaceableThunk, NoTangent, Tangent, ZeroTangent, thunk, unthunk
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, A, B, V, X

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


@wrong(
    rules.take,
    V,
    1,
    says="input 3: 0.0 for an integer in whose place the primal takes no float",
)
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


@wrong(
    rules.square, 2.0, says=r"primal_only \(.*wrong_rrules.py:\d+\) should return \(y, pullback\), not 4.0"
)
def primal_only(config, f, x):
    return x * x


@wrong(
    rules.square, 2.0, says=r"declines \(.*wrong_rrules.py:\d+\) returned None: no rule.* has it no `return`"
)
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


@wrong(rules.add, V, X, says="arguments: input 2 was changed; compute with a copy of it")
def writes_into_an_argument(config, f, x, y):
    z = x + y
    x *= 2
    return z, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0), y_bar)


@wrong(rules.add, V, X, says="arguments: input 2 was changed; compute with a copy of it")
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


@wrong(rules.square, 2.0, says="pulling back zero: the pullback ignores its cotangent: zero gives the same.")
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
    return x * x, lambda _: (NoTangent(), ZeroTangent())


@wrong(rules.square, 2.0, says="pullback: raised ZeroDivisionError: division by zero")
def exception_in_the_pullback(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), y_bar * (1 / 0))


@wrong(rules.square, 2.0, says="rrule: raised KeyError: 'x'")
def exception_in_the_rule(config, f, x):
    return {}["x"]


@wrong(rules.matmul, A, B, says="cotangent for input 3: raised ValueError: matmul")
def exception_in_a_thunk(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T, thunk(lambda: A @ unthunk(y_bar)))


@wrong(rules.add, V, X, says="cotangent for input 2: 'nothing' is no tangent")
def string_for_a_cotangent(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), "nothing", y_bar)


@wrong(rules.square, 2.0, says="pulling back zero: 1 cotangents, before 2")
def forgets_a_cotangent_of_zero(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)[: 2 if y_bar else 1]


@wrong(rules.square, 2.0, says="second call of the pullback: 1 cotangents, before 2")
def forgets_a_cotangent(config, f, x):
    calls = []

    def pullback(y_bar):
        calls.append(y_bar)
        return (NoTangent(), 2 * x * y_bar)[: 1 if len(calls) == 2 else 2]

    return x * x, pullback
