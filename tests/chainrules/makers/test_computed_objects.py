"""Rules of classes whose instances hold what they compute."""

import numpy as np

from chainrules.makers.computed_objects import object_rules
from chainrules_core import AbstractZero, NoTangent, Tangent, ZeroTangent, backing, frule, rrule


class _Sums:
    """The sum of the products of two arrays, and their shape."""

    def __init__(self, x, y, scale=1.0):
        self.product, self.shape, self.scale = scale * np.sum(x * y), np.shape(x), scale


@backing.register
def _backing(sums: _Sums) -> dict:
    return {"product": sums.product}


object_rules(
    _Sums,
    ("product",),
    frozenset({"shape"}),
    lambda sums: lambda x, y: (sums.scale * np.sum(x * y),),
    2,
)
X, Y = np.array([1.0, 2.0]), np.array([3.0, 5.0])


def test_instances():
    """An instance has the tangents of its fields, and gives each argument a cotangent."""
    sums, dot = frule((None, X, NoTangent(), NoTangent()), _Sums, X, Y, 2.0)
    assert sums.product == 26.0
    assert dot.product == 26.0
    assert isinstance(frule((None, NoTangent(), NoTangent()), _Sums, X, Y)[1], NoTangent)
    _, x_bar, y_bar, scale_bar = rrule(_Sums, X, Y, 2.0)[1](Tangent[_Sums](product=1.0))
    np.testing.assert_array_equal(x_bar, 2.0 * Y)
    np.testing.assert_array_equal(y_bar, 2.0 * X)
    assert isinstance(scale_bar, NoTangent)
    assert all(isinstance(bar, AbstractZero) for bar in rrule(_Sums, X, Y)[1](ZeroTangent()))


def test_attributes():
    """Fields have derivatives, constants have none, and there is no rule of anything else."""
    sums = _Sums(X, Y)
    assert frule((None, Tangent[_Sums](product=4.0), NoTangent()), getattr, sums, "product") == (13.0, 4.0)
    assert rrule(getattr, sums, "product")[1](2.0)[1].product == 2.0
    assert isinstance(frule((None, NoTangent(), NoTangent()), getattr, sums, "shape")[1], NoTangent)
    assert rrule(getattr, sums, "shape")[0] == (2,)
    assert rrule(getattr, sums, "scale") is None
