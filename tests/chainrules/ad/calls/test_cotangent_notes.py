"""Errors of pullbacks say which cotangent was given, and from which rule it came."""

import numpy as np
import pytest

from chainrules.ad import grad, vjp
from chainrules_core import NoTangent, debugging, primitive, rrule, typeof_

X = np.array([1.0, 2.0])


@primitive
def split(x):
    """A function with several results."""
    return x, 2 * x


@rrule.dispatch
def split_rrule(f: typeof_(split), x: np.ndarray):
    """It takes the cotangent for an array."""
    return (x, 2 * x), lambda y_bar: (NoTangent(), y_bar.T)


@primitive
def halved(x):
    """A function of an array."""
    return x / 2


@rrule.dispatch
def halved_rrule(f: typeof_(halved), x: np.ndarray):
    """Its cotangent has another precision."""
    return x / 2, lambda y_bar: (NoTangent(), np.float32(y_bar / 2))


@primitive
def doubled(x):
    """A function of an array."""
    return 2 * x


@rrule.dispatch
def doubled_rrule(f: typeof_(doubled), x: np.ndarray):
    """Its pullback multiplies arrays that do not fit."""
    return 2 * x, lambda y_bar: (NoTangent(), y_bar * np.ones(3))


def notes_of(f, x):
    """The notes of the error that a derivative raises."""
    with pytest.raises((ValueError, TypeError, AttributeError)) as caught:
        grad(f)(x)
    return "\n".join(getattr(caught.value, "__notes__", []))


def test_the_form_of_a_cotangent():
    """A pullback that takes it for something else is told what it was given."""
    note = notes_of(lambda x: np.sum(split(x)[0]), X)

    assert "test_cotangent_notes.py:" in note
    assert "was given a cotangent of type Tangent[tuple]. The cotangent of a result with parts has" in note
    assert "shape (2,)" in notes_of(lambda x: np.sum(doubled(x)), X)


def test_where_a_cotangent_came_from():
    """The rule of somebody else that returned it is named, in debug mode too."""

    def f(x):
        return np.sum(halved(doubled(x)))

    says = (
        "shape (2,), which came from the pullback of `halved_rrule` (tests/chainrules/ad/calls/test_cotangent"
    )
    assert says in notes_of(f, X)
    with debugging():
        assert says in notes_of(f, X)


def test_errors_of_our_own_rules_have_no_note():
    """Nobody but us is to be told of these."""
    _, pullback = vjp(np.sin, X)
    with pytest.raises(ValueError, match="shape") as caught:
        pullback(np.ones(3))
    assert "came from" not in "".join(caught.value.__notes__)
