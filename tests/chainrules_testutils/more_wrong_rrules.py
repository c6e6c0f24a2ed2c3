"""More wrong rules for reverse mode, by the classic mistakes and by kinds of arguments."""

import types

import numpy as np
import scipy.sparse

from chainrules_core import NoTangent, Tangent, ZeroTangent, not_implemented, thunk, unthunk
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, A, B, V, X, complex_normal
from tests.chainrules_testutils.wrong_rrules import WRONG, wrong

__all__ = ["WRONG"]  # those of both files

CONTAINER = {"pair": rules.Pair(1.5, 2), "list": [2.5], "tuple": ("name", 0.5)}
Z = complex_normal(3, 3)


@wrong(rules.square, 2.0, says=r"input 2: wrong value(.*\n)*\s+hint: 2 times the expected value\.")
def doubled(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 4 * x * y_bar)


@wrong(rules.square, 2.0, says=r"input 2: wrong value(.*\n)*\s+hint: 0\.5 times the expected value\.")
def halved(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), x * y_bar)


@wrong(rules.square, 2.0, says=r"input 2: wrong value(.*\n)*\s+hint: the wrong sign")
def negated(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), -2 * x * y_bar)


@wrong(rules.matmul, X, X, says=r"input 2, index .*: wrong value(.*\n)*\s+hint: 3 times the expected value")
def tripled_matrix(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), 3 * y_bar @ B.T, A.T @ y_bar)


@wrong(
    rules.matmul,
    X,
    X,
    says=r"input 3, index .*: wrong value(.*\n)*\s+hint: the transpose of the expected value",
)
def transposed_square_matrix(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T, (A.T @ unthunk(y_bar)).T)


@wrong(rules.matmul, Z, Z, says=r"input 2, index .*: wrong value(.*\n)*\s+hint: right for conjugated")
def missing_conjugate_of_a_matrix(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T, A.conj().T @ y_bar)


@wrong(
    rules.square,
    1.0 + 2.0j,
    says=r"input 2: wrong value(.*\n)*\s+hint: right for conjugated",
)
def missing_conjugate_of_a_number(config, f, x):
    return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)


@wrong(
    rules.absolute_squared,
    1.0 - 2.0j,
    says=r"input 2: wrong value(.*\n)*\s+hint: the complex conjugate",
)
def conjugated_gradient(config, f, z):
    return f(z), lambda y_bar: (NoTangent(), 2 * z.conjugate() * y_bar)


@wrong(rules.absolute_squared, 1.0 - 2.0j, says=r"input 2: wrong value(.*\n)*\s+hint: 0\.5 times")
def wirtinger_derivative(config, f, z):
    return f(z), lambda y_bar: (NoTangent(), z * y_bar)


@wrong(rules.absolute_squared, 1.0 - 2.0j, says="cotangent for input 2: wrong value")
def real_part_only(config, f, z):
    return f(z), lambda y_bar: (NoTangent(), 2 * z.real * y_bar)


@wrong(
    rules.add,
    X[:1].ravel(),
    X,
    says=r"shape \(1, 3\), expected \(3,\): axes of length 1 differ",
)
def keeps_a_summed_axis(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0, keepdims=True), y_bar)


@wrong(rules.add, V, X, says=r"cotangent for input 2: shape \(\), expected \(3,\)")
def summed_over_all_axes(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(), y_bar)


@wrong(rules.add, V, X, says=r"cotangent for input 2, index .*: wrong value")
def mean_for_sum(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).mean(axis=0), y_bar)


@wrong(rules.add, V, X, says=r"input 3: shape \(9,\), expected \(3, 3\)")
def flattened(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0), unthunk(y_bar).ravel())


@wrong(rules.add, V, X, says=r"cotangent for input 2, index \(.*\): wrong value\s+actual   nan")
def not_a_number(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0) * np.nan, y_bar)


@wrong(rules.add, V, X, says=r"cotangent for input 2, index \(.*\): wrong value\s+actual   -?inf")
def infinite(config, f, x, y):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0) * np.inf, y_bar)


@wrong(rules.take, V, 1, says=r"cotangent for input 2: shape \(\), expected \(3,\)")
def does_not_scatter(config, f, x, i):
    return x[i], lambda y_bar: (NoTangent(), y_bar, NoTangent())


@wrong(rules.take, V, 1, says=r"cotangent for input 2, index \([01],\): wrong value")
def scatters_to_the_neighbour(config, f, x, i):
    def pullback(y_bar):
        x_bar = np.zeros_like(x)
        x_bar[i - 1] = y_bar
        return NoTangent(), x_bar, NoTangent()

    return x[i], pullback


@wrong(rules.power, 1.5, 3, says=r"cotangent for input 2: wrong value")
def forgotten_exponent(config, f, x, n):
    return x**n, lambda y_bar: (NoTangent(), x ** (n - 1) * y_bar, np.log(x) * x**n * y_bar)


@wrong(rules.power, 1.5, 2.5, says=r"cotangent for input 3: NoTangent\(\) where the other is not zero")
def no_tangent_for_a_float(config, f, x, n):
    return x**n, lambda y_bar: (NoTangent(), n * x ** (n - 1) * y_bar, NoTangent())


@wrong(rules.power, 1.5, 2.5, says="cotangent for input 2: wrong value")
def swapped_cotangents(config, f, x, n):
    return x**n, lambda y_bar: (NoTangent(), np.log(x) * x**n * y_bar, n * x ** (n - 1) * y_bar)


