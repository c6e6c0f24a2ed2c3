"""Functions that write into plain arrays tell of it, and do what they do."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.plain_writes import overwrites, writing, written_into
from chainrules.ad.values.facts import FACTS

X = np.ones(3)

WRITERS = [f for f, known in FACTS.items() if known.writer]
WRITING_METHODS = [
    f for f, known in FACTS.items() if known.writes == 0 and getattr(f, "__objclass__", None) is np.ndarray
]


def test_arguments_reach_the_function():
    """By position and by keyword; the function keeps its name."""
    copy = writing(np.copyto, 0)
    target = np.zeros(2)

    copy(target, [1.0, 2.0])
    np.testing.assert_array_equal(target, [1.0, 2.0])
    copy(dst=target, src=3.0)
    np.testing.assert_array_equal(target, [3.0, 3.0])
    assert copy.__name__ == "copyto"


def test_all_writers_are_chosen_so():
    """What intercepted code calls in the place of NumPy's functions that write is another function."""
    assert all(choose(f) is not f for f in WRITERS)


def test_what_is_given_as_out_is_handed_on():
    """Whatever it is."""
    x = np.zeros(2)
    for out in (x, (x, None), None):
        assert written_into(out) is out


@pytest.mark.parametrize(
    "write",
    [
        lambda a: np.copyto(a, 2.0),
        lambda a: np.copyto(dst=a, src=2.0),
        lambda a: np.put(a, [0], 1.0),
        lambda a: np.ones(3).sum(0, None, a[:1].reshape(())),
        lambda a: np.ones((2, 3)).mean(0, None, a),
        lambda a: np.arange(5.0).take(np.arange(3), None, a),
        lambda a: np.eye(3).dot(np.full(3, 2.0), a),
        lambda a: np.arange(5.0).clip(0, 1)[:3].clip(2, 3, a),
        lambda a: np.random.default_rng(0).random(None, float, a),
        lambda a: np.random.default_rng(0).standard_normal(None, float, a),
        lambda a: np.random.default_rng(0).standard_exponential(None, float, "zig", a),
        lambda a: np.random.default_rng(0).standard_gamma(2.0, None, float, a),
    ],
)
def test_functions_and_methods_that_write_into_an_argument(write):
    """They tell of it, by position and by keyword; methods of other arrays of `out`, by its position."""
    buffer = np.full(3, 7.0)

    def program(x):
        y = x * buffer
        write(buffer)
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(3))


@pytest.mark.parametrize("name", sorted(method.__name__ for method in WRITING_METHODS))
def test_methods_that_write(name):
    """Each is told of, and NumPy has each."""
    arguments = {
        "byteswap": (True,),
        "fill": (2.0,),
        "partition": (1,),
        "put": ([0], 2.0),
        "resize": ((3,),),
        "setfield": (1.0, float),
        "sort": (),
        "__setitem__": (0, 2.0),
        "__imatmul__": (np.eye(3),),
    }
    is_of_bits = name in {"__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"}
    buffer = np.ones(3, int if is_of_bits else float)

    def program(x):
        y = x * buffer
        getattr(buffer, name)(*arguments.get(name, (2,)))
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(3))


def test_out_in_a_tuple_is_seen_part_by_part():
    """As functions with several results take it."""
    whole, rest = np.ones(2), np.ones(2)

    def program(x):
        y = x * whole
        np.modf(np.full(2, 1.5), out=(rest, whole))
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(2))


@pytest.mark.parametrize(
    ("f", "args", "kwargs", "answer"),
    [
        (np.median, (X, None, None, True), {}, True),
        (np.nanmedian, (X,), {"overwrite_input": True}, True),
        (np.quantile, (X, 0.5, None, None, True), {}, True),
        (np.nanpercentile, (X, 0.5, None, None, False), {}, False),
        (np.median, (X,), {}, False),
        (np.nan_to_num, (X, False), {}, True),
        (np.nan_to_num, (X,), {"copy": False}, True),
        (np.nan_to_num, (X,), {}, False),
        (np.sin, (X,), {}, False),
    ],
)
def test_flags_say_whether_the_first_argument_is_written_into(f, args, kwargs, answer):
    """By position and by keyword."""
    assert overwrites(f, args, kwargs) is answer


@pytest.mark.parametrize("q", [0.5, 50.0])
def test_overwritten_inputs_are_seen(q):
    """After their use by a rule."""
    buffer = np.array([3.0, 1.0, 2.0])
    f = np.quantile if q < 1.0 else np.percentile

    def program(x):
        y = x * buffer
        f(buffer, q, None, None, True)
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(3))


class Watched(np.ndarray):
    """An array whose methods call those of the class above."""

    def __setitem__(self, index, value):
        super().__setitem__(index, value)

    def fill(self, value):
        """Fill."""
        super().fill(value)


@pytest.mark.parametrize("write", [lambda a: a.fill(3.0), lambda a: operator.setitem(a, 0, 3.0)])
def test_methods_in_c_of_the_class_above(write):
    """They are found by `super`, and are what they are of that class: here they write."""
    array = np.ones(3).view(Watched)

    def program(x):
        y = np.sum(x * array)
        write(array)
        return y

    with pytest.raises(MutatedInputError):
        grad(program)(1.0)
