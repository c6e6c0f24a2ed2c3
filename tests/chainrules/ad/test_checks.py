"""What `grad` refuses: each error says what happened and what to write instead."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.ad import ADConfig, grad, jacobian, jvp, value_and_grad, vjp, wirtinger
from chainrules.ad.checks import checked_places
from chainrules_core import NoTangent, frule_via_ad, rrule_via_ad
from tests.chainrules.rule_checks import normal


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


@pytest.mark.parametrize("x", ["text", None, {"a": 1}, [1, 2], object(), np.array(["a"])])
def test_arguments_without_numbers(x):
    """An argument without numbers is refused; the error says how to choose another."""
    with pytest.raises(TypeError, match=r"holds no real or complex number\. Choose other .*`argnums`"):
        grad(identity)(x)


@pytest.mark.parametrize("argnums", [1, -2, (0, 1)])
def test_arguments_that_are_not_there(argnums):
    """An argument that is not there is refused, with the number of arguments."""
    with pytest.raises(TypeError, match=r"argument .* was asked for, but it was called with 1 positional"):
        grad(identity, argnums)(1.0)


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


@pytest.mark.parametrize("y", [1.0, (1.0,), [1.0, 2.0]])
def test_results_that_are_no_pair(y):
    """With `has_aux`, a result that is no pair is refused."""
    with pytest.raises(TypeError, match=r"has_aux=True .* has to return a pair"):
        value_and_grad(lambda x: y, has_aux=True)(1.0)


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
