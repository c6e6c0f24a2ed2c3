"""What a differentiation makes of the results of operations."""

import collections
import itertools

import numpy as np
import pytest

from chainrules.ad import TracedValue, call, grad, jvp, value_and_grad
from chainrules.ad.calls.results import traced_result
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules_core import (
    NoTangent,
    Tangent,
    ZeroTangent,
    frule,
    non_differentiable,
    primitive,
    rrule,
    thunk,
    typeof_,
    unthunk,
)
from tests.chainrules.ad.every_mode import EVERY_MODE, MODES, by_jvp
from tests.chainrules.ad.ruled_structures import Pair, Parts, keys_of, several_results
from tests.chainrules.rule_checks import normal

pairs = pytest.mark.parametrize(("D", "E"), list(itertools.product(EVERY_MODE, EVERY_MODE)))


def counted(x):
    """A function of Python that says that it has no derivative, which its body has."""
    return 5.0 * x


non_differentiable(counted)


@pairs
def test_functions_declared_to_have_no_derivative(D, E):
    """They have no derivative by an outer variable either."""
    count = primitive(counted)

    assert D(lambda x: E(lambda y: y * count(x * y))(x))(3.0) == 0.0


@primitive
def parts(x):
    """Numbers and others in containers."""
    return {"square": x * x, "both": (x, 3, [2.0 * x])}


@frule.dispatch
def parts_frule(tangents, f: typeof_(parts), x: float):
    """Have thunks and zeros among the tangents."""
    x_dot = tangents[1]
    both_dot = Tangent[tuple](ZeroTangent(), NoTangent(), thunk(lambda: Tangent[list](2.0 * x_dot)))
    return parts(x), thunk(lambda: Tangent[dict]({"square": thunk(lambda: 2 * x * x_dot), "both": both_dot}))


@rrule.dispatch
def parts_rrule(f: typeof_(parts), x: float):
    """Likewise backwards."""

    def parts_pullback(y_bar):
        return NoTangent(), 2 * x * y_bar["square"] + 2.0 * unthunk_item(y_bar["both"])

    return parts(x), parts_pullback


def unthunk_item(both_bar):
    """The cotangent of the item in the list."""
    return both_bar if isinstance(both_bar, ZeroTangent) else both_bar[2][0]


@pytest.mark.parametrize("D", MODES)
def test_several_results(D):
    """Each part is traced in its place; what the rule says does not move is a constant."""
    assert D(lambda x: parts(x)["square"])(3.0) == 6.0
    assert D(lambda x: parts(x)["both"][2][0])(3.0) == 2.0
    assert D(lambda x: parts(x)["both"][1] * parts(x)["square"])(3.0) == 18.0
    assert D(lambda x: parts(x)["both"][0] + x)(3.0) == 1.0


def test_constants_are_plain_values_in_both_modes():
    """What does not depend on an argument, and has no derivative, is not traced."""
    seen = []

    def f(x):
        seen.append((np.argmax(x), np.shape(x), np.iscomplex(x), x > 0, np.floor(x)))
        return np.sum(x)

    grad(f)(normal(3))
    jvp(f, (normal(3),), (normal(3),))

    for backwards, forwards in zip(*seen, strict=True):
        assert type(backwards) is type(forwards)
        assert isinstance(backwards, np.integer | tuple | np.ndarray)


@pytest.mark.parametrize("D", [grad, by_jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.array([1.0, 2.0], dtype=object) * x),
        lambda x: np.sum(x * np.array([1.0, 2.0], dtype=object)),
        lambda x: np.sum(np.where([True, False], x, np.array([1.0, 2.0], dtype=object))),
        lambda x: np.sum((x * np.ones(2)).astype(object)),
        lambda x: np.sum(np.array([x, None], like=x)[:1]),
    ],
)
def test_arrays_of_objects_are_refused(f, D):
    """The derivative would be lost in one."""
    with pytest.raises(TypeError, match=r"its result is an array of objects.*`a.astype\(float\)`"):
        D(f)(2.0)


@pytest.mark.parametrize("D", MODES)
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.full(2, x, dtype=_RECORD)["a"][0],
        lambda x: (x * np.ones(2)).astype(_RECORD)["a"][0],
    ],
)
def test_arrays_of_records_are_refused(f, D):
    """It would be lost in the fields, too."""
    with pytest.raises(TypeError, match=r"its result is an array of records.*an array for each field"):
        D(f)(2.0)
    with pytest.raises(TypeError, match="array of records"):
        grad(lambda x: np.array([(x, 1.0)], dtype=_RECORD)["a"][0])(2.0)


@pytest.mark.parametrize("D", MODES)
@pytest.mark.parametrize("dtype", ["V8", "bfloat16"])
def test_numbers_of_other_dtypes_are_refused(dtype, D):
    """To NumPy those of bfloat16 are bytes: the gradient was zero."""
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    for f in (
        lambda x: (x * np.ones(2)).astype(dtype),
        lambda x: np.full(2, x, dtype),
        lambda x: x.astype(dtype),
    ):
        with pytest.raises(TypeError, match=r"result is an array of \w+, which rules do not know.*float32"):
            D(f)(np.float64(2.0))


_RECORD = [("a", float), ("b", float)]


@pytest.mark.parametrize("D", MODES)
@pytest.mark.parametrize("results", [lambda x: iter([x, x]), lambda x: {x}], ids=["an iterator", "a set"])
def test_results_in_which_the_derivative_would_be_lost(results, D):
    """They are refused by their class, whether or not it is known where they hold numbers."""

    @primitive
    def hiding(x):
        return results(x)

    @frule.dispatch
    def hiding_frule(tangents, f: typeof_(hiding), x: float):
        return results(x), 1.0

    @rrule.dispatch
    def hiding_rrule(f: typeof_(hiding), x: float):
        return results(x), lambda y_bar: (NoTangent(), 1.0)

    with pytest.raises(
        TypeError, match=r"hiding was called with a traced value, and its result is a (list_it|set)"
    ):
        D(lambda x: next(iter(hiding(x))))(3.0)


