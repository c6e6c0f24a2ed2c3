"""What `grad` refuses: each error says what happened and what to write instead."""

import decimal
import re

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.ad import ADConfig, grad, hessian, jacobian, jvp, value_and_grad, vjp, wirtinger
from chainrules.ad.derivatives.checks import check_made, check_result, checked_places
from chainrules_core import NoTangent, frule_via_ad, rrule_via_ad
from tests.chainrules.ad.agreement import assert_same_numbers
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

X = normal(2)


def identity(x):
    """Return the argument."""
    return x


@pytest.mark.parametrize(
    "x",
    [2, np.int64(2), np.bool_(True), True, np.arange(3), np.array([True]), csr_array(np.eye(2, dtype=int))],
)
def test_integers(x):
    """An integer has no derivative, and is refused."""
    with pytest.raises(TypeError, match=r"identity cannot be differentiated by argument 0, .*Pass a float"):
        grad(identity)(x)


@pytest.mark.parametrize("x", [{"a": 1}, [1, 2], ("name", [np.arange(2)])])
def test_containers_of_integers(x):
    """The error says how the integers become numbers that can be moved."""
    with pytest.raises(TypeError, match=r"holds integers, and no real .* `2\.0` for `2`.*`argnums`"):
        grad(identity)(x)


@pytest.mark.parametrize("x", ["text", None, {"a": "b"}, [True], object(), np.array(["a"])])
def test_arguments_without_numbers(x):
    """An argument without numbers is refused; the error says how to choose another."""
    with pytest.raises(TypeError, match=r"holds no real or complex number\. Choose other .*`argnums`"):
        grad(identity)(x)


class Column:
    """What stands for a series of polars."""

    __slots__ = ()

    def to_numpy(self):
        """The numbers."""
        return np.ones(2)


class Boxed:
    """What stands for an array of xarray: it holds its numbers in an object of its own."""

    def __init__(self):
        self._variable = Column.to_numpy

    def __array__(self, dtype=None, copy=None):
        return np.ones(2)


@pytest.mark.parametrize(
    ("x", "plain"),
    [(Column(), "x.to_numpy()"), (Boxed(), "np.asarray(x)"), (decimal.Decimal(2), "float(x)")],
)
def test_objects_that_give_numbers_away(x, plain):
    """The error says which numbers to write."""
    with pytest.raises(
        TypeError, match=rf"which has no projector: .* Write `{re.escape(plain)}` in its place"
    ):
        grad(identity)(x)


@pytest.mark.parametrize(
    ("argnums", "n_args", "places"),
    [
        (0, 1, (0,)),
        (1, 2, (1,)),
        (-1, 3, (2,)),
        (-3, 3, (0,)),
        (np.int64(1), 2, (1,)),
        ((1,), 2, (1,)),
        ([2, 0], 3, (2, 0)),
        ((0, -1), 3, (0, 2)),
        ((), 1, ()),
    ],
)
def test_places(argnums, n_args, places):
    """They count from 0, or from the end; several are a tuple or a list, in any order."""
    check_made("grad", identity, argnums, {})
    assert checked_places(identity, argnums, n_args) == places


@pytest.mark.parametrize("place", [0, 1])
def test_one_place(place):
    """Nearly always there is one: it costs no more than a look."""
    assert functions_run_by(lambda: checked_places(identity, place, 2)) == {"checked_places": 1}


@pytest.mark.parametrize(
    ("argnums", "n_args", "mend"),
    [
        (1, 1, "counts from 0: the last argument is 0"),
        ((0, 2), 2, "counts from 0: the last argument is 1"),
        (-2, 1, "by position, not by name"),
        (3, 2, "by position, not by name"),
        (0, 0, "by position, not by name"),
    ],
)
def test_arguments_that_are_not_there(argnums, n_args, mend):
    """An argument that is not there is refused, with the number of arguments, and the likely mend."""
    with pytest.raises(
        TypeError, match=rf"was asked for, but it was called with {n_args} positional.*{mend}"
    ):
        checked_places(identity, argnums, n_args)


@pytest.mark.parametrize("argnums", [1.0, None, True, np.bool_(True), X, (0, None), [0, 1.0], [True]])
def test_what_is_no_position(argnums):
    """It is refused: perhaps the argument itself was given."""
    with pytest.raises(TypeError, match=r"grad\(.*identity, \.\.\.\) returns a function.*holds a"):
        check_made("grad", identity, argnums, {})


