"""Numbers and traced values that are held where the engine does not look are refused, never lost."""

import collections
import functools
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, checkpoint, grad, jacobian, jvp, stop_gradient, value_and_grad, vjp
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.hiding import check_nothing_hidden
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)
from tests.python_calls import functions_run_by


class Scale:
    """A callable object that nobody looks into, since nobody makes another one in its place."""

    def __del__(self):
        """Be told when it goes."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        """The argument times the factor."""
        return self.factor * x


@dataclass
class Layer:
    """A dataclass, whose fields are looked into."""

    weights: object
    other: object

    def applied(self, x):
        """Use the fields."""


def array_of(x):
    """An array of objects."""
    array = np.empty(1, dtype=object)
    array[0] = x
    return array


HOLDERS = {
    "deque": lambda x: collections.deque([x]),
    "set": lambda x: {x},
    "dict_values": lambda x: {"a": x}.values(),
    "dict_items": lambda x: {"a": x}.items(),
    "ndarray": array_of,
    "UserDict": lambda x: collections.UserDict(a=x),
    "UserList": lambda x: collections.UserList([x]),
    "ChainMap": lambda x: collections.ChainMap({"a": x}),
    "mappingproxy": lambda x: types.MappingProxyType({"a": x}),
    "Scale": Scale,
    "generator": lambda x: (item for item in [x]),
    "list_iterator": lambda x: iter([x]),
    "map": lambda x: map(abs, [x]),
}

every_holder = pytest.mark.parametrize("name", HOLDERS)


def with_default(x):
    """A function that has it as a default."""

    def f(a=x):
        return a

    return f


def with_attribute(x):
    """A function that has it as an attribute."""

    def f():
        return 0.0

    f.a = x
    return f


@every_holder
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [1.0, {"a": x}]])
@pytest.mark.parametrize(
    "differentiate",
    [
        lambda f: vjp(f, 1.5),
        lambda f: jvp(f, (1.5,), (1.0,)),
        lambda f: rrule_via_ad(ADConfig(), f, 1.5),
        lambda f: frule_via_ad(ADConfig(), (NoTangent(), 1.0), f, 1.5),
        lambda f: jacobian(f)(1.5),
    ],
)
def test_results(name, wrap, differentiate):
    """A result that holds traced values where nobody looks is refused by the name of its class."""
    with pytest.raises(TypeError, match=rf"returned a {name}, .*(Return a tuple|Write `list)"):
        differentiate(lambda x: wrap(HOLDERS[name](2.0 * x)))


def test_iterators_in_instances():
    """They are refused too, where the instance holds itself as well."""
    model = types.SimpleNamespace(items=iter([1.0]))
    with pytest.raises(TypeError, match="iterator"):
        vjp(lambda x: (x, types.SimpleNamespace(items=iter([2.0 * x]))), 1.5)
    with pytest.raises(TypeError, match="iterator"):
        grad(lambda model: 1.0)(model)


@pytest.mark.parametrize(
    "hide", [lambda x: slice(0, x), ValueError, lambda x: functools.lru_cache(lambda: x), with_default]
)
def test_other_results(hide):
    """Slices, errors and functions that remember their results hold values too."""
    with pytest.raises(TypeError, match="derivative would be lost"):
        vjp(lambda x: hide(2.0 * x), 1.5)
    vjp(lambda x: (x, hide(2.0)), 1.5)


@pytest.mark.parametrize("hide", [with_default, with_attribute])
def test_functions_as_results(hide):
    """Defaults and attributes of a function that is returned are looked into."""
    with pytest.raises(TypeError, match="returned a function, whose attribute"):
        vjp(lambda x: hide(2.0 * x), 1.5)
    _, pullback = vjp(lambda x: (x, hide(2.0)), 1.5)
    assert pullback((1.0, None)) == (1.0,)


def test_numbers_in_arrays_of_objects():
    """A gradient by a result in an array of objects would be zero."""

    def f(x):
        y = np.empty((), dtype=object)
        y[()] = x * x
        return y

    with pytest.raises(TypeError, match="array of objects"):
        grad(f)(2.0)


@every_holder
def test_arguments(name):
    """An argument that holds numbers where nobody looks is refused, alone or in a container."""
    hide = HOLDERS[name]
    for differentiate in (
        lambda: grad(lambda d: d["x"])({"x": 1.0, "held": hide(2.0)}),
        lambda: jacobian(lambda d: d["x"])({"x": 1.0, "held": hide(2.0)}),
        lambda: grad(lambda held: 1.0)(hide(2.0)),
        lambda: vjp(lambda held, x: x, hide(2.0), 1.0),
        lambda: vjp(lambda d: d["x"], {"x": 1.0, "held": hide(2.0)}),
        lambda: jvp(lambda held, x: x, (hide(2.0), 1.0), (hide(1.0), 1.0)),
    ):
        with pytest.raises(TypeError, match=name):
            differentiate()


@pytest.mark.parametrize(
    "wrap",
    [
        lambda held: {"layers": [(np.ones(2), np.ones(2)), (np.ones(2), {"held": held})]},
        lambda held: [np.ones(2), Layer(np.ones(2), held)],
        lambda held: functools.partial(Layer(np.ones(2), 1.0).applied, held),
        lambda held: types.MethodType(lambda self: held, 1.5),
        lambda held: [2.0, lambda: held],
    ],
    ids=["containers", "dataclass", "partial", "function of a bound method", "closure"],
)
def test_arguments_with_much_in_the_open(wrap):
    """One hidden number is found wherever it is, and none is where there is a constant in its place."""
    with pytest.raises(TypeError, match="numbers in it are held by a deque"):
        vjp(lambda x: 1.0, wrap(collections.deque([2.0])))
    assert vjp(lambda x: 1.0, wrap("a constant"))[0] == 1.0


def test_constants_that_hold_numbers():
    """Where no derivative is asked for, objects may hold numbers."""
    held = [hide(2.0) for hide in HOLDERS.values()]
    assert grad(lambda x, held: x * x)(1.5, held) == 3.0
    assert grad(lambda x: len(held) * x)(1.5) == len(held)
    assert jvp(lambda held, x: x, (held, 1.5), (NoTangent(), 1.0))[1] == 1.0
    assert grad(Scale(3.0))(1.5) == 3.0
    others = {"names": {"a", "b"}, "rng": np.random.default_rng(0)}
    assert vjp(lambda d: d["x"], {"x": 1.0, **others})[1](1.0)[0]["x"] == 1.0


@primitive
def twice(f, x):
    """A function that calls another one."""
    return f(f(x))


@rrule.dispatch
def twice_rrule(config: ADConfig, c: typeof_(twice), f: object, x: object):
    """Call back for both."""
    y, first = rrule_via_ad(config, f, x)
    z, second = rrule_via_ad(config, f, y)

    def twice_pullback(z_bar):
        f_bar, y_bar = second(z_bar)
        other, x_bar = first(y_bar)
        return NoTangent(), f_bar + other, x_bar

    return z, twice_pullback


def test_rules_that_get_callable_objects():
    """The derivative by the argument is right; that by the object is a sign which says that it is missing."""
    assert grad(lambda x: twice(Scale(3.0), x))(1.5) == 9.0
    scale_bar, x_bar = rrule_via_ad(ADConfig(), Scale(3.0), 1.5)[1](1.0)
    assert x_bar == 3.0
    assert isinstance(scale_bar, NotImplementedTangent)
    with pytest.raises(DerivativeNotImplementedError, match="a Scale, in its attribute 'factor'"):
        float(scale_bar)


def test_closures_over_callable_objects():
    """The cotangent of a closure has the numbers that it sees, and the sign for the objects."""
    scale, offset = Scale(3.0), 1.0
    f_bar, _ = rrule_via_ad(ADConfig(), lambda x: scale(x) + offset, 1.5)[1](1.0)
    assert f_bar.offset == 1.0
    assert isinstance(f_bar.scale, NotImplementedTangent)


@every_holder
def test_stop_gradient(name):
    """`stop_gradient` stops every derivative, or raises an error where it cannot."""
    with pytest.raises(TypeError, match=rf"held by a {name}.*stop_gradient"):
        grad(lambda x: (x, stop_gradient([HOLDERS[name](x)]))[0])(1.5)
    with pytest.raises(TypeError, match=rf"held by a {name}.*stop_gradient"):
        grad(lambda x: (x, stop_gradient((x, HOLDERS[name](x))))[0])(1.5)
    held = HOLDERS[name](1.5)
    assert stop_gradient(held) is held


@every_holder
def test_checkpoint(name):
    """What a checkpointed function sees in such a holder is differentiated, or refused."""

    def f(x):
        held = HOLDERS[name](x * x)
        return checkpoint(lambda z: z * first_of(held))(x)

    try:
        gradient = grad(f)(1.5)
    except TypeError as error:
        assert "would be lost" in str(error)  # noqa: PT017 - either is right
    else:
        assert gradient == pytest.approx(3 * 1.5**2)


def first_of(held):
    """The number in a holder."""
    if isinstance(held, Scale):
        return held.factor
    if hasattr(held, "values"):
        held = held.values()
    first = next(iter(held))
    return first[1] if isinstance(first, tuple) else first


def with_field_beside(x):
    """A dataclass with an attribute that is no field."""
    layer = Layer(1.0, None)
    layer.a = x
    return layer


class Dict(dict):
    """A dict with attributes."""


def with_attribute_of_dict(x):
    """A dict that has it as an attribute."""
    held = Dict(b=1.0)
    held.a = x
    return held


@pytest.mark.parametrize("hide", [with_default, with_attribute, with_field_beside, with_attribute_of_dict])
@pytest.mark.parametrize("differentiate", [lambda f: vjp(f, 1.5), lambda f: jvp(f, (1.5,), (1.0,))])
def test_results_of_checkpoint(hide, differentiate):
    """They are computed untraced: numbers that they hide would be constants."""
    with pytest.raises(TypeError, match=r"returned a .* attribute .* derivative would be lost"):
        differentiate(lambda x: (checkpoint(lambda x: hide(x * x))(x), x)[1])


@every_holder
@pytest.mark.parametrize("differentiate", [grad, value_and_grad])
def test_has_aux(differentiate, name):
    """Beside the value they are refused too: what is traced would come out in them."""
    with pytest.raises(TypeError, match="that is differentiated returned"):
        differentiate(lambda x: (x * x, HOLDERS[name](x)), has_aux=True)(1.5)


@primitive
def in_holder(name, x):
    """A number in a holder."""
    return HOLDERS[name](x)


@rrule.dispatch
def in_holder_rrule(f: typeof_(in_holder), name: str, x: float):
    """Never pulled back."""
    return in_holder(name, x), lambda y_bar: (NoTangent(), NoTangent(), y_bar.factor)


def test_results_of_rules():
    """Of a rule's result the attributes are traced; what else it hides numbers in is refused."""
    assert grad(lambda x: in_holder("Scale", x).factor * x)(1.5) == 3.0
    for name in HOLDERS.keys() - {"Scale", "UserDict", "UserList", "ChainMap"}:
        with pytest.raises(TypeError, match="would be lost"):
            grad(lambda x, name=name: (in_holder(name, x), x)[1])(1.5)


