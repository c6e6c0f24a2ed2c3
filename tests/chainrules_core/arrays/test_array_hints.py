"""Hints on element type and rank: what they match, how they are ordered, what plum makes of them."""

import pickle
import warnings
from typing import Any, TypeVar, Union

import numpy as np
import numpy.typing as npt
import plum
import pytest
import scipy.sparse

from chainrules_core import (
    AbstractArray,
    Array,
    ComplexArray,
    Matrix,
    NoTangent,
    RealArray,
    Vector,
    rrule,
    typeof_,
)
from chainrules_core.arrays.array_hints import hint_of_numpy


def dispatching(*hints):
    """A plum function that says which of these hints was the most specific one."""

    def chosen(x):
        raise NotImplementedError

    function = plum.Function(chosen)
    for hint in hints:
        function.dispatch(_naming(hint))
    return function


def _naming(hint):
    def method(x):
        return hint

    method.__annotations__["x"] = hint
    return method


@pytest.mark.parametrize(
    ("x", "hint", "expected"),
    [
        (np.ones(3), Array[np.floating], True),
        (np.ones(3), Array[np.float64, 1], True),
        (np.ones(3), Array[np.float64, 2], False),
        (np.ones(3), Array[np.float32], False),
        (np.ones(3, "f4"), Array[np.float32], True),
        (np.ones(3, complex), Array[np.floating], False),
        (np.ones(3, complex), Array[np.inexact], True),
        (np.ones(3, complex), ComplexArray, True),
        (np.ones(3, complex), RealArray, False),
        (np.ones(3, bool), RealArray, True),
        (np.ones(3, int), RealArray[1], True),
        (np.ones(3, int), RealArray[2], False),
        (np.array("a"), RealArray, False),
        (np.ones(()), Array[Any, 0], True),
        (np.ones((2, 2)), Matrix, True),
        (np.ones((2, 2)), Vector, False),
        (np.ones(2, "c8"), Vector[np.complexfloating], True),
        (np.ones(2), Vector[np.complexfloating], False),
        (np.ones(2, int), Array[np.float64 | np.int64], True),
        (np.ones(2, int), Array[Union[np.float64, np.int32]], False),  # noqa: UP007 # it is a spelling too
        (np.ma.ones(2), Vector[np.float64], True),
        ([1.0], Vector, False),
        (np.float64(1), Array[np.float64, 0], False),
        (scipy.sparse.csr_array((2, 2)), Matrix, False),
    ],
)
def test_hints_look_at_the_element_type_and_the_rank(x, hint, expected):
    """An array, of a subclass too, is an instance of a hint if its element type and its rank fit."""
    assert isinstance(x, hint) is expected


def test_hints_are_cached_classes_derived_from_ndarray():
    """The same parameters give the same class, however they are spelled."""
    assert Array[np.floating, 2] is Array[np.floating, 2]
    assert Array[float] is Array[np.float64] is Array[np.dtype(float)]
    assert Array[complex, 1] is Vector[complex] is Vector[np.complex128]
    assert Array[np.integer | np.floating] is Array[np.floating | np.integer]
    assert Array[Any, 1] is Vector
    assert Array[Any] is Array
    assert RealArray[2] is Matrix[np.bool_ | np.integer | np.floating]
    assert np.ndarray in Array[np.floating, 2].__mro__


CHAIN = [
    Array[np.float64, 2],
    Array[np.floating, 2],
    Array[np.floating],
    Array[np.inexact],
    np.ndarray,
    AbstractArray,
    object,
]


@pytest.mark.parametrize("narrow", range(len(CHAIN)))
@pytest.mark.parametrize("wide", range(len(CHAIN)))
def test_hints_are_ordered(narrow, wide):
    """One is a subclass of another if all of its arrays are the other's."""
    assert issubclass(CHAIN[narrow], CHAIN[wide]) is (narrow <= wide)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (Array[np.floating], Array[Any, 2]),
        (Vector, Matrix),
        (RealArray, ComplexArray),
        (Array[np.float32], Array[np.float64]),
    ],
)
def test_other_hints_are_not_ordered(narrow, wide):
    """Of two hints that overlap neither is a subclass of the other."""
    assert not issubclass(narrow, wide)
    assert not issubclass(wide, narrow)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (np.ones((2, 2)), 0),
        (np.ones((2, 2), np.float32), 1),
        (np.ones(3, np.float32), 2),
        (np.ones(3, complex), 3),
        (np.ones((2, 2), int), 4),
        (np.ma.ones((2, 2)), 0),
        (np.ma.ones(2, int), 4),
        (scipy.sparse.csr_array((2, 2)), 5),
        (1.0, 6),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_plum_chooses_the_most_specific_hint(x, expected, order):
    """Whatever the order in which the methods were added, and again when it is asked a second time."""
    function = dispatching(*CHAIN[::order])

    assert function(x) is CHAIN[expected]
    assert function(x) is CHAIN[expected]