@pytest.mark.parametrize(
    ("name", "place"), [("x", ": `x` is 0"), ("y", ": `y` is 1"), ("z", "")], ids=["first", "second", "none"]
)
@pytest.mark.parametrize("several", [lambda name: name, lambda name: (name,), lambda name: [0, name]])
def test_names_of_arguments(name, place, several):
    """Arguments are named by position; the error says by which, if the function has an argument so named."""
    with pytest.raises(TypeError, match=rf"which count from 0{place}\.$"):
        check_made("grad", lambda x, y: x, several(name), {})


def test_functions_without_data():
    """A function without data is refused: it holds nothing to differentiate by."""
    with pytest.raises(TypeError, match=r"argument 0, a function, which holds no real or complex number"):
        grad(lambda f, x: f(x))(lambda x: x, 1.0)


def test_empty_containers():
    """Empty containers have empty gradients."""
    assert grad(lambda p: 1.0)([{}, ()]) == [{}, ()]
    assert checked_places(identity, (0, -1), 3) == (0, 2)


def test_functions_are_named():
    """The message says which function it was, if it has a name."""
    with pytest.raises(TypeError, match=r"gradient of .*identity by argument 2"):
        grad(identity, 2)(1.0)


def test_arguments_named_twice():
    """Naming an argument twice is refused: one of the two gradients would be wrong."""
    with pytest.raises(TypeError, match=r"argnums=\(0, -2\) names an argument .* twice"):
        grad(lambda x, y: x, (0, -2))(1.0, 2.0)


def test_results_with_axes():
    """A result with axes is refused: a gradient belongs to one number."""
    with pytest.raises(
        TypeError, match=r"identity needs one number .* not an array of shape \(3,\)\. Sum it"
    ):
        grad(identity)(normal(3))


def test_complex_results():
    """A complex result is refused: a gradient belongs to a real number."""
    with pytest.raises(TypeError, match=r"real result, and this one is complex.*np\.real"):
        grad(identity)(1j)


@pytest.mark.parametrize("y", ["text", [1.0], (1.0, 2.0), {}])
def test_results_that_are_no_number(y):
    """A result beside the number is refused without `has_aux`."""
    with pytest.raises(TypeError, match=r"needs a number as its result, not a .*has_aux=True"):
        grad(lambda x: y)(1.0)


@pytest.mark.parametrize(
    ("y", "message"),
    [(np.array([None]), "array of shape"), (np.array(1.0, object), "array of objects"), (None, "forgotten")],
    ids=["array", "objects", "None"],
)
def test_other_results(y, message):
    """The error says which kind of result it is."""
    with pytest.raises(TypeError, match=rf"needs .*number as its result.*{message}"):
        grad(lambda x: y)(1.0)


class Lazy:
    """What stands for an array of Dask, which need not be installed."""

    dtype = np.dtype(float)

    def __init__(self, shape):
        self.shape = shape


Lazy.__module__, Lazy.__qualname__ = "dask.array.core", "Array"


def test_lazy_results():
    """They are judged by their shapes, and not computed."""
    check_result(identity, Lazy(()))
    with pytest.raises(TypeError, match=r"not an array of shape \(3,\)\. Sum it"):
        check_result(identity, Lazy((3,)))


@pytest.mark.parametrize(
    ("y", "message"), [(None, r"not a NoneType\. Was `return` forgotten"), ("text", r"not a str\.$")]
)
def test_jacobians_of_what_has_none(y, message):
    """They are refused; those of integers are zero, and those of nothing are nothing."""
    with pytest.raises(TypeError, match=rf"needs a number or array as its result, {message}"):
        jacobian(lambda x: y)(1.0)

    assert isinstance(jacobian(lambda x: 2)(1.0), NoTangent)
    assert jacobian(lambda x: ())(1.0) == ()
    assert jacobian(lambda x: ("text", x))(1.0)[1] == 1.0


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.float32(1.5), np.array(1.5)])
def test_jacobians_by_numbers_of_every_class(x):
    """They are dense, whatever the class."""
    assert jacobian(identity)(x) == 1.0


@pytest.mark.parametrize("y", [1.0, (1.0,), [1.0, 2.0], (1.0, 2.0, 3.0)])
@pytest.mark.parametrize(
    "differentiate",
    [
        lambda f: value_and_grad(f, has_aux=True)(1.0),
        lambda f: grad(f, has_aux=True)(1.0),
        lambda f: vjp(f, 1.0, has_aux=True),
        lambda f: jvp(f, (1.0,), (1.0,), has_aux=True),
        lambda f: jacobian(f, has_aux=True)(1.0),
    ],
)
def test_results_that_are_no_pair(differentiate, y):
    """With `has_aux`, a result that is no pair is refused, traced or not."""
    with pytest.raises(TypeError, match=r"has_aux=True .* has to return a pair, .* not a (float|tuple|list)"):
        differentiate(lambda x: y)
    with pytest.raises(TypeError, match=r"has to return a pair, .* not a float"):
        differentiate(lambda x: 2 * x)


