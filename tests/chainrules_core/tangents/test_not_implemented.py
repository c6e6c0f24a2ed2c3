"""`not_implemented`: a derivative that is missing says so where it is needed, and only there."""

import copy
import operator
import pickle
from pathlib import Path

import numpy as np
import pytest

from chainrules_core import (
    ChainRulesError,
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    Thunk,
    ZeroTangent,
    not_implemented,
)
from chainrules_core.tangents.linear_operations import (
    adjoint,
    conjugate_tangent,
    dot,
    iszero,
    muladd,
    norm,
    transpose,
)

INFO = "the order; see https://example.org/issues/1"


@pytest.fixture
def ni():
    """A derivative that is not implemented."""
    return not_implemented(INFO)


def test_records_the_caller(ni):
    """The tangent knows the module, the file and the line that made it, and what the author says."""
    assert ni.module == __name__
    assert Path(ni.file) == Path(__file__)
    assert "not_implemented(INFO)" in Path(ni.file).read_text().splitlines()[ni.line - 1]
    assert ni.info == INFO


def test_nothing_is_raised_until_it_is_needed(ni):
    """What does not need the value keeps the tangent itself."""
    assert +ni is ni
    assert -ni == ni
    assert conjugate_tangent(ni) is ni
    assert np.conjugate(ni) is ni
    assert ni * 2.0 is ni
    assert 2.0 * ni is ni
    assert ni + np.ones(2) is ni
    assert np.ones(2) * ni is ni
    assert muladd(2.0, ni, 1.0) is ni
    assert dot(np.ones(2), ni) is ni
    assert not iszero(ni)


@pytest.mark.parametrize("other", [1.0, np.ones(2), ZeroTangent(), NoTangent(), Thunk(float)], ids=repr)
def test_subtraction_raises(ni, other):
    """A difference needs the value, whatever the other operand is."""
    with pytest.raises(DerivativeNotImplementedError):
        ni - other
    with pytest.raises(DerivativeNotImplementedError):
        other - ni


def test_subtraction_from_itself_raises(ni):
    """The difference of two unknown derivatives is not known to be zero."""
    with pytest.raises(DerivativeNotImplementedError):
        ni - ni


@pytest.mark.parametrize("other", [2.0, Thunk(float), not_implemented("another")], ids=["2.0", "thunk", "ni"])
def test_division_raises(ni, other):
    """A quotient needs the value on both sides."""
    with pytest.raises(DerivativeNotImplementedError):
        ni / other
    with pytest.raises(DerivativeNotImplementedError):
        other / ni


def test_zeros_divided_are_zero(ni):
    """A zero over anything is that zero."""
    assert ZeroTangent() / ni is ZeroTangent()
    assert NoTangent() / ni is NoTangent()


@pytest.mark.parametrize(
    "operation",
    [iter, len, float, int, complex, operator.itemgetter(0), adjoint, transpose, norm, np.sort, list],
)
def test_needing_the_value_raises(ni, operation):
    """The message names the place in the rule and repeats the author's explanation."""
    with pytest.raises(DerivativeNotImplementedError, match="tangent not implemented @") as caught:
        operation(ni)
    assert f"{ni.file}:{ni.line}" in str(caught.value)
    assert INFO in str(caught.value)


def test_in_place_addition_to_an_array_raises(ni):
    """An array cannot hold an unknown derivative, and is not silently left without it."""
    x = np.ones(2)
    with pytest.raises(DerivativeNotImplementedError):
        x += ni


def test_the_error_is_of_both_families(ni):
    """Callers may catch the built-in NotImplementedError or the project's own base class."""
    assert issubclass(DerivativeNotImplementedError, NotImplementedError)
    assert issubclass(DerivativeNotImplementedError, ChainRulesError)


def test_equality_and_copies(ni):
    """Equal in all that it records, equal; copies and pickles are equal."""
    assert copy.deepcopy(ni) == ni
    assert pickle.loads(pickle.dumps(ni)) == ni
    assert ni != not_implemented(INFO)  # made on another line
    assert len({ni, copy.copy(ni)}) == 1
    assert isinstance(ni, NotImplementedTangent)
    assert INFO in repr(ni)
