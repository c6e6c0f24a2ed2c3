"""The rules of the functions that make objects of orthogonal polynomials."""

import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    ZeroTangent,
    frule,
    rrule,
    unthunk,
)
from chainrules_testutils.testers.exercised import record_exercised

OF_DEGREES = [
    *("chebyc", "chebys", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre", "legendre"),
    *("sh_chebyt", "sh_chebyu", "sh_legendre"),
]


@pytest.mark.parametrize("name", OF_DEGREES)
def test_objects_of_integer_degrees(name):
    """They are constants."""
    f = getattr(special, name)
    p, pullback = rrule(f, 3)

    assert p == f(3)
    assert pullback(NoTangent()) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), NoTangent()), f, 3)[1] == NoTangent()
    record_exercised(f, rrule.find(f, 3))
    record_exercised(f, frule.find((NoTangent(), NoTangent()), f, 3))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (special.jacobi, (3, 0.5, 0.4)),
        (special.sh_jacobi, (3, 2.5, 1.4)),
        (special.genlaguerre, (3, 2.5)),
        (special.gegenbauer, (3, 0.5)),
    ],
)
def test_derivatives_by_parameters_are_refused(f, args):
    """In both modes; the message says what to write instead."""
    with pytest.raises(DerivativeNotImplementedError, match="eval_jacobi"):
        grad(lambda alpha: f(3, alpha, *args[2:])(0.3))(0.5)
    tangents = (NoTangent(), NoTangent(), *(1.0 for _ in args[1:]))
    y, y_dot = frule(tangents, f, *args)
    # One of its objects has an infinite limit, of which the testers can take no differences.
    record_exercised(f, rrule.find(f, *args))
    record_exercised(f, frule.find(tangents, f, *args))

    assert y == rrule(f, *args)[0] == f(*args)
    assert isinstance(y_dot, NotImplementedTangent)
    _, degree_bar, *bars = rrule.unchecked(f, *args)[1](ZeroTangent())
    assert degree_bar == NoTangent()
    assert list(map(unthunk, bars)) == [ZeroTangent()] * len(bars)