def holding_itself(x):
    """A list that holds a number, and itself."""
    items = [x]
    items.append({"again": items})
    return items


@pytest.mark.parametrize(
    "differentiate",
    [
        lambda: grad(lambda items: items[0])(holding_itself(1.5)),
        lambda: vjp(lambda items: items[0], holding_itself(1.5)),
        lambda: jacobian(lambda items: items[0])(holding_itself(1.5)),
        lambda: vjp(holding_itself, 1.5),
        lambda: jvp(holding_itself, (1.5,), (1.0,)),
        lambda: jacobian(holding_itself)(1.5),
        lambda: value_and_grad(lambda x: (x, holding_itself(x)), has_aux=True)(1.5),
        lambda: grad(lambda x: stop_gradient(holding_itself(x))[0])(1.5),
        lambda: jvp(lambda items: items[0], (holding_itself(1.5),), (holding_itself(1.0),)),
        lambda: grad(lambda x: checkpoint(holding_itself)(x)[0])(1.5),
    ],
)
def test_containers_that_hold_themselves(differentiate):
    """A container that holds itself has no tangent: an error says so."""
    with pytest.raises(TypeError, match=r"A (list|dict) holds itself"):
        differentiate()


def test_containers_that_hold_something_twice():
    """A container may hold one value twice."""
    shared = [1.5, 2.5]
    assert grad(lambda pair: pair[0][0] * pair[1][1])((shared, shared)) == ([2.5, 0.0], [0.0, 1.5])


class Model:
    """An instance of an ordinary class."""

    def __init__(self, x):
        self.x = x


def test_instances_that_are_held_twice():
    """They are refused as arguments, wherever they are; a dataclass is a value, and may be."""
    model = Model(1.5)
    for x in ([model, model], {"a": [model], "b": Layer(model, 1.0)}):
        with pytest.raises(TypeError, match=r"whose `.*` and `.*` are one Model"):
            vjp(lambda x: 1.0, x)
    layer = Layer(1.5, "name")
    assert vjp(lambda x: x[0].weights * x[1].weights, (layer, layer))[0] == 2.25


def test_values_of_an_outer_differentiation():
    """They are constants to the inner one, and may be where nobody looks."""
    assert grad(lambda a: vjp(lambda x: (a * x, collections.deque([a])), 2.0)[1]((1.0, None))[0])(3.0) == 1.0


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), 2, 1j, True, "name", None])
def test_the_short_way(x):
    """Numbers in a container hide nothing, which their classes tell."""
    ran = functions_run_by(lambda: check_nothing_hidden([x, 1.5], ReverseTrace()))
    assert ran["_may_hide"] == 1
