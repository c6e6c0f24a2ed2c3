"""Compiled functions with everything else: transforms, methods, threads, pickling, whoever watches."""

import inspect
import math
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.integrate import quad

from chainrules.ad import (
    NotANumberError,
    debug_nans,
    explain_calls,
    grad,
    hessian,
    interception,
    jacobian,
    profile,
    vjp,
)
from chainrules.ad.interception.choosing.switch import calls_shown_to
from chainrules.ad.recording.batching.vectorized import vectorized
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules_core import debugging
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([0.3, -1.2, 2.1, 0.7])


def test_composition():
    """It is differentiated, vectorized by `jacobian`, nested and called within a recording."""
    f = lambda x: np.sum(np.sin(x) * x)  # noqa: E731 - as users write them
    inner = compiled(f, strict=True)
    for _ in range(2):
        np.testing.assert_allclose(grad(inner)(X), grad(f)(X))
        np.testing.assert_allclose(hessian(inner)(X), hessian(f)(X))
        np.testing.assert_allclose(jacobian(compiled(grad(f)))(X), hessian(f)(X))
        np.testing.assert_allclose(vjp(inner, X)[1](1.0)[0], grad(f)(X))
        assert inner(X) == f(X)
    agrees(hessian(f), [(X,), (-X,)], strict=False)
    agrees(grad(lambda x: inner(2.0 * x) ** 2), [(X,), (-X,)])


def test_functions_that_were_compiled_and_called_before():
    """Others that call them are recorded, also where a search calls them."""
    inner, many = compiled(lambda x: np.sin(x) * x, strict=True), vectorized(lambda x: x * x)
    for x in (0.3, 0.7):
        inner(x)
        many(np.array([x]))
    agrees(lambda p: inner(p) + 1.0, [(0.7,), (0.9,)])
    agrees(grad(lambda p: quad(lambda t: inner(t * p), 0.0, 1.0)[0]), [(0.7,), (0.9,)])
    agrees(lambda p: quad(lambda t: np.sum(many(t * p * X)), 0.0, 1.0)[0], [(0.7,)])


def test_where_somebody_watches():
    """Nothing recorded runs in debug mode, where calls are watched, or not intercepted."""
    f = compiled(grad(kept_by_module), strict=True)
    for _ in range(2):
        f(X)
    calls = f.variants[0].calls
    with debugging():
        f(X)
    with interception(False):
        f(X)
    with calls_shown_to(lambda f, chosen: chosen):
        f(X)
    assert f.variants[0].calls == calls


def kept_by_module(x):
    """A function that can be pickled."""
    return np.sum(x * x)


def test_pickling():
    """Without what was recorded."""
    c = compiled(kept_by_module, strict=True, most_variants=5)
    c(X)
    other = pickle.loads(pickle.dumps(c))
    assert not other.variants
    assert (other.strict, other.most_variants, other.__name__) == (True, 5, "kept_by_module")
    assert other(X) == c(X)


def test_many_threads():
    """They record, replay, change what is read from outside and ask for the table, all at once."""
    scales = {k: float(k) for k in range(4)}
    functions = [compiled(grad(lambda x, k=k: np.sum(np.sin(x)) * scales[k])) for k in range(4)]

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(25):
            k, x = rng.integers(4), rng.normal(size=rng.integers(1, 4))
            np.testing.assert_allclose(functions[k](x), np.cos(x) * k, rtol=1e-14)
            # Some record the same, since nobody waits for the comparison of another.
            assert len(functions[k].variants) <= 12

    filters = list(warnings.filters)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(12)))
    assert warnings.filters == filters  # which all threads have in common
    assert sum(row.calls for f in functions for row in f.variants) > 100


def test_threads():
    """Several of them record and run one function."""
    c = compiled(grad(lambda x: np.sum(np.sin(x)) if x[0] > 0 else np.sum(x)), strict=True)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(c, [X * k for k in range(-8, 9)]))
    for k, y in zip(range(-8, 9), results, strict=True):
        np.testing.assert_array_equal(y, c.f(X * k))


class Model:
    """A model with a weight, that counts how often it is asked."""

    def __init__(self, weight):
        self.weight, self.asked = weight, 0

    def loss(self, x, power=2):
        """The loss."""
        return np.sum((x * self.weight) ** power)

    def __call__(self, x):
        """The instance is a function."""
        return np.sum(np.sin(x * self.weight))

    @compiled
    def decorated(self, x):
        """A compiled method."""
        return np.sum(x * self.weight)

    def counting(self, x):
        """It changes an attribute."""
        self.asked += 1
        return np.sum(x) * self.asked


