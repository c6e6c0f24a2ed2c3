"""Values with parts: taking them apart and putting them together."""

import functools
import sys
import types
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from chainrules.ad import (
    ADConfig,
    checkpoint,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
)
from chainrules.ad.values.structures import has_parts, parts_of, tangent_from_parts, with_parts, within
from chainrules_core import MutableTangent, NoTangent, StructuralTangent, Tangent, frule_via_ad, rrule_via_ad
from chainrules_testutils import test_frule as check_frule
from chainrules_testutils import test_rrule as check_rrule
from tests.chainrules.ad.models import Dense, Slotted, Value, dense, differences, loss
from tests.chainrules.rule_checks import normal


class Named(NamedTuple):
    """A tuple with names."""

    a: float
    b: float


@dataclass
class Data:
    """A dataclass."""

    a: float
    b: float


@pytest.mark.parametrize("x", [(1.0, 2.0), [1.0, 2.0], {"a": 1.0, "b": 2.0}, Named(1.0, 2.0), Data(1.0, 2.0)])
def test_parts_make_the_value_again(x):
    """A value with other parts is of the same kind, and the parts are found in it."""
    doubled = with_parts(x, {key: 2 * part for key, part in parts_of(x).items()})

    assert has_parts(x)
    assert type(doubled) is type(x)
    assert list(parts_of(doubled).values()) == [2.0, 4.0]
    assert with_parts(x, parts_of(x)) == x


def test_closures_have_their_variables_as_parts():
    """A closure with other variables is the same code."""
    a = 1.0

    def f(x):
        return a * x

    assert parts_of(f) == {"a": 1.0}
    assert with_parts(f, {"a": 3.0})(2.0) == 6.0


@pytest.mark.parametrize(
    "x", [Tangent[tuple](1.0, 2.0), Tangent[Named](a=1.0, b=2.0), StructuralTangent[Data](a=1.0, b=2.0)]
)
def test_tangents_have_the_parts_of_their_primals(x):
    """The tangent of a tangent has the tangent's class, since tangents form a vector space."""
    doubled = with_parts(x, {key: 2 * part for key, part in parts_of(x).items()})

    assert has_parts(x)
    assert doubled == x + x
    assert tangent_from_parts(type(x), 2, parts_of(x)) == x


@pytest.mark.parametrize("x", [1.0, "text", None, np.ones(2), {1.0}, frozenset({1.0}), len])
def test_values_without_parts(x):
    """Numbers, arrays, strings and sets, which cannot be rebuilt, have no parts."""
    assert not has_parts(x)


def test_structural_tangents():
    """They have the form of the value; positions that are not given cannot be perturbed."""
    assert tangent_from_parts(tuple, 2, {1: 3.0}) == Tangent[tuple](NoTangent(), 3.0)
    assert tangent_from_parts(list, 2, {0: 3.0}) == Tangent[list](3.0, NoTangent())
    assert tangent_from_parts(dict, 2, {"a": 3.0}) == Tangent[dict]({"a": 3.0})
    assert tangent_from_parts(Named, 2, {"a": 3.0}) == Tangent[Named](a=3.0)
    assert tangent_from_parts(Data, 2, {"b": 3.0}) == StructuralTangent[Data](b=3.0)