def test_what_vjp_returns_beside_a_result():
    """What is returned beside the result is plain, belongs to the caller, and has no cotangent."""

    def f(x):
        y = np.exp(x)
        return {"y": y}, [y, "name"]

    y, pullback, aux = vjp(f, np.zeros(2), has_aux=True)
    assert type(aux[0]) is np.ndarray
    assert aux[1] == "name"
    aux[0][:] = 7.0
    assert_same_numbers(y, {"y": np.ones(2)})
    assert_same_numbers(pullback({"y": np.ones(2)}), (np.ones(2),))

    # In a differentiation outside, both have derivatives.
    def product(x):
        _, pullback, aux = vjp(lambda z: (z * x, x**3), x, has_aux=True)
        return pullback(1.0)[0] * aux

    assert grad(product)(2.0) == 4 * 2.0**3


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_what_jacobian_returns_beside_a_result(mode):
    """What is returned beside the result is plain, that of the first call, and has no derivatives."""
    calls = []

    def f(x):
        calls.append(None)
        return x**2, {"x": x, "call": len(calls)}

    columns, aux = jacobian(f, mode=mode, has_aux=True)(normal(3))
    assert type(aux["x"]) is np.ndarray
    assert aux["call"] == 1
    assert_same_numbers(columns, np.diag(2 * normal(3)))

    columns, aux = hessian(lambda x: (np.sum(x**3), x[0]), has_aux=True)(normal(3))
    assert_same_numbers([columns, aux], [np.diag(6 * normal(3)), normal(3)[0]])

    gradient, aux = grad(lambda x: (np.sum(x**2), [x]), has_aux=True)(normal(3))
    assert type(aux[0]) is np.ndarray
    assert_same_numbers(gradient, 2 * normal(3))


def test_integer_results_are_constants():
    """A result that is an integer, or has no axes, is a number."""
    assert grad(lambda x: 3)(1.0) == 0.0
    assert grad(lambda x: np.sum(x).reshape(()))(normal(2)).tolist() == [1.0, 1.0]


class Holder:
    """An object that nobody looks into, since nobody makes another one in its place."""

    def __init__(self, x):
        self.x = x

    def __del__(self):
        """Be told when it goes."""


@pytest.mark.parametrize("hide", [Holder, lambda x: [2.0, {"a": Holder(x)}]])
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
def test_objects_that_hide_traced_values(hide, differentiate):
    """A result that hides traced values is refused; it may hold constants."""
    with pytest.raises(TypeError, match=r"returned a Holder, whose attribute 'x' depends on .*dataclass"):
        differentiate(lambda x: hide(2.0 * x))

    differentiate(lambda x: (x, hide(2.0)))
    assert grad(lambda a: vjp(lambda x: (a * x, Holder(a)), 2.0)[1]((1.0, None))[0])(3.0) == 1.0


def test_arguments_of_functions_without_a_signature():
    """An argument by its name is refused without saying which one it is."""
    with pytest.raises(TypeError, match=r"which count from 0\.$"):
        grad(max, argnums="x")


NUMBERS = [1.5, np.float64(1.5), np.float16(1.5), np.array(1.5), 1.5 + 1j, np.complex64(1.5j), np.array(1.5j)]


@pytest.mark.parametrize("y", NUMBERS, ids=lambda y: type(y).__name__)
def test_numbers_of_every_class(y):
    """Whatever the class of a number, it is one: for `grad` if it is real, for `wirtinger` if it is complex.

    The rows of a Jacobian are for numbers of every class.
    """
    assert jacobian(lambda x: (x, y))(1.0)[1] == 0.0
    if np.iscomplexobj(y):
        assert wirtinger(lambda z: z, y) == (1.0, 0.0)
        with pytest.raises(TypeError, match="real result"):
            grad(lambda x: y)(1.0)
    else:
        assert grad(lambda x: y)(1.0) == 0.0
        with pytest.raises(
            TypeError, match=r"wirtinger\(.*, z\): z is a .* and not a complex number or array"
        ):
            wirtinger(lambda z: z, y)


@pytest.mark.parametrize("z", ["text", [1j], None])
def test_what_is_no_number(z):
    """`wirtinger` refuses it as it does a real number."""
    with pytest.raises(TypeError, match=r"z is a .* and not a complex number or array"):
        wirtinger(lambda z: z, z)
