"""The rules of the methods of arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.makers.versions import present
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_refused
from tests.chainrules.rule_checks import check_declared, check_rule, normal

MATRIX = normal(2, 3)
CALLS = {
    np.ndarray.clip: [(-0.1, 0.1), (-0.1,), (None, 0.1)],
    np.ndarray.conj: [()],
    np.ndarray.conjugate: [()],
    np.ndarray.copy: [(), ("F",)],
    np.ndarray.cumprod: [(1,)],
    np.ndarray.cumsum: [(), (0,)],
    np.ndarray.diagonal: [(), (1,)],
    np.ndarray.dot: [(normal(3, 2),)],
    np.ndarray.max: [(), (0,)],
    np.ndarray.mean: [(), (0,)],
    np.ndarray.min: [(), (0,)],
    np.ndarray.prod: [(), (0,)],
    np.ndarray.ravel: [(), ("F",)],
    np.ndarray.flatten: [(), ("F",)],
    np.ndarray.repeat: [(2,), ([1, 2], 0)],
    np.ndarray.round: [(), (-1,)],
    np.ndarray.squeeze: [()],
    np.ndarray.std: [(), (0,)],
    np.ndarray.sum: [(), (0,)],
    np.ndarray.swapaxes: [(0, 1)],
    np.ndarray.take: [([0, 0, 5],), ([0, 0], 1)],
    np.ndarray.trace: [(), (1,)],
    np.ndarray.var: [(), (0,)],
    np.ndarray.astype: [(complex,)],
    np.ndarray.reshape: [(6,), (3, 2), ((3, 2),), (-1, 1)],
    np.ndarray.transpose: [(), (1, 0), ((1, 0),)],
    np.ndarray.compress: [([True, False],), ([True, False], 0)],
    np.ndarray.item: [(0, 1), (4,), ((1, 2),)],
    np.ndarray.__getitem__: [(0,), ((slice(None), [0, 0]),)],
}
CONSTANT = {
    np.ndarray.all: (),
    np.ndarray.any: (),
    np.ndarray.argmax: (),
    np.ndarray.argmin: (),
    np.ndarray.argpartition: (1,),
    np.ndarray.argsort: (),
    np.ndarray.nonzero: (),
}
IN_PLACE = {
    np.ndarray.fill: (1.0,),
    np.ndarray.put: ([0], [1.0]),
    np.ndarray.sort: (),
    np.ndarray.partition: (1,),
    np.ndarray.resize: ((3, 2),),
    np.ndarray.__setitem__: (0, 1.0),
}


@pytest.mark.parametrize(
    ("method", "options"), [(f, options) for f, calls in CALLS.items() for options in calls]
)
def test_methods(method, options):
    """As the functions of NumPy, with the arguments of the methods."""
    check_rule(method, MATRIX, *options)


def test_options_by_keyword():
    """They reach the function."""
    check_rule(np.ndarray.sum, MATRIX, axis=1, keepdims=True)
    check_rule(np.ndarray.reshape, MATRIX, 3, 2, order="F")


@pytest.mark.parametrize(("method", "options"), CONSTANT.items())
def test_methods_without_derivative(method, options):
    """Truth values and indices."""
    test_frule(method, MATRIX, *options)
    test_rrule(method, MATRIX, *options)


def test_bytes(tmp_path):
    """The bytes of an array have no tangents, wherever they go."""
    check_declared(np.ndarray.tobytes, MATRIX)
    for tostring in present(np.ndarray, "tostring"):
        with pytest.warns(DeprecationWarning, match="tobytes"):
            check_declared(tostring, MATRIX)
    check_declared(np.ndarray.dumps, MATRIX)
    for method in (np.ndarray.dump, np.ndarray.tofile):
        check_declared(method, MATRIX, tmp_path / "array")


def test_searches_without_derivative():
    """In a sorted array."""
    test_frule(np.ndarray.searchsorted, np.sort(normal(4)), 0.3)
    test_rrule(np.ndarray.searchsorted, np.sort(normal(4)), 0.3)


def test_choices():
    """Between the items of a sequence, or between several arguments."""
    choices = [normal(2), normal(2, seed=1)]
    for options in ((choices,), choices, (*choices, 0.5)):
        test_frule(np.ndarray.choose, np.array([0, 1]), *options)
        test_rrule(np.ndarray.choose, np.array([0, 1]), *options)
    test_frule(np.ndarray.choose, np.array([0, 3]), *choices, fkwargs={"mode": "wrap"})
    test_rrule(np.ndarray.choose, np.array([0, 3]), *choices, fkwargs={"mode": "wrap"})


@pytest.mark.parametrize("x", [MATRIX, normal(2, dtype=complex), normal(2, dtype=np.float32), np.array(1.5)])
def test_tolist(x):
    """Nested lists, and a number for an array without axes; the cotangent has the precision of the array."""
    test_frule(np.ndarray.tolist, x)
    test_rrule(np.ndarray.tolist, x)


@pytest.mark.parametrize(("method", "options"), IN_PLACE.items())
def test_what_is_changed_in_place_is_refused(method, options):
    """An error says what to write; the array is as it was."""
    x = MATRIX.copy()
    check_refused(method, x, *options, match=f"{method.__name__} of a ndarray .* in place")
    np.testing.assert_array_equal(x, MATRIX)


def test_a_method_of_something_without_a_rule():
    """There is none."""
    assert rrule(np.ndarray.reshape, "text", 2) is None
    assert frule((NoTangent(),) * 3, np.ndarray.reshape, "text", 2) is None