class Equal(Model):
    """All of them are equal."""

    __hash__ = None

    def __eq__(self, other):
        return True


def test_methods_and_functors():
    """Bound or given as arguments, with attributes that change between calls."""
    model, other = Model(2.0), Model(np.array([1.0, 2.0, 3.0, 4.0]))
    given = lambda m, x: grad(m.loss)(x)  # noqa: E731 - as users write them
    functions = [compiled(f, strict=True) for f in (grad(model.loss), grad(model), given)]
    for weight in (2.0, 5.0, -X):
        model.weight = weight
        for _ in range(3):
            np.testing.assert_array_equal(functions[0](X), grad(model.loss)(X))
            np.testing.assert_array_equal(functions[0](X, power=3), grad(model.loss)(X, power=3))
            np.testing.assert_array_equal(functions[1](X), grad(model)(X))
            for m in (model, other):
                np.testing.assert_array_equal(functions[2](m, X), grad(m.loss)(X))
                assert m.decorated(X) == np.sum(X * m.weight)
    assert len(Model.decorated.variants) == 2
    equal = Equal(3.0), Equal(3.0)
    shown = compiled(lambda m, x: m.weight * np.sum(x) * (1.0 if m is equal[0] else 2.0), strict=True)
    for _ in range(3):
        assert [shown(m, X) for m in equal] == [3.0 * np.sum(X), 6.0 * np.sum(X)]
    other.weight[0] = 7.0
    np.testing.assert_array_equal(functions[2](other, X), grad(other.loss)(X))
    counting = compiled(model.counting)
    with pytest.warns(CompilationWarning, match="changes its surroundings"):
        assert [counting(X) / np.sum(X) for _ in range(3)] == [1.0, 2.0, 3.0]


def test_names_signature_and_arguments():
    """Those of the function; arguments by position and by name, defaults."""
    model = Model(2.0)
    c = compiled(model.loss)
    assert (c.__name__, c.__doc__, c.__wrapped__) == ("loss", "The loss.", model.loss)
    assert inspect.signature(c) == inspect.signature(model.loss)
    for _ in range(3):
        assert c(X) == c(x=X) == c(X, 2) == c(power=2, x=X) == model.loss(X)
        assert c(X, power=3) == c(X, 3) == model.loss(X, 3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'exponent'"):
        c(X, exponent=3)


def test_debug_mode_compares():
    """In debug mode the function itself runs, and what was recorded is compared at every tenth call."""
    f = lambda x: np.sum(x * x)  # noqa: E731 - as users write them
    c = compiled(f, strict=True)
    with debugging():
        assert [c(k * X) for k in range(30)] == [f(k * X) for k in range(30)]
    assert c(X) == f(X)
    (variant,) = c._all_variants()
    assert variant.calls == 1
    variant.program = lambda x: np.sum(x)
    with debugging(), pytest.raises(CompilationError, match="differs from the function"):
        c(X)
    assert not c.variants


def test_traced_values_that_are_held():
    """What is differentiated may be in a closure, before something was recorded and after."""

    def outer(a, f):
        return f(lambda x: np.sum(math.sin(a) * x))(X)

    for _ in range(2):
        assert grad(outer)(2.0, compiled) == grad(outer)(2.0, lambda f: f)
    held = [2.0]
    c = compiled(lambda x: np.sum(math.sin(held[0]) * x), strict=True)

    def holding(a):
        held[0] = a
        return c(X)

    expected = math.cos(2.0) * np.sum(X)
    for _ in range(2):
        held[0] = 3.0
        assert c(X) == pytest.approx(math.sin(3.0) * np.sum(X))
        assert grad(holding)(2.0) == pytest.approx(expected)


def test_explained_and_profiled():
    """Both look at the function itself, and say what was recorded."""
    c, said = compiled(kept_by_module), compiled(lambda x: print(end="") or np.sum(x))
    with pytest.warns(CompilationWarning):
        c(X), said(X)
    rows = [row for f in (c, said) for row in explain_calls(lambda x, f=f: f(x), X).rows]
    how = {row.how for row in rows}
    assert "it is compiled: recorded for (x: float64[4])" in how
    assert any("as it is written for (x: float64[4]), since it calls `print`" in text for text in how)
    assert "numpy.sum" in str(profile(c, X))
    with debug_nans(), pytest.raises(NotANumberError):
        grad(compiled(lambda x: np.sum(np.log(x))))(-np.ones(2))