@wrong(rules.sine_and_cosine, 0.7, says="cotangent for input 2: wrong value")
def ignores_one_result(config, f, x):
    return f(x), lambda y_bar: (NoTangent(), np.cos(x) * unthunk(y_bar)[0])


@wrong(rules.sine_and_cosine, 0.7, says=r"primal value: not equal|primal value: \d|primal value, item 1")
def forgets_one_result(config, f, x):
    s, c = f(x)
    return (s, s), lambda y_bar: (NoTangent(), c * unthunk(y_bar)[0] - s * unthunk(y_bar)[1])


@wrong(rules.sine_and_cosine, 0.7, says="the rule returns list, the primal tuple")
def list_for_a_tuple(config, f, x):
    s, c = f(x)
    return [s, c], lambda y_bar: (NoTangent(), c * unthunk(y_bar)[0] - s * unthunk(y_bar)[1])


@wrong(rules.sine_and_cosine, 0.7, says=r"pulling back ZeroTangent\(\) for item 0: raised TypeError")
def takes_no_zero_fields(config, f, x):
    s, c = f(x)

    def pullback(y_bar):
        s_bar, c_bar = unthunk(y_bar)
        if isinstance(s_bar, ZeroTangent):
            raise TypeError("no zeros here")
        return NoTangent(), c * s_bar - s * c_bar

    return (s, c), pullback


@wrong(rules.foo_mul, FOO, X, says="cotangent for input 2, field A, index .*: wrong value")
def wrong_field(config, f, foo, b):
    return f(foo, b), lambda y_bar: (NoTangent(), Tangent[rules.Foo](A=y_bar @ b), foo.A.T @ y_bar)


@wrong(
    rules.foo_mul,
    FOO,
    X,
    says="cotangent for input 2, field c: .* where the other is not zero",
)
def derivative_of_an_unused_field(config, f, foo, b):
    return f(foo, b), lambda y_bar: (NoTangent(), Tangent[rules.Foo](A=y_bar @ b.T, c=1.0), foo.A.T @ y_bar)


@wrong(rules.Foo, X, 2.0, says="cotangent for input 3: wrong value")
def constructor_without_a_field(config, f, A, c):
    return f(A, c), lambda y_bar: (NoTangent(), unthunk(y_bar).A, 0.0)


@wrong(rules.total, CONTAINER, says=r"cotangent for input 2, item 'list', item 0: wrong value|'list', index")
def wrong_item(config, f, xs):
    def pullback(y_bar):
        pair = Tangent[rules.Pair](a=xs["list"][0] * y_bar)
        tangents = {
            "pair": pair,
            "list": Tangent[list](3.5 * y_bar),
            "tuple": Tangent[tuple](NoTangent(), y_bar),
        }
        return NoTangent(), Tangent[dict](tangents)

    return f(xs), pullback


@wrong(rules.total, CONTAINER, says=r"item 'tuple': 1 items, expected 2")
def too_short_tuple(config, f, xs):
    def pullback(y_bar):
        _, xs_bar = rules.total_rrule(f, xs)[1](y_bar)
        tangents = {"pair": xs_bar["pair"], "list": xs_bar["list"], "tuple": Tangent[tuple](y_bar)}
        return NoTangent(), Tangent[dict](tangents)

    return f(xs), pullback


@wrong(rules.scale, 2.0, says="cotangent for input 1, field a: wrong value")
def wrong_closure(config, f, x):
    return f(x), lambda y_bar: (Tangent[types.FunctionType](a=y_bar), 3.0 * y_bar)


@wrong(rules.Multiplier(V), V + 1, says="cotangent for input 1, field w, index .*: wrong value")
def wrong_functor(config, f, x):
    return f(x), lambda y_bar: (Tangent[rules.Multiplier](w=f.w * y_bar), f.w * y_bar)


@wrong(rules.unfinished, 2.0, 3.0, says="cotangent for input 2: wrong value")
def wrong_beside_not_implemented(config, f, x, y):
    return x * y, lambda y_bar: (NoTangent(), x * y_bar, not_implemented("with respect to y"))


@wrong(rules.matmul, A, B, says="cotangent for input 2: (not equal|.* is no tangent)")
def sparse_blueprint(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), scipy.sparse, A.T @ unthunk(y_bar))


@wrong(rules.matmul, A, B, says="cotangent for input 2, index .*: wrong value")
def unconverged(config, f, A, B):
    return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T * (1 + 1e-7), A.T @ y_bar)


@wrong(rules.matmul, A, B, says="pullback: raised TypeError: .*missing 1 required positional argument")
def pullback_of_two_arguments(config, f, A, B):
    return A @ B, lambda y_bar, extra: (NoTangent(), y_bar @ B.T, A.T @ y_bar)


@wrong(
    rules.matmul,
    A,
    B,
    says=r"should return \(y, pullback\), not \(array.* second is a function of the cotangent",
)
def pullback_that_is_none(config, f, A, B):
    return A @ B, None


@wrong(rules.matmul, A, B, says=r"cotangent for input 3, index .*: wrong value")
def late_binding(config, f, A, B):
    def pullback(y_bar):
        thunks = [thunk(lambda: M @ N) for M, N in ((unthunk(y_bar), B.T), (A.T, unthunk(y_bar) + 1))]  # noqa: B023 - the mistake
        return NoTangent(), y_bar @ B.T, thunks[-1]

    return A @ B, pullback