def test_too_deep():
    """A value in too many others is refused by name, after Python's own limit."""
    holders = tuple(range(-sys.getrecursionlimit() // 5, 0))

    assert within([], holders[1:])[:-1] == holders[1:]
    with pytest.raises(RecursionError, match="A list is nested in more than 200 others"):
        within([], holders)


# --- Instances of ordinary classes ---------------------------------------------------------------------


def test_gradient_by_a_model():
    """It is a tangent with the attributes as fields; what is no number has no tangent."""
    layer = dense()
    value, gradient = value_and_grad(loss)(layer)
    assert value == loss(layer)
    assert isinstance(gradient, MutableTangent[Dense])
    for name in ("weights", "bias"):
        np.testing.assert_allclose(gradient[name], differences(loss, layer, name), rtol=1e-6)
    assert all(isinstance(gradient[name], NoTangent) for name in ("name", "size", "lock", "rng"))


def test_step_along_a_gradient():
    """The sum of a model and a multiple of its gradient is a model; no constructor is called."""
    layer = dense()
    moved = layer + (-1e-4) * grad(loss)(layer)
    assert type(moved) is Dense
    assert moved.lock is layer.lock
    assert loss(moved) < loss(layer)


def test_models_with_layers_in_containers():
    """In the tangent of a model lists and dicts are tangents too, so that it can be scaled and added."""
    model = types.SimpleNamespace(layers=[dense(), {"last": (Value(2.0), "name")}], names=["a"])

    def f(model):
        return loss(model.layers[0]) * model.layers[1]["last"][0].x

    gradient = grad(f)(model)
    assert gradient.layers[1]["last"][0].x == pytest.approx(loss(model.layers[0]))
    moved = model + (-1e-4) * gradient
    assert f(moved) < f(model)
    assert moved.layers[1]["last"][1] == "name"
    assert moved.names == ["a"]
    assert jvp(f, (model,), (gradient,))[1] > 0.0


def test_modes_agree():
    """`vjp`, `jvp`, `linearize` and both modes of `jacobian` have the same derivative."""
    layer, x = dense(), np.arange(3.0)
    direction = Tangent[Dense](weights=normal(2, 3), bias=normal(2))
    y, y_dot = jvp(lambda layer: layer(x), (layer,), (direction,))
    np.testing.assert_allclose(y, layer(x))
    np.testing.assert_allclose(linearize(lambda layer: layer(x), layer)[1](direction), y_dot)
    y_bar = normal(2)
    (layer_bar,) = vjp(lambda layer: layer(x), layer)[1](y_bar)
    product = np.sum(layer_bar.weights * direction.weights) + np.sum(layer_bar.bias * direction.bias)
    np.testing.assert_allclose(product, np.sum(y_bar * y_dot))
    forward, reverse = (jacobian(lambda layer: layer(x), mode=mode)(layer) for mode in ("forward", "reverse"))
    for name in ("weights", "bias"):
        np.testing.assert_allclose(forward[name], reverse[name])
        np.testing.assert_allclose(np.tensordot(y_bar, reverse[name], 1), layer_bar[name])


def test_namespaces_slots_and_nested_instances():
    """They have the fields that their instances have."""
    namespace = types.SimpleNamespace(a=2.0, layers=[Value(3.0), {"last": Value(np.ones(2, np.float32))}])
    gradient = grad(lambda n: n.a * n.layers[0].x * np.sum(n.layers[1]["last"].x))(namespace)
    assert gradient.a == 6.0
    assert gradient.layers[0].x == 4.0
    assert gradient.layers[1]["last"].x.dtype == np.float32
    gradient = grad(Slotted.scaled)(Slotted(2.0))
    assert (gradient["_x"], gradient["_Slotted__scale"]) == (3.0, 2.0)


def test_second_derivatives_and_nested_differentiation():
    """Gradients by instances are differentiated like others."""
    assert hvp(lambda v: v.x**3, Value(2.0), Tangent[Value](x=0.5)).x == 6.0
    assert hessian(lambda v: v.x**3)(Value(2.0)).x.x == 12.0
    assert grad(lambda a: grad(lambda v: v.x**3 * a)(Value(a)).x)(2.0) == 3 * 3 * 2.0**2
    assert jvp(lambda a: grad(lambda v: v.x**3 * a)(Value(a)).x, (2.0,), (1.0,))[1] == 36.0


def test_properties_are_not_set():
    """What the class makes of an assignment is not asked; a cached property is computed again."""

    class Circle:
        def __init__(self, radius):
            self.__dict__["radius"] = radius

        radius = property(lambda self: self.__dict__["radius"])

        @functools.cached_property
        def area(self):
            return np.pi * self.radius**2

    circle = Circle(2.0)
    area = circle.area
    gradient = grad(lambda circle: circle.area)(circle)
    assert gradient.radius == pytest.approx(4 * np.pi)
    assert list(gradient.keys()) == ["radius"]
    assert vars(circle) == {"radius": 2.0, "area": area}


def test_caches_of_dataclasses():
    """A value that a cached property computed before is no constant."""

    @dataclass
    class Square:
        side: float

        @functools.cached_property
        def area(self):
            return self.side**2

    square = Square(3.0)
    assert square.area == 9.0
    assert grad(lambda square: square.area)(square).side == 6.0


def test_one_array_at_two_attributes():
    """An array is a value: it has a cotangent at each place."""
    weights = np.array([1.0, 2.0])
    gradient = grad(lambda tied: np.sum(tied.a * tied.b**2))(types.SimpleNamespace(a=weights, b=weights))
    np.testing.assert_array_equal(gradient.a, weights**2)
    np.testing.assert_array_equal(gradient.b, 2 * weights**2)


def test_callable_objects_and_methods():
    """Rules that call back get the cotangent of the object; the testers check both modes."""
    x = np.arange(3.0)
    for f in (dense(), dense().applied):
        check_rrule(f, x, rrule_f=rrule_via_ad, config=ADConfig())
        check_frule(f, x, frule_f=frule_via_ad, config=ADConfig())


def test_checkpoint():
    """The object of a checkpointed method has its cotangents."""
    layer, x = dense(), np.arange(3.0)
    expected = grad(loss)(layer)
    for f in (lambda layer: checkpoint(layer)(x), lambda layer: checkpoint(layer.applied)(x)):
        gradient = grad(lambda layer, f=f: np.sum(f(layer) ** 2))(layer)
        np.testing.assert_allclose(gradient.weights, expected.weights)


def test_stop_gradient():
    """No derivative passes through an object."""
    assert grad(lambda v: stop_gradient(v).x * v.x)(Value(3.0)).x == 3.0
    assert grad(lambda x: stop_gradient(Value([x])).x[0] * x)(3.0) == 3.0


def test_results_and_auxiliary_values():
    """A cotangent of an object is a tangent of it, or an object of the class."""
    y, pullback = vjp(lambda x: Value([2.0 * x, "name"]), 3.0)
    assert type(y) is Value
    assert y.x == [6.0, "name"]
    assert pullback(Tangent[Value](x=[1.0, NoTangent()])) == (2.0,)
    assert pullback(Value([1.0, NoTangent()])) == (2.0,)
    assert jvp(lambda x: Value(2.0 * x), (3.0,), (1.0,))[1].x == 2.0
    assert value_and_grad(lambda x: (x * x, Value(x)), has_aux=True)(3.0)[0][1].x == 3.0


def test_values_that_hold_themselves():
    """They are refused, with the shortest way by which they do."""
    x = [1.0, {"a": [2.0]}]
    x[1]["a"].append(x)
    with pytest.raises(TypeError, match=r"A list holds itself, as its `\[1\]\['a'\]\[1\]`"):
        within(x, (id(x),))
