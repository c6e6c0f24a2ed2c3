"""Tests of tangents of several results, and of the parts of their cotangents."""

import numpy as np

from chainrules.values.named_results import cotangents_of_results, results_like, tangent_of_results
from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk
from tests.chainrules.rule_checks import normal

NAMED = np.linalg.slogdet(np.eye(2))


def test_tangents():
    """Of a named tuple under its names, of a plain one by position."""
    assert tangent_of_results(NAMED, 2.0, 3.0) == Tangent[type(NAMED)](sign=2.0, logabsdet=3.0)
    assert tangent_of_results((1.0, 2.0), 3.0, 4.0) == Tangent[tuple](3.0, 4.0)


def test_containers():
    """A named tuple, a tuple, and a list stay what they are."""
    assert results_like(NAMED, 2.0, 3.0) == type(NAMED)(2.0, 3.0)
    assert results_like((1.0,), 2.0) == (2.0,)
    assert results_like([1.0], 2.0) == [2.0]
    assert tangent_of_results([1.0], 2.0) == Tangent[list](2.0)


def test_cotangents():
    """They come as tangents, as tuples, and as thunks, and so may their parts."""
    kind = Tangent[type(NAMED)]

    for y_bar in (
        kind(sign=2.0, logabsdet=3.0),
        Tangent[tuple](2.0, 3.0),
        (2.0, 3.0),
        type(NAMED)(2.0, 3.0),
        thunk(lambda: (2.0, 3.0)),
    ):
        assert cotangents_of_results(NAMED, y_bar) == (2.0, 3.0)
    assert cotangents_of_results(NAMED, (thunk(lambda: 2.0), 3.0)) == (2.0, 3.0)
    assert cotangents_of_results((1.0, 2.0), Tangent[tuple](3.0, 4.0)) == (3.0, 4.0)


def test_zeros():
    """A part that is not given, and all parts of a zero."""
    assert cotangents_of_results(NAMED, Tangent[type(NAMED)](logabsdet=3.0)) == (ZeroTangent(), 3.0)
    for zero in (ZeroTangent(), NoTangent()):
        assert cotangents_of_results(NAMED, zero) == (zero, zero)


def test_parts_are_not_copied():
    """Parts of cotangents, which may be large, are not copied."""
    V_bar = normal(2, 2)

    assert cotangents_of_results((V_bar, V_bar), (V_bar, V_bar))[1] is V_bar
