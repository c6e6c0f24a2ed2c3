"""Chains of operations part by part: the same numbers to the bit, and nothing that must not be."""

import numpy as np
import pytest

from chainrules.ad import hvp, value_and_grad
from chainrules.ad.recording import blocks, reuse
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.test_compiled import FUNCTIONS, POINTS, X
from tests.chainrules.ad.recording.writing_programs import PROGRAMS_OF_ARRAYS, WRITING

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True, params=["own memory", "reused memory"])
def everything_is_large(request, monkeypatch):
    """Arrays of any size run part by part, of two elements each."""
    monkeypatch.setattr(blocks, "LARGE", 1)
    monkeypatch.setattr(blocks, "FEWEST", 1)
    monkeypatch.setattr(blocks, "PART", 16)
    if request.param == "reused memory":
        monkeypatch.setattr(reuse, "LARGE", 1)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_gradients(f):
    """The same as without parts, with the same warnings and errors."""
    agrees(value_and_grad(f), POINTS, strict=False)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_second_derivatives(f):
    """Programs of more operations."""
    agrees(lambda x, v: hvp(f, x, v), [(X, X[::-1].copy()), (-X, X), (np.zeros(4), X)], strict=False)


@pytest.mark.parametrize("f", PROGRAMS_OF_ARRAYS.values(), ids=PROGRAMS_OF_ARRAYS)
def test_programs_of_arrays(f):
    """Programs that fill arrays, write into views, simulate, and hand arrays on."""
    agrees(value_and_grad(f), [(np.array(x),) for x in ([1.0, 2.0, 3.0], [1.3, 2.3, 3.3])], strict=False)


@pytest.mark.parametrize("f", WRITING, ids=range(len(WRITING)))
def test_writes_into_arrays_that_others_see(f):
    """Arrays that somebody writes into are read whole, where they stand."""
    d = np.array([0.5, -1.0, 2.0])
    agrees(value_and_grad(f), [(X[:3], d), (2.5 * X[:3], -d), (-X[:3], d)], strict=False)
