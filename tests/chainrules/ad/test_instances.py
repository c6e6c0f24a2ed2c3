"""Instances of ordinary classes as arguments, callees and results; what is assigned to their attributes."""

import functools
import threading
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import (
    ADConfig,
    call,
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
from chainrules_core import (
    MutableTangent,
    NoTangent,
    NotImplementedTangent,
    Tangent,
    frule,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)
from chainrules_testutils import test_frule as check_frule
from chainrules_testutils import test_rrule as check_rrule
from tests.chainrules.rule_checks import normal


class Dense:
    """A layer of a network, with things beside its parameters."""

    rate = 0.5

    def __init__(self, weights, bias):
        self.weights, self.bias = weights, bias
        self.name, self.size, self.lock, self.rng = "dense", 2, threading.Lock(), np.random.default_rng(0)

    def __call__(self, x):
        """Apply the layer."""
        with self.lock:
            return np.tanh(self.weights @ x + self.bias)

    def applied(self, x):
        """Apply the layer."""
        return self(x)


class Value:
    """An instance with one attribute."""

    def __init__(self, x):
        self.x = x


class Slotted:
    """Slots, of which one is private and one is not assigned."""

    __slots__ = ("__scale", "_x", "y")

    def __init__(self, x):
        self._x, self.__scale = x, 3.0

    def __setattr__(self, name, value):
        if hasattr(self, name):
            raise AttributeError(name)
        object.__setattr__(self, name, value)

    def scaled(self):
        """Both attributes multiplied."""
        return self.__scale * self._x


def dense():
    """A layer with three inputs and two outputs."""
    return Dense(normal(2, 3), normal(2))


def loss(layer):
    """A number that depends on a layer."""
    return np.sum(layer(np.arange(3.0)) ** 2)


def differences(f, layer, name):
    """The derivative by an attribute, by differences."""
    array = getattr(layer, name)
    result = np.empty_like(array)
    for index in np.ndindex(array.shape):
        moved = []
        for step in (1e-6, -1e-6):
            other = Dense(layer.weights.copy(), layer.bias.copy())
            getattr(other, name)[index] += step
            moved.append(f(other))
        result[index] = (moved[0] - moved[1]) / 2e-6
    return result


# --- Arguments -------------------------------------------------------------------------------------


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


# --- What is held twice ------------------------------------------------------------------------------


def tree(x):
    """A root with a leaf that points to it."""
    root = types.SimpleNamespace(x=x, parent=None, kids=[])
    root.kids.append(types.SimpleNamespace(x=2.0 * x, parent=root, kids=[]))
    return root


@pytest.mark.parametrize(
    "differentiate",
    [
        grad(lambda root: root.x),
        lambda x: vjp(lambda root: root.x, x),
        lambda x: jvp(lambda root: root.x, (x,), (Tangent[types.SimpleNamespace](x=1.0),)),
        jacobian(lambda root: root.x),
    ],
)
def test_arguments_that_hold_themselves(differentiate):
    """They are refused by the attribute."""
    with pytest.raises(TypeError, match=r"a SimpleNamespace, whose `\.kids\[0\]\.parent` is itself"):
        differentiate(tree(1.5))
    shared = Value(1.0)
    with pytest.raises(TypeError, match=r"whose `\.x` and `\.other\[0\]` are one Value"):
        differentiate(types.SimpleNamespace(x=shared, other=[shared]))


@pytest.mark.parametrize(
    "differentiate", [lambda f: vjp(f, 1.5), lambda f: jvp(f, (1.5,), (1.0,)), lambda f: jacobian(f)(1.5)]
)
def test_results_that_hold_themselves(differentiate):
    """They are refused too; as a constant, or within the function, such an object may be."""
    with pytest.raises(TypeError, match=r"A SimpleNamespace holds itself, as its `\.kids\[0\]\.parent`"):
        differentiate(tree)
    differentiate(lambda x: (x, tree(1.0)))
    differentiate(lambda x: tree(x).kids[0].parent.x ** 2)
    constant = tree(np.ones(2))
    assert vjp(lambda x: (x, constant), 1.5)[0][1] is constant


def test_constants_that_hold_themselves():
    """Without numbers, or where no derivative by them is asked for, they are values like others."""
    root = types.SimpleNamespace(x="name", kids=[])
    root.kids.append(types.SimpleNamespace(parent=root))
    assert vjp(lambda root, x: x * len(root.kids), root, 2.0)[1](1.0)[1] == 1.0
    assert grad(lambda pair: pair[1] * 2)((root, 2.0))[1] == 2.0
    assert jacobian(lambda pair: pair[1] * 2)((root, 2.0))[1] == 2.0
    holder = Value(1.0)
    holder.root = root
    holder.again = [root]
    assert grad(lambda holder: 3 * holder.x)(holder).x == 3.0
    numbers = tree(3.0)
    assert grad(checkpoint(lambda z: z * numbers.kids[0].parent.x))(2.0) == 3.0
    offset = 1.0
    f_bar, x_bar = rrule_via_ad(ADConfig(), lambda x: x * numbers.x + offset, 2.0)[1](1.0)
    assert f_bar.offset == 1.0
    assert isinstance(f_bar.numbers, NotImplementedTangent)
    assert x_bar == 3.0


def test_search_is_linear():
    """A value that is reached by very many ways is looked into once."""

    def f(x):
        pair = Value(x)
        for _ in range(60):
            pair = Value((pair, pair))
        return call(np.multiply, x, 2.0) if isinstance(stop_gradient(1.0), float) and pair.x else x

    assert grad(f)(1.5) == 2.0


# --- Assignments -------------------------------------------------------------------------------------


class Counting:
    """A model with state."""

    def __init__(self):
        self.weights, self.scale, self.calls = np.array([1.0, 2.0]), 2.0, 0
        self.last, self.log, self.old = None, [0.5], "old"

    def loss(self, x=1.0):
        """Compute, and change nearly everything."""
        self.calls += 1
        y = np.sum(self.weights) * self.scale * x
        self.last = self.weights * 2.0
        self.log.append(y)
        self.scale = self.scale + 1.0
        self.weights *= 3.0
        self.child = types.SimpleNamespace(owner=self, y=y)
        del self.old
        return y


DIFFERENTIATE = {
    "grad": grad(Counting.loss),
    "vjp": lambda m: vjp(Counting.loss, m)[1](1.0)[0],
    "reverse": jacobian(Counting.loss, mode="reverse"),
    "forward": jacobian(Counting.loss, mode="forward"),
    "rule": lambda m: rrule_via_ad(ADConfig(), m.loss, 1.0)[1](1.0)[0]["__self__"],
}


@pytest.mark.parametrize("name", DIFFERENTIATE)
def test_assignments(name):
    """The instance has the state that a plain call leaves, and the derivative is by the state before."""
    model, plain = Counting(), Counting()
    weights = model.weights
    plain.loss()
    gradient = DIFFERENTIATE[name](model)
    np.testing.assert_array_equal(gradient.weights, [2.0, 2.0])
    assert gradient.scale == 3.0
    assert vars(model).keys() == vars(plain).keys()
    assert (model.calls, model.scale, model.log) == (plain.calls, plain.scale, plain.log)
    assert all(isinstance(item, float) for item in model.log)
    for attribute in ("weights", "last"):
        assert type(getattr(model, attribute)) is np.ndarray
        np.testing.assert_array_equal(getattr(model, attribute), getattr(plain, attribute))
    assert model.child.owner is model
    assert model.child.y == plain.child.y
    np.testing.assert_array_equal(weights, [1.0, 2.0])


def test_assignments_forwards():
    """Likewise by `jvp`, and by rules that call back."""
    model = Counting()
    tangent = Tangent[Counting](weights=np.ones(2), scale=1.0, log=[1.0])
    assert jvp(Counting.loss, (model,), (tangent,))[1] == 7.0
    assert (model.calls, model.scale, model.log) == (1, 3.0, [0.5, 6.0])
    model = Counting()
    tangents = Tangent[types.MethodType](__self__=tangent), NoTangent()
    assert frule_via_ad(ADConfig(), tangents, model.loss, 1.0)[1] == 7.0
    assert (model.calls, model.log) == (1, [0.5, 6.0])


def test_assignments_in_nested_differentiations():
    """Values of the differentiation around this one stay traced."""
    model = Value(2.0)

    def inner(model):
        y = model.x**3
        model.x = y
        return y

    def outer(a):
        model = Value(a)
        gradient = grad(inner)(model).x
        return gradient * model.x

    assert grad(outer)(2.0) == pytest.approx(5 * 3 * 2.0**4)
    grad(inner)(model)
    assert model.x == 8.0
    assert type(model.x) is float


def test_dicts_slots_and_swapped_instances():
    """A dict keeps its keys, a slot is assigned, and an instance that moves stays itself."""
    model = types.SimpleNamespace(
        first=Value(1.0), second=Value(2.0), numbers={"a": 3.0}, slotted=Slotted(1.0)
    )
    first, numbers = model.first, model.numbers

    def f(model):
        model.first, model.second = model.second, model.first
        model.numbers["b"] = model.first.x * model.numbers["a"]
        model.slotted.y = model.numbers["b"]
        return model.numbers["b"]

    gradient = grad(f)(model)
    assert gradient.numbers["a"] == 2.0
    assert gradient.second.x == 3.0
    assert model.second is first
    assert model.numbers is numbers
    assert numbers == {"a": 3.0, "b": 6.0}
    assert model.slotted.y == 6.0


def test_changes_at_two_places():
    """An instance that two arguments hold may be read; were it changed, one of them would not see it."""
    model = Value(2.0)

    def changed(v):
        v.x = v.x * 2.0
        return v.x

    assert vjp(lambda a, b: a.x * b.x, model, model)[0] == 4.0
    with pytest.raises(
        TypeError, match="A Value that objects in the arguments hold at several places was changed"
    ):
        vjp(lambda a, b: changed(a) * b.x, model, model)
    assert model.x == 2.0


@pytest.mark.parametrize("view", [lambda w: w, lambda w: w[1:], lambda w: w.T])
def test_arrays_that_are_written_into_and_held_twice(view):
    """The other place would keep the old elements."""
    weights = np.array([1.0, 2.0])

    def f(model):
        model.a[1] = 5.0
        return np.sum(model.a) + np.sum(model.layers[0])

    with pytest.raises(TypeError, match="A ndarray that objects in the arguments hold at several places"):
        grad(f)(types.SimpleNamespace(a=weights, layers=[view(weights)]))
    np.testing.assert_array_equal(weights, [1.0, 2.0])
    model = types.SimpleNamespace(a=weights, layers=[weights.copy()])
    np.testing.assert_array_equal(grad(f)(model).a, [1.0, 0.0])
    np.testing.assert_array_equal(model.a, [1.0, 5.0])


def test_dataclasses_in_instances():
    """Their fields are assigned too."""

    @dataclass
    class Part:
        x: float

    model = Value(Part(2.0))
    part = model.x

    def f(model):
        model.x.x = model.x.x * 3.0
        return model.x.x**2

    assert grad(f)(model).x.x == 36.0
    assert model.x is part
    assert part.x == 6.0


def test_errors_leave_the_instance():
    """A function that raises has assigned nothing."""
    model = Counting()

    def f(model):
        model.loss()
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        grad(f)(model)
    assert (model.calls, model.scale, model.log) == (0, 2.0, [0.5])


# --- Callees and results -----------------------------------------------------------------------------


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


def test_assignments_in_calls_by_rules():
    """They are made in an instance that is a constant; in the copy of a traced one they would be lost."""

    class Cached(Value):
        def __call__(self, x):
            self.last = x
            return self.x * x

    constant = Cached(2.0)
    assert grad(checkpoint(constant))(3.0) == 2.0
    assert constant.last == 3.0
    with pytest.raises(
        TypeError, match=r"checkpointed by its rule assigned to the attribute 'last' of a Cached"
    ):
        grad(lambda model: checkpoint(model)(3.0))(Cached(2.0))
    with pytest.raises(TypeError, match="assigned to the attribute 'last' of a Cached"):
        grad(lambda x: checkpoint(lambda y, models: models[0](y))(3.0, [Cached(x)]))(2.0)


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


class Shape:
    """Has a constructor with a rule, attributes that arrays have too, and a method without a rule."""

    def __init__(self, size, mean):
        self.size, self.mean, self.name = size, mean, "shape"

    def area(self):
        """The square of the size."""
        return self.size**2


@frule.dispatch
def shape_frule(tangents, f: typeof_(Shape), size: float, mean: float):
    """Give the attributes their tangents."""
    return Shape(size, mean), Tangent[Shape](size=tangents[1], mean=tangents[2])


@rrule.dispatch
def shape_rrule(f: typeof_(Shape), size: float, mean: float):
    """Have a tangent for the object."""
    return Shape(size, mean), lambda y_bar: (NoTangent(), y_bar.size, y_bar.mean)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda x: call(Shape, x, x).size, 1.0),
        (lambda x: call(Shape, x, 2.0).area(), 6.0),
        (lambda x: primitive(Shape)(x, x).mean ** 2 * call(Shape, x, x).size, 27.0),
    ],
)
def test_constructors_with_rules(f, slope):
    """The attributes of the result are traced, and its methods compute with them."""
    assert grad(f)(3.0) == pytest.approx(slope)
    assert jvp(f, (3.0,), (1.0,))[1] == pytest.approx(slope)


class Ruled:
    """Calls of its instances have a rule."""

    def __init__(self, x):
        self.x = x

    def __call__(self, y):
        """The product."""
        return self.x * y


@rrule.dispatch
def ruled_rrule(f: Ruled, y: float):
    """Say something else, to be recognised."""
    return f(y), lambda z_bar: (Tangent[Ruled](x=10.0 * z_bar), 20.0 * z_bar)


@primitive
def ruled(x):
    """An instance."""
    return Ruled(x)


@rrule.dispatch
def ruled_constructor_rrule(f: typeof_(ruled), x: object):
    """Hand the cotangent of the attribute on."""
    return Ruled(x), lambda y_bar: (NoTangent(), y_bar.x)


def test_results_whose_calls_have_rules():
    """They are traced as a whole, so that the rule is used; without numbers they are constants."""
    assert grad(lambda x: ruled(x)(3.0))(2.0) == 10.0
    assert grad(lambda x: x * float(ruled("name" if x else "").x == "name"))(2.0) == 1.0
