"""The traced value as an object: what it shows, copies, and what it is not taken for."""

import copy
import pickle

import numpy as np
import pytest

from chainrules.ad import TracedValue, grad, interception, jvp, vjp
from chainrules_core import primal_of
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal


def test_representation_counts_the_nesting():
    """A level says by how many differentiations a value is traced, not how many there have been."""
    shown = []

    def f(x):
        shown.append(repr(x))
        return jvp(lambda y: shown.append(repr(y)) or y, (x,), (1.0,))[1]

    grad(f)(1.5)
    grad(f)(1.5)

    assert shown[0] == "TracedValue(1.5, reverse, level 1)"
    assert shown[1] == f"TracedValue({shown[0]}, forward, level 2)"
    assert shown[2:] == shown[:2]


def test_representation_of_a_value_that_outlives_its_differentiation():
    """It says that the differentiation has ended."""
    kept = []
    grad(lambda x: kept.append(x) or x)(1.5)

    assert repr(kept[0]) == "TracedValue(1.5, ended, level 1)"


def test_formats():
    """A value can be printed with a format while it is traced."""
    assert while_traced(1.2345, lambda x: f"{x:.2f} and {x!r}").startswith("1.23 and TracedValue(1.2345")
    assert while_traced(1.5, lambda x: f"{x}").startswith("TracedValue(1.5")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: copy.deepcopy({"a": [x]})["a"][0]])
def test_copies_keep_their_derivative(duplicate):
    """Nothing writes into a traced value, so that it is its own copy; in both modes."""
    x = normal(3)

    assert grad(lambda x: np.sum(duplicate(x) * x))(x).tolist() == (2 * x).tolist()
    assert jvp(lambda x: duplicate(x) * x, (3.0,), (1.0,)) == (9.0, 6.0)
    assert grad(lambda x: grad(lambda y: duplicate(y) * duplicate(x) ** 2)(x))(3.0) == 6.0


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_is_refused(protocol):
    """Pickling would lose the derivative, and is refused."""
    with pytest.raises(TypeError, match=r"pickled, which would lose its derivative.*primal_of"):
        while_traced(1.5, lambda x: pickle.dumps([x], protocol))


def test_class_is_exported():
    """It is there for `isinstance`; a traced array is a `numpy.ndarray` for intercepted calls alone."""
    x = normal(2)

    assert while_traced(x, lambda x: isinstance(x, TracedValue))
    assert while_traced(x, lambda x: isinstance(x, np.ndarray))
    with interception(False):
        assert while_traced(x, lambda x: isinstance(x, TracedValue))
        assert not while_traced(x, lambda x: isinstance(x, np.ndarray))


def test_public_names_are_those_of_arrays():
    """A traced object's own attributes are all that programs can ask for, so the class adds no names."""
    names = {name for name in dir(TracedValue) if not name.startswith("_")}

    assert names <= set(dir(np.ndarray)) | {"as_integer_ratio", "hex"}  # of numbers


def test_attributes_cannot_be_assigned():
    """An array's shape or elements are not changed in place."""

    def assign(x):
        x.shape = (2, 1)

    def assign_to_object(x):
        x.anything = 1.0

    with pytest.raises(AttributeError, match=r"Write `x = x\.reshape\(\(2, 1\)\)`"):
        vjp(assign, normal(2))
    with pytest.raises(AttributeError):
        vjp(assign_to_object, normal(2))


def test_attributes_of_objects():
    """They and their methods are traced; what an object has not is an error that names its class."""
    D = Diagonal(normal(2))

    def f(D):
        with pytest.raises(AttributeError, match="a traced Diagonal has no attribute 'nothing'"):
            D.nothing  # noqa: B018 - what is tested
        for name in ("__nothing__", "__enter__", "__array_interface__"):
            assert not hasattr(D, name)
        assert D.shape == (2, 2)
        return np.sum(D.diag * D.diag) + np.sum(D.conj().diag)

    with interception(False):
        np.testing.assert_allclose(grad(f)(D).diag, 2.0 * D.diag + 1.0)
    np.testing.assert_allclose(grad(f)(D).diag, 2.0 * D.diag + 1.0)


def test_primal_of_gives_the_plain_value():
    """`primal_of` gives the plain value where nothing is to be differentiated."""
    assert while_traced(1.5, lambda x: float(primal_of(x))) == 1.5
    assert grad(lambda x: x * primal_of(x))(3.0) == 3.0
