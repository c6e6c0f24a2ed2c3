"""Forward mode: `jvp` against finite differences, and rules that call back."""

import functools
import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.optimize

from chainrules.ad import ADConfig, grad, hvp, jvp
from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    RuleNotFoundError,
    StructuralTangent,
    Tangent,
    ZeroTangent,
    frule_via_ad,
    thunk,
)
from chainrules_core.structured import Diagonal
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.ad.agreement import assert_same_numbers
from tests.chainrules.ad.models import Hundredfold, Layer, Model
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.sparse_cases import sparse
from tests.python_calls import functions_run_by

CONFIG = ADConfig()


@dataclass
class Line:
    """A callable object with parameters of its own."""

    slope: float
    offset: float = 0.0

    def __call__(self, x):
        """The value at `x`."""
        return self.slope * x + self.offset


def loop(x):
    """Branches, indices, a loop and several functions."""
    y = x[0]
    for i in range(3):
        y = np.sin(y * x[i]) if y > 0 else y + x[i] ** 2
    return y * np.sum(x)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (np.sin, (0.5,)),
        (lambda x: x * x + 3.0 / x, (1.5,)),
        (loop, (normal(3),)),
        (lambda A, x: np.tanh(A @ x) * x[0], (normal(2, 3), normal(3))),
        (lambda x, y: x * y[:, None], (normal(2, 3), normal(2))),
        (lambda z: np.exp(1j * z) * np.conj(z), (normal(3, dtype=complex),)),
        (lambda x: np.exp(1j * x), (0.5,)),
        (lambda z: np.abs(z) * np.real(z), (1 + 2j,)),
        (lambda x: x[:0], (normal(3),)),
        (lambda p: p["w"] * p["b"][0], ({"w": normal(3), "b": [2.0]},)),
        (lambda x: {"a": (x, x * x), "b": [np.sum(x)]}, (normal(3),)),
        (lambda layer: Layer(layer.bias, layer.weights * layer.bias), (Layer(normal(2), 1.5),)),
        (lambda D: D @ D.diag, (Diagonal(normal(3)),)),
        (lambda x: np.linalg.solve(np.eye(2) + np.outer(x, x), x), (normal(2),)),
    ],
)
def test_against_finite_differences(f, args):
    """The tangent agrees with differences, for numbers, arrays, containers and structured arrays."""
    rng = np.random.default_rng(0)
    tangents = tuple(tangent_like(x, rng) for x in args)

    y, y_dot = jvp(f, args, tangents)

    expected = jvp_by_differences(None, f, *zip(args, tangents, strict=True))
    assert_same_numbers(y, f(*args))
    assert_same_numbers(y_dot, expected)


def tangent_like(x, rng):
    """A random tangent in the same containers."""
    if isinstance(x, dict):
        return {key: tangent_like(part, rng) for key, part in x.items()}
    if isinstance(x, tuple | list):
        parts = [tangent_like(part, rng) for part in x]
        return type(x)(*parts) if isinstance(x, Layer) else type(x)(parts)
    if isinstance(x, Diagonal):
        return Diagonal(rng.normal(size=3))
    return x * 0 + rng.normal(size=np.shape(x))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64, np.float64])
def test_precision_is_kept(dtype):
    """The tangent has the dtype of the result, whatever the given one has."""
    x = normal(3, dtype=dtype)

    y, y_dot = jvp(lambda x: x * x, (x,), (np.ones(3),))

    assert y.dtype == y_dot.dtype == dtype


def test_what_does_not_move():
    """A result that does not move has zeros; one without a derivative has `NoTangent()`."""
    y, y_dot = jvp(
        lambda x, y: (y * 2, 3.0, len(x), np.argmax(x), "name", None), (normal(2), 1.5), (normal(2), 0.0)
    )

    assert y == (3.0, 3.0, 2, 0, "name", None)
    assert y_dot == (0.0, 0.0, NoTangent(), NoTangent(), NoTangent(), NoTangent())
    assert jvp(lambda x: np.ones((2, 2)), (1.5,), (1.0,))[1].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert jvp(lambda x: 3.0, ([],), ([],)) == (3.0, 0.0)
    assert jvp(lambda x: {}, (1.5,), (1.0,)) == ({}, {})


@pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent(), thunk(ZeroTangent)])
def test_zeros_stand_for_tangents(zero):
    """Zeros stand for tangents of any argument, and inside containers; an integer has no other."""
    assert jvp(lambda n, x: n * x[0], (3, [2.0]), (zero, [1.0])) == (6.0, 3.0)
    assert jvp(lambda n, x: n * x[0] * x[1], (3, [2.0, 5.0]), (zero, [zero, 1.0])) == (30.0, 6.0)
    assert jvp(lambda f, x: f(x), (Line(3.0), 2.0), (zero, 1.0)) == (6.0, 3.0)


