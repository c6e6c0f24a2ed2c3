"""Calls of flat functions with autograd's boxes."""

import functools
import gc

import numpy as np
import pytest

pytest.importorskip("autograd")

import autograd
import autograd.numpy as anp
from autograd.core import primitive_jvps, primitive_vjps
from autograd.misc.tracers import const_graph
from autograd.test_util import check_grads
from autograd.tracer import trace_primitives_map

from chainrules.adapters import AdapterError
from chainrules.adapters.autograd import to_autograd
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, typeof_

rng = np.random.default_rng(0)
x = np.linspace(0.3, 0.9, 3)
A = rng.normal(size=(3, 3)) + 4 * np.eye(3)
b, c = rng.normal(size=(2, 3))
z = b + 1j * c

check_to_order_2 = functools.partial(check_grads, modes=["fwd", "rev"], order=2)


def counted(x, calls):
    """A function that counts its calls, as its rules do."""
    calls.append("f")
    return np.sin(x)


@rrule.dispatch
def counted_rrule(f: typeof_(counted), x: np.ndarray, calls: list):
    """The derivative, backwards."""
    calls.append("rrule")
    return np.sin(x), lambda y_bar: (NoTangent(), y_bar * np.cos(x), NoTangent())


@frule.dispatch
def counted_frule(tangents, f: typeof_(counted), x: np.ndarray, calls: list):
    """The derivative, forwards."""
    calls.append("frule")
    return np.sin(x), tangents[1] * np.cos(x)


def test_one_rule_computes_the_result_and_the_derivative():
    """Neither mode calls the function besides the rule, and several pullbacks use one call of the rule."""
    calls = []
    pullback, _ = autograd.make_vjp(lambda x: to_autograd(counted)(x, calls))(x)
    pullback(x)
    pullback(x)
    assert calls == ["rrule"]

    calls = []
    autograd.make_jvp(lambda x: to_autograd(counted)(x, calls))(x)(x)
    assert calls == ["frule"]


def test_the_innermost_derivative_uses_the_same_rule():
    """Where derivatives are nested, the forward pass of all of them is one call of the rule."""
    calls = []

    def gradient(x):
        pullback, _ = autograd.make_vjp(lambda x: to_autograd(counted)(x, calls))(x)
        calls.append("outer")
        return pullback(np.ones(3))

    autograd.make_vjp(gradient)(x)
    assert calls[:2] == ["rrule", "outer"]


def test_a_recorded_call_is_repeated_with_other_arguments():
    """`const_graph` records what a function does once, and repeats it: derivatives are those of each call."""
    adapted = to_autograd(lambda x: np.sin(x) * x)
    repeated = const_graph(adapted)
    repeated(x)

    np.testing.assert_allclose(repeated(2 * x), adapted(2 * x))
    for factor in (1.0, 2.0):
        np.testing.assert_allclose(
            autograd.elementwise_grad(repeated)(factor * x), autograd.elementwise_grad(adapted)(factor * x)
        )
        np.testing.assert_allclose(
            autograd.make_jvp(repeated)(factor * x)(x)[1], autograd.make_jvp(adapted)(factor * x)(x)[1]
        )


def test_nested_derivatives_in_one_call():
    """Boxes of different traces in one call, in every order of modes."""
    adapted = to_autograd(lambda x, y, A: np.sum(np.linalg.solve(A * x, b * y) ** 2) * y)
    by_y = lambda x, y: autograd.grad(lambda y: adapted(x, y, A * y))(y)  # noqa: E731 - used twice
    by_x_forwards = lambda x, y: autograd.make_jvp(lambda x: adapted(x, y, A))(x)(1.0)[1]  # noqa: E731 - likewise

    check_to_order_2(by_y)(1.5, 2.5)
    check_to_order_2(by_x_forwards)(1.5, 2.5)


def test_derivative_by_cotangent_and_tangent():
    """A pullback and a pushforward are differentiated by what they are given, too."""
    adapted = to_autograd(lambda x: np.sin(x) * x)

    def pulled(v, x):
        return autograd.make_vjp(adapted)(x)[0](v)

    def pushed(v, x):
        return autograd.make_jvp(adapted)(x)(v)[1]

    check_to_order_2(pulled)(c, b)
    check_to_order_2(pushed)(c, b)


@pytest.mark.parametrize(
    "f",
    [
        lambda np: lambda z: np.conj(z) * np.abs(z) + np.real(z) * z**2,
        lambda np: np.abs,
        lambda np: lambda z: np.imag(z) * np.real(z) ** 2,
        lambda np: lambda z: np.real(z) + 1j * np.imag(z) ** 2,
        lambda np: lambda z: z * np.exp(1j * z) * np.conj(z),
    ],
)
def test_conventions_for_complex_numbers_are_those_of_autograd(f):
    """Functions that are not holomorphic have the cotangents and tangents that autograd gives its own."""
    ours, theirs = to_autograd(f(np)), f(anp)
    (pullback, y), (expected_pullback, expected_y) = autograd.make_vjp(ours)(z), autograd.make_vjp(theirs)(z)
    y_bar = rng.normal(size=3) + (1j * rng.normal(size=3) if np.iscomplexobj(expected_y) else 0.0)

    np.testing.assert_allclose(y, expected_y)
    np.testing.assert_allclose(pullback(y_bar), expected_pullback(y_bar))
    np.testing.assert_allclose(
        autograd.make_jvp(ours)(z)(b - 2j * c)[1], autograd.make_jvp(theirs)(z)(b - 2j * c)[1]
    )
    second, expected_second = (
        autograd.grad(
            lambda z, g=g: anp.sum(anp.abs(autograd.grad(lambda z: anp.sum(anp.abs(g(z)) ** 2))(z)))
        )
        for g in (ours, theirs)
    )
    np.testing.assert_allclose(second(z), expected_second(z))


