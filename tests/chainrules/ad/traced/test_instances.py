"""What is assigned to attributes of instances of ordinary classes while a program is differentiated."""

import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, checkpoint, grad, jacobian, jvp, vjp
from chainrules_core import NoTangent, Tangent, frule_via_ad, rrule_via_ad
from tests.chainrules.ad.models import Slotted, Value


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


def test_containers_that_are_assigned():
    """What they hold of the differentiation becomes plain."""
    model = Value(2.0)

    def f(model):
        x = model.x
        model.x = {"of": [x * 2.0], "beside": "text"}
        return x

    assert grad(f)(model).x == 1.0
    assert model.x == {"of": [4.0], "beside": "text"}
    assert type(model.x["of"][0]) is float


def test_errors_leave_the_instance():
    """A function that raises has assigned nothing."""
    model = Counting()

    def f(model):
        model.loss()
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        grad(f)(model)
    assert (model.calls, model.scale, model.log) == (0, 2.0, [0.5])


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


def test_one_instance_as_two_arguments():
    """It is none that has changed, whatever it holds beside numbers; what is assigned to it is refused."""
    model = types.SimpleNamespace(x=1.5, name="model", shape=(2, "text"))

    a_bar, b_bar = vjp(lambda a, b: a.x * b.x * len(b.name), model, model)[1](1.0)
    assert (a_bar.x, b_bar.x) == (7.5, 7.5)

    def assign(a, b):
        a.name = "other"
        return a.x * b.x

    with pytest.raises(TypeError, match="at several places"):
        vjp(assign, model, model)
    assert model.name == "model"
