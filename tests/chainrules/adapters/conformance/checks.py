"""Comparing what a framework computes with what `chainrules.ad` does, and the tests of one framework."""

import numpy as np
import pytest

from chainrules.adapters import AdapterError
from tests.chainrules.adapters.conformance.cases import CASES
from tests.chainrules.adapters.conformance.table import TRANSFORMS, refusal


def assert_close(found, expected, rtol=1e-9):
    """Two lists of numbers and arrays are equal up to rounding, element by element, shape by shape."""
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        assert np.shape(x) == np.shape(y)
        np.testing.assert_allclose(np.asarray(x), y, rtol=rtol, atol=1e-9)


def contracted(blocks, directions):
    """A derivative, one block for each argument, times the directions of the arguments."""
    return sum(
        np.tensordot(np.asarray(block), d, axes=np.ndim(d))
        for block, d in zip(blocks, directions, strict=True)
    )


def batch(case, size=3):
    """Several sets of arguments of a case, and each argument of all of them in one array."""
    pairs = list(zip(case.floats(), case.directions(), strict=True))
    sets = [[x + 0.01 * number * direction for x, direction in pairs] for number in range(size)]
    return sets, [np.stack(arrays) for arrays in zip(*sets, strict=True)]


def cases_of(framework):
    """The parameters of a framework's test: every transform with every case."""
    return pytest.mark.parametrize(
        ("transform", "case"),
        [
            pytest.param(transform, case, id=f"{transform}-{case.name}")
            for transform in TRANSFORMS[framework]
            for case in CASES
        ],
    )


def check(framework, transforms, transform, case):
    """A transform of a case is right, or refused with the reason that the documentation gives."""
    assert tuple(transforms) == TRANSFORMS[framework]
    if refusal(framework, transform, case.name) is None:
        transforms[transform](case)
    else:
        with pytest.raises(AdapterError):
            transforms[transform](case)