def test_dataclasses():
    """A tangent is a dataclass of tangents, or a `Tangent`; what is no number in it stands for itself."""
    model = Model(Layer(normal(2), 0.5), 2.0)

    def f(m):
        return Model(m.layer, np.sum(m.layer.weights) * m.scale + m.layer.bias)

    for model_dot in (
        Model(Layer(np.ones(2), 3.0), 4.0),
        StructuralTangent[Model](layer=Layer(np.ones(2), 3.0), scale=4.0),
        StructuralTangent[Model](
            layer=Tangent[Layer](weights=np.ones(2), bias=3.0), scale=4.0, name=NoTangent()
        ),
    ):
        y, y_dot = jvp(f, (model,), (model_dot,))
        assert isinstance(y, Model)
        assert isinstance(y_dot, StructuralTangent[Model])
        assert y_dot.scale == pytest.approx(2 * 2.0 + normal(2).sum() * 4.0 + 3.0)
        assert y_dot.layer.bias == 3.0
        assert y_dot.name == NoTangent()


def test_functions_as_arguments():
    """Closures, callable objects and partials move with what they hold."""
    slope = 3.0

    def line(x):
        return slope * x

    def at_two(f):
        return f(2.0) * f(1.0)

    cases = [
        (line, Tangent[type(line)](slope=1.0)),
        (Line(3.0), StructuralTangent[Line](slope=1.0)),
        (Line(3.0), Line(1.0)),
        (functools.partial(lambda a, x: a * x, 3.0), Tangent[functools.partial](args=(1.0,))),
        (Line(3.0).__call__, Tangent[type(Line(1.0).__call__)](__self__=Line(1.0))),
    ]
    for f, f_dot in cases:
        assert jvp(at_two, (f,), (f_dot,)) == (18.0, 12.0)


def test_a_function_as_the_result():
    """The tangent of a function that is returned is the tangent of the values that it holds."""

    def line_of(slope):
        return lambda x: slope * x

    y, y_dot = jvp(line_of, (3.0,), (1.0,))

    assert y(2.0) == 6.0
    assert y_dot == Tangent[type(y)](slope=1.0)


def test_sparse_and_structured_results():
    """Their tangents have their structure."""
    A = sparse()

    y, y_dot = jvp(lambda s: s * A, (2.0,), (3.0,))
    np.testing.assert_allclose(y_dot.toarray(), 3.0 * A.toarray())
    y, y_dot = jvp(Diagonal, (normal(3),), (np.ones(3),))
    assert y == Diagonal(normal(3))
    np.testing.assert_array_equal(np.asarray(y_dot), np.eye(3))


def test_both_modes_agree():
    """The tangent of the result times a cotangent is the cotangents of the arguments times their tangents."""
    x, x_dot = positive(4), normal(4)

    def f(x):
        return np.sum(np.log(x) * np.cumsum(x) ** 2) / np.max(x)

    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], grad(f)(x) @ x_dot)


# --- Errors ----------------------------------------------------------------------------------------


def test_the_number_of_tangents():
    """There is one for each argument."""
    with pytest.raises(DimensionMismatchError, match=r"jvp\(.*\): 1 tangents for 2 arguments.*ZeroTangent"):
        jvp(lambda x, y: x * y, (1.0, 2.0), (1.0,))


def test_arguments_that_are_in_no_tuple():
    """The error shows the form; a list serves as well."""
    assert jvp(lambda x, y: x * y, [2.0, 3.0], [1.0, 0.0]) == (6.0, 3.0)
    with pytest.raises(TypeError, match=r"takes a tuple of arguments.*`jvp\(f, \(x,\), \(x_dot,\)\)`"):
        jvp(np.sin, 1.0, 1.0)
    with pytest.raises(TypeError, match="takes a tuple of arguments"):
        jvp(np.sin, (normal(2),), normal(2))


@pytest.mark.parametrize("x", [3, "text", None, True, np.arange(2), len])
def test_what_cannot_move(x):
    """A number is no tangent of an integer, or of anything that is no number."""
    with pytest.raises(TypeError, match=r"which does not change smoothly. Give `NoTangent\(\)`"):
        jvp(lambda x: 1.0, (x,), (1.0,))


def test_tangents_of_another_shape():
    """An array of another shape, or in other containers, is refused."""
    with pytest.raises(DimensionMismatchError, match=r"shape \(3,\).*shape \(2,\)"):
        jvp(np.sin, (normal(3),), (normal(2),))
    with pytest.raises(TypeError, match="in the same containers"):
        jvp(lambda p: p["a"], ({"a": 1.0},), ({"b": 1.0},))
    with pytest.raises(TypeError, match="in the same containers"):
        jvp(lambda p: p[0], ([normal(2)],), (normal(2),))


def test_a_missing_rule():
    """The error names the missing rule of forward mode."""
    with pytest.raises(RuleNotFoundError, match=r"frule\(ADConfig, max \(vectorized\)"):
        jvp(np.frompyfunc(max, 2, 1), (1.0, 2.0), (1.0, 1.0))


# --- frule_via_ad ----------------------------------------------------------------------------------


