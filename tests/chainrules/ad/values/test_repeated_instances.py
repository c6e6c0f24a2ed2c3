"""Instances that hold themselves, or that others hold twice, are found and named."""

import functools
import types
import weakref
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from chainrules.ad import ADConfig, call, checkpoint, grad, jacobian, jvp, stop_gradient, vjp
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.repeated_instances import is_instance, is_operator, repeated_instance
from chainrules_core import NotImplementedTangent, Tangent, rrule_via_ad
from tests.chainrules.ad.models import Value, tree


class Layer:
    """An instance with a number, or another value."""

    def __init__(self, weight):
        self.weight = weight

    def method(self):
        """Hold the instance."""


@dataclass
class Data:
    """A dataclass."""

    a: object
    b: object = None


def found_in(x):
    """How the message names an instance that is held twice."""
    repeated = repeated_instance(x, is_differentiable)
    return None if repeated is None else str(repeated)


shared = Layer(2.0)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([shared, {"a": shared}], "a list, whose `[0]` and `[1]['a']` are one Layer"),
        (Data(shared, (1.0, shared)), "a Data, whose `.a` and `.b[1]` are one Layer"),
        (
            types.SimpleNamespace(first=shared, rest=Layer([shared])),
            "a SimpleNamespace, whose `.first` and `.rest.weight[0]` are one Layer",
        ),
        ([shared, functools.partial(max, shared)], "a list, whose `[0]` and `[1].args[0]` are one Layer"),
        ([shared, weakref.ref(shared)], "a list, whose `[0]` and `[1]` are one Layer"),
        ([weakref.ref(shared), shared], "a list, whose `[1]` and `[0]` are one Layer"),
    ],
)
def test_held_twice(x, message):
    """Both places are named as a program writes them."""
    assert found_in(x) == message


def test_holding_itself():
    """A pointer to the parent, a method that is kept as an attribute."""
    parent = types.SimpleNamespace(weight=1.0, kids=[])
    parent.kids.append(types.SimpleNamespace(parent=parent))
    assert found_in(parent) == "a SimpleNamespace, whose `.kids[0].parent` is itself"
    layer = Layer(1.0)
    layer.again = layer.method
    assert found_in(layer) == "a Layer, whose `.again.__self__` is itself"


def test_what_may_be_held_twice():
    """Instances without numbers, also those that hold themselves; dataclasses and containers."""
    constant, data, items = Layer("name"), Data(1.0), [1.0]
    constant.again = constant
    for part in (constant, data, items):
        assert found_in([part, {"again": part}]) is None
    items.append(items)
    assert found_in([items, shared]) is None
    gone, elsewhere = weakref.ref(Layer(1.0)), Layer(1.0)
    assert found_in([gone, shared]) is None
    assert found_in([weakref.ref(elsewhere), shared]) is None
    assert found_in([weakref.ref(constant), constant]) is None


def test_instances():
    """Of ordinary classes, which dataclasses are not."""
    assert is_instance(shared)
    assert not any(map(is_instance, (1.0, [shared], Data(1.0), Layer)))


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


def test_operators_are_values():
    """As dataclasses are: one may be held twice, ``A.T @ A``."""
    operator = aslinearoperator(np.eye(2))
    assert not is_instance(operator)
    assert repeated_instance((operator.T, operator, operator), is_differentiable) is None
    assert is_operator(type(operator))
    assert not is_operator(Layer)