def test_a_complex_cotangent_of_a_real_argument():
    """The gradient of a real argument is real, where the result is complex."""
    pullback, _ = autograd.make_vjp(to_autograd(lambda x: x * z))(b)
    expected, _ = autograd.make_vjp(lambda x: x * z)(b)

    assert pullback(z).dtype == float
    np.testing.assert_allclose(pullback(z), expected(z))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_precision_stays(dtype):
    """Results and gradients are as precise as the argument."""
    x = z.astype(dtype) if dtype is np.complex64 else b.astype(dtype)

    for f in (np.sin, lambda x: np.sin(x)):  # noqa: PLW0108 - by its rule, and traced
        pullback, y = autograd.make_vjp(to_autograd(f))(x)
        assert y.dtype == dtype
        assert pullback(np.ones_like(y)).dtype == dtype
        assert autograd.make_jvp(to_autograd(f))(x)(x)[1].dtype == dtype


def test_numbers_reach_the_function_as_they_are():
    """A Python number stays one, an array without axes is a NumPy number, a result without axes is one."""
    seen = []

    def f(x):
        seen.append(type(x))
        return x * 1.0

    adapted = to_autograd(f)
    assert autograd.grad(adapted)(2.0) == 1.0
    assert np.shape(autograd.grad(adapted)(np.array(2.0))) == ()
    assert isinstance(autograd.make_vjp(adapted)(np.array(2.0))[1], np.float64)
    assert np.float64 in seen
    assert np.ndarray not in seen


def test_calls_leave_nothing_behind():
    """autograd's tables do not grow, and no graph stays alive."""
    adapted = to_autograd(lambda x, k: np.sin(x) * k)

    def differentiated(k):
        autograd.grad(autograd.grad(lambda x: adapted(x, k)))(2.0)
        autograd.make_jvp(lambda x: adapted(x, k))(2.0)(1.0)
        autograd.grad(lambda x: anp.sum(to_autograd(lambda x: np.sin(x) * k)(x)))(b)

    def sizes():
        gc.collect()
        tables = primitive_vjps, primitive_jvps, trace_primitives_map
        return [len(table) for table in tables], sum(type(x).__name__ == "VJPNode" for x in gc.get_objects())

    differentiated(0.5)
    before = sizes()
    for k in range(20):
        differentiated(float(k))
    assert sizes() == before


def test_results_and_gradients_share_no_memory():
    """Whoever writes into a result or a gradient changes nothing else."""
    x = b.copy()
    adapted = to_autograd(lambda x: x)
    pullback, y = autograd.make_vjp(adapted)(x)
    y_bar = c.copy()
    x_bar = pullback(y_bar)

    for result in (y, x_bar, autograd.make_jvp(adapted)(x)(y_bar)[1]):
        assert not np.shares_memory(result, x)
        assert not np.shares_memory(result, y_bar)
    y[:] = 0.0
    x_bar[:] = 0.0
    np.testing.assert_array_equal(pullback(y_bar), c)


def test_a_result_that_the_pullback_keeps_may_be_written_into():
    """`exp` has its result for a derivative: the pullback keeps one of its own."""
    pullback, y = autograd.make_vjp(to_autograd(np.exp))(b)
    y[:] = 0.0

    np.testing.assert_allclose(pullback(c), c * np.exp(b))


def test_a_cotangent_or_tangent_of_another_shape_is_refused():
    """NumPy would broadcast it to a wrong gradient."""
    adapted = to_autograd(np.sin)

    with pytest.raises(AdapterError, match=r"cotangent of shape \(\) for a result of numpy.sin"):
        autograd.make_vjp(adapted)(b)[0](1.0)
    with pytest.raises(AdapterError, match=r"tangent of shape \(1,\) for an argument of numpy.sin"):
        autograd.make_jvp(adapted)(b)(np.ones(1))


def test_zeros_of_rules():
    """Where a rule answers with a zero, autograd is given an array of zeros."""

    def first(x, y):
        return 2.0 * x

    @rrule.dispatch
    def first_rrule(f: typeof_(first), x: np.ndarray, y: np.ndarray):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar, ZeroTangent())

    @frule.dispatch
    def first_frule(tangents, f: typeof_(first), x: np.ndarray, y: np.ndarray):
        x_dot = tangents[1]
        return 2.0 * x, ZeroTangent() if isinstance(x_dot, ZeroTangent) else 2.0 * x_dot

    adapted = to_autograd(first)
    pullback, _ = autograd.make_vjp(lambda y: adapted(b, y))(c)

    np.testing.assert_array_equal(pullback(b), np.zeros(3))
    np.testing.assert_array_equal(autograd.make_jvp(lambda y: adapted(b, y))(c)(b)[1], np.zeros(3))
    check_to_order_2(adapted)(b, c)