# --- Instances of ordinary classes ---------------------------------------------------------------------


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


@pytest.mark.parametrize("rules", [rrule, frule, None])
@pytest.mark.parametrize("by_method", [True, False])
def test_one_rule_is_enough(rules, by_method):
    """In whatever mode, for calls of the instances or of a method; without any, attributes are traced."""

    class Own:
        def __init__(self, x):
            self.x = x

        def scaled(self): ...

    callee = typeof_(Own.scaled) if by_method else Own

    def own_rrule(f: callee, *xs: object): ...

    def own_frule(tangents: object, f: callee, *xs: object): ...

    if rules is not None:
        rules.dispatch(own_rrule if rules is rrule else own_frule)
    traced = traced_result(Own, Own(1.5), input_node(), ReverseTrace())

    assert isinstance(traced, TracedValue if rules is not None else Own)


@pytest.mark.parametrize("make", [lambda: iter([1.0]), lambda: collections.deque([1.0]), lambda: {1.0}])
def test_results_that_hide_numbers(make):
    """An iterator or a container that cannot be taken apart is refused; without numbers it is a constant."""
    with pytest.raises(TypeError, match="in which the derivative would be lost"):
        traced_result(sorted, make(), input_node(), ReverseTrace())
    empty = collections.deque(["name"])
    assert traced_result(sorted, empty, input_node(), ReverseTrace()) is empty


@pytest.mark.parametrize(
    ("make", "cls"),
    [
        (lambda a, b: (a, b), tuple),
        (lambda a, b: [a, b], list),
        (lambda a, b: {"whole": a, "rest": b}, dict),
        (Parts, Parts),
        (Pair, Pair),
    ],
)
def test_containers_of_results(make, cls):
    """Each part of a result is traced, in the container that it came in; unused ones have zero cotangents."""
    split = several_results(make, cls)

    def part(y, i):
        key = keys_of(cls)[i]
        return getattr(y, key) if cls in (Parts, Pair) else y[key]

    assert grad(lambda x: part(split(x), 0))(2.0) == 3.0
    assert grad(lambda x: part(split(x), 1))(2.0) == 4.0
    assert grad(lambda x: part(split(x), 0) * part(split(x), 1))(2.0) == pytest.approx(9 * 2.0**2)
    assert grad(lambda x: type(split(x)) is cls and x)(2.0) == 1.0


def test_results_without_derivatives_are_ordinary_values():
    """Integers and booleans can be used as indices and in branches."""

    @primitive
    def with_count(x):
        return x.sum(), len(x), True

    @rrule.dispatch
    def with_count_rrule(f: typeof_(with_count), x: np.ndarray):
        return with_count(x), lambda y_bar: (NoTangent(), np.full_like(x, unthunk(y_bar[0])))

    def f(x):
        total, n, flag = with_count(x)
        assert type(n) is int
        return total / n if flag else total

    np.testing.assert_allclose(grad(f)(normal(4)), np.full(4, 0.25))


def test_opaque_results_are_traced_as_a_whole():
    """An object that cannot be taken apart stays one; its fields keep their derivatives."""

    class Opaque:
        def __init__(self, x):
            self.x = x

        def __del__(self): ...  # nobody makes another one in its place

    @primitive
    def make(x):
        return Opaque(x)

    @rrule.dispatch
    def make_rrule(f: typeof_(make), x: float):
        return Opaque(x), lambda y_bar: (NoTangent(), 5.0 * unthunk(y_bar).x)

    def f(x):
        made = make(x)
        assert isinstance(made, TracedValue)
        return made.x * made.x + made.x

    assert grad(f)(3.0) == 5.0 * 7.0
    with pytest.raises(TypeError, match="needs a number as its result, not a Opaque"):
        grad(make)(3.0)


def test_dicts_with_integer_keys():
    """The keys of a dict are no positions."""

    @primitive
    def split(x):
        return {7: 3.0 * x, 9: x * x}

    @rrule.dispatch
    def split_rrule(f: typeof_(split), x: float):
        def split_pullback(y_bar):
            assert set(y_bar.keys()) <= {7, 9}
            return NoTangent(), 3.0 * unthunk(y_bar[7]) + 2.0 * x * unthunk(y_bar[9])

        return {7: 3.0 * x, 9: x * x}, split_pullback

    assert grad(lambda x: split(x)[9])(2.0) == 4.0


def test_hidden_traced_values_are_refused():
    """A rule that meets a traced value which it was not given would lose the derivative by it."""

    class Holder:
        def __init__(self, a):
            self.a = a

        def __del__(self): ...  # nobody makes another one in its place

    @primitive
    def product(holder, x):
        return holder.a * x

    @rrule.dispatch
    def product_rrule(f: typeof_(product), holder: object, x: float):
        return holder.a * x, lambda y_bar: (NoTangent(), ZeroTangent(), holder.a * y_bar)

    assert grad(lambda x: product(Holder(3.0), x))(2.0) == 3.0
    with pytest.raises(TypeError, match="a traced value that was not among its arguments"):
        grad(lambda x: product(Holder(x), x))(2.0)


@pytest.mark.parametrize("differentiate", [grad, value_and_grad])
def test_aux_hides_nothing(differentiate):
    """Where nobody looks for them, traced values would come out."""
    with pytest.raises(TypeError, match="returned a deque, an item of which depends"):
        differentiate(lambda x: (x * x, collections.deque([3.0 * x])), has_aux=True)(2.0)