def test_uses_a_rule_where_there_is_one():
    """Where there is a rule, it gives the result and the tangent."""
    assert frule_via_ad(CONFIG, (NoTangent(), 1.0), np.sin, 0.0) == (0.0, 1.0)


def test_traces_where_there_is_no_rule():
    """The function moves with what it holds; keyword arguments do not."""
    line = Line(3.0, 1.0)

    assert frule_via_ad(CONFIG, (NoTangent(), 1.0), lambda x, n: n * x, 2.0, n=4) == (8.0, 4.0)
    y, y_dot = frule_via_ad(CONFIG, (StructuralTangent[Line](slope=1.0), thunk(lambda: 2.0)), line, 2.0)
    assert (y, y_dot) == (7.0, 8.0)


def test_tangents_are_structural():
    """The tangents of containers are structural, with zeros for parts that do not move."""

    def f(x, y):
        return {"a": (x, y), "b": 3, "c": [y]}

    y, y_dot = frule_via_ad(CONFIG, (NoTangent(), 1.0, ZeroTangent()), f, 2.0, 5.0)

    assert y == {"a": (2.0, 5.0), "b": 3, "c": [5.0]}
    assert y_dot == Tangent[dict](
        {"a": Tangent[tuple](1.0, ZeroTangent()), "b": NoTangent(), "c": ZeroTangent()}
    )
    assert frule_via_ad(CONFIG, (NoTangent(), 1.0), lambda x: (3, "text"), 2.0)[1] == ZeroTangent()


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), normal(2), 1j], ids=lambda x: type(x).__name__)
def test_operators_of_ones_own(x):
    """Arguments that have some are refused; those of the usual classes are not asked for any."""
    ran = functions_run_by(lambda: jvp(lambda x: x, (x,), (x,)))
    assert "refuse_operators_of_its_own" not in ran
    with pytest.raises(TypeError, match="operators of its own"):
        jvp(lambda x: x, (Hundredfold(2.0),), (1.0,))


def test_instances_that_are_held_twice():
    """They are refused, inside of other instances too; held once, they are remembered."""
    inner = SimpleNamespace(weight=2.0)
    x_dot = Tangent[SimpleNamespace](weight=1.0)
    for twice in (
        (SimpleNamespace(a=inner, b=inner), Tangent[SimpleNamespace](a=x_dot, b=x_dot)),
        ([inner, {"b": inner}], [x_dot, {"b": x_dot}]),
    ):
        with pytest.raises(TypeError, match="are one SimpleNamespace"):
            jvp(lambda x: 1.0, *([part] for part in twice))

    def counting(x):
        x.a.weight = x.a.weight * 3.0
        return x.a.weight

    outer = SimpleNamespace(a=inner)
    assert jvp(counting, (outer,), (Tangent[SimpleNamespace](a=x_dot),)) == (6.0, 3.0)
    assert outer.a.weight == 6.0


def test_has_aux():
    """What is returned beside the result is plain, and has no tangent."""
    y, y_dot, aux = jvp(lambda x: (np.sum(x**2), {"squares": x**2}), (normal(3),), (normal(3),), has_aux=True)

    assert type(aux["squares"]) is np.ndarray
    assert_same_numbers((y, y_dot), (np.sum(normal(3) ** 2), 2 * np.sum(normal(3) ** 2)))


# --- Functions that a formula calls, which the program defined before -------------------------------------


def slopes(x, a):
    """Fill an array."""
    y = np.zeros(2)
    y[0] = x[0] - a * a
    y[1] = 2.0 * (float(x[1]) - a)
    return y


def distance(x, a):
    """Be least at the square and at the number itself."""
    return math.pow(float(slopes(x, a)[0]), 2) + slopes(x, a)[1] ** 2


def distance_and_slopes(x, a):
    """Return both."""
    return distance(x, a), slopes(x, a) * np.array([2.0, 4.0])


class Fitted:
    """A function that is a method."""

    def line(self, t, slope, start):
        """Fill an array."""
        y = np.zeros(len(t))
        y[:] = slope * t
        y += start
        return y


T = np.linspace(0.0, 1.0, 5)
SEARCHES = {
    "minimize": lambda a: scipy.optimize.minimize(distance, np.zeros(2), args=(a,), tol=1e-12).x[0],
    "jac": lambda a: scipy.optimize.minimize(distance_and_slopes, np.zeros(2), args=(a,), jac=True).x[0],
    "least_squares": lambda a: scipy.optimize.least_squares(slopes, np.zeros(2), args=(a,)).x[0],
    "curve_fit": lambda a: scipy.optimize.curve_fit(Fitted().line, T, a * a * T)[0][0],
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_functions_that_formulas_call(search):
    """They are entered, as those are that the program calls itself."""
    np.testing.assert_allclose(jvp(search, (1.5,), (1.0,)), (2.25, 3.0), rtol=1e-6)
    np.testing.assert_allclose(grad(search)(1.5), 3.0, rtol=1e-6)
    np.testing.assert_allclose(hvp(search, 1.5, 1.0), 2.0, rtol=1e-5)