def test_plum_chooses_for_a_matrix():
    """An `np.matrix` is an array of rank two."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix([[1.0]])

    assert dispatching(Array[np.floating, 1], Array[np.floating, 2])(matrix) is Array[np.floating, 2]


def test_what_plum_chooses_depends_on_the_value_not_the_class():
    """Two arrays are of one class: plum must not take the one for the other."""
    function = dispatching(Vector, Matrix)

    for _ in range(2):
        assert function(np.ones(2)) is Vector
        assert function(np.ones((2, 2))) is Matrix


def test_hints_say_on_what_they_depend():
    """They are unfaithful; the marker says what a cache has to look at besides the class."""
    assert not plum.is_faithful(Array[np.floating, 2])
    assert Array[np.floating, 2].depends_only_on_dtype_and_ndim
    assert plum.is_faithful(Array)
    assert dispatching(Array)(np.ones(2)) is Array


def test_names():
    """A hint has the name that one writes for it."""
    assert Array[np.floating, 2].__name__ == "Array[floating, 2]"
    assert Matrix.__qualname__ == "Array[Any, 2]"
    assert Array[np.float32].__name__ == "Array[float32]"
    assert Array[np.float32 | np.complex64, 1].__name__ == "Array[float32 | complex64, 1]"


@pytest.mark.parametrize(
    "hint", [Array, Vector, RealArray, Array[np.floating, 2], Array[np.float32 | np.int8]]
)
def test_hints_are_pickled(hint):
    """A hint is unpickled as the same class."""
    assert pickle.loads(pickle.dumps(hint)) is hint


@pytest.mark.parametrize("hint", [Array, Vector, Array[np.floating, 2]])
def test_hints_have_no_instances(hint):
    """The error says what to make instead."""
    with pytest.raises(TypeError, match=r"no instances; make a np\.ndarray"):
        hint((2, 2))
    with pytest.raises(TypeError, match="cannot be viewed"):
        np.ones((2, 2)).view(hint)


@pytest.mark.parametrize(
    "parameters",
    [
        (),
        2,
        "float",
        ("float", 2),
        (np.floating, -1),
        (np.floating, 1.0),
        (np.floating, True),
        (np.floating, 2, 3),
        object,
        str,
        np.ones(2),
        (Any, None),
    ],
)
def test_parameters_are_checked(parameters):
    """Parameters other than an element type and a rank, in this order, are refused."""
    with pytest.raises(TypeError, match="Array"):
        Array[parameters]


@pytest.mark.parametrize(
    ("hint", "parameters"),
    [
        (Vector, (np.floating, 1)),
        (RealArray, (np.floating, 1)),
        (RealArray, np.floating),
        (Array[np.floating, 2], 2),
        (Vector, 1),
    ],
)
def test_parameters_are_given_once(hint, parameters):
    """A parameter that a hint has already cannot be given again."""
    with pytest.raises(TypeError, match="Array"):
        hint[parameters]


T = TypeVar("T", bound=np.floating[Any])
K = TypeVar("K", np.float32, np.float64)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (npt.NDArray[np.float64], Array[np.float64]),
        (npt.NDArray[np.floating[Any]], Array[np.floating]),
        (npt.NDArray[np.float32 | np.float64], Array[np.float32 | np.float64]),
        (npt.NDArray[T], Array[np.floating]),
        (npt.NDArray[K], Array[np.float32 | np.float64]),
        (npt.NDArray[Any], np.ndarray),
        (npt.NDArray, np.ndarray),
        (np.ndarray[Any, Any], np.ndarray),
        (np.ndarray[tuple[int, ...], np.dtype[np.complex128]], Array[np.complex128]),
        (np.ndarray[tuple[int], np.dtype[np.float64]], Vector[np.float64]),
        (np.ndarray[tuple[int, int], Any], Matrix),
        (np.ndarray[tuple[()], np.dtype[Any]], Array[Any, 0]),
    ],
)
def test_hints_of_numpy(written, meant):
    """A rule may be annotated as type checkers want it: it is for the arrays that the hint describes."""

    def primal(x):
        return x

    def rule(f: typeof_(primal), x):
        return x, lambda y_bar: (NoTangent(), y_bar)

    rule.__annotations__["x"] = written
    rrule.dispatch(rule)

    (method,) = rrule.methods(primal)
    assert method.hints[1] == meant
    for x in (np.ones(2), np.ones((2, 2), np.float32), np.array(1.0), np.ones(2, complex)):
        assert (rrule(primal, x) is not None) == isinstance(x, meant)


def test_other_hints_of_numpy():
    """What no hint of ours describes is left to plum, which says what it thinks of it."""
    other = np.ndarray[Any, np.dtype[str]]
    assert hint_of_numpy(other) == other
