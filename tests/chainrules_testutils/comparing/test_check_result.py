"""Comparing tangents of any two types."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import (
    InplaceableThunk,
    MutableTangent,
    NoTangent,
    Tangent,
    ZeroTangent,
    not_implemented,
    thunk,
    to_structural,
)
from chainrules_core.structured import (
    Diagonal,
    Symmetric,
    SymTridiagonal,
    UniformScaling,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_testutils import RuleTestError, test_approx
from tests.chainrules_testutils.checks_made import is_shown_last
from tests.chainrules_testutils.rules_under_test import Foo, Pair

MISSING = not_implemented("because")
Z, N = ZeroTangent(), NoTangent()


class SmallFoo(Foo):
    """A class below `Foo`."""


class Named:
    """A class whose fields are nowhere declared, and a property."""

    def __init__(self, q):
        self.q = q

    @property
    def w(self):
        """The field by another name."""
        return self.q


class Incomparable:
    """Raises when it is compared."""

    __hash__ = None

    def __eq__(self, other):
        raise ZeroDivisionError


EQUAL = {
    "numbers": (1.0, 1.0 + 1e-12),
    "number and 0-d array": (1.0, np.array(1.0)),
    "complex": (1.0 + 1e-12j, 1.0),
    "infinity": (np.inf, np.inf),
    "arrays": (np.ones(2), np.ones(2) + 1e-12),
    "dtypes": (np.ones(2, dtype=np.float32), np.ones(2) + 1e-6),
    "empty": (np.ones((0, 2)), np.ones((0, 2))),
    "unsigned": (np.array([1], dtype=np.uint8), np.array([1.0])),
    "sparse": (scipy.sparse.eye_array(2), np.eye(2)),
    "zeros": (Z, Z),
    "no tangents": (N, N),
    "zero and no tangent": (Z, N),
    "zero and number": (Z, 0.0),
    "number and zero": (1e-12, Z),
    "zero and array": (np.zeros(2), Z),
    "no tangent and None": (N, None),
    "zero and structure": (Z, Tangent[Foo](A=np.zeros(2), c=N)),
    "zero and empty": (Z, Tangent[Foo]()),
    "zero and tuple": (Z, (0.0, "a")),
    "empty structures": (Tangent[Foo](), Tangent[Foo]()),
    "thunks": (thunk(lambda: 1.0), thunk(lambda: 1.0)),
    "thunk and number": (InplaceableThunk(lambda x: x, thunk(lambda: 2.0)), 2.0),
    "thunk of thunk": (thunk(lambda: thunk(lambda: 2.0)), 2.0),
    "structures": (Tangent[Foo](A=1.0), Tangent[Foo](c=Z, A=1.0 + 1e-12)),
    "mutable": (MutableTangent[Foo](A=1.0), Tangent[Foo](A=1.0)),
    "thunk in a structure": (Tangent[Foo](A=thunk(lambda: 1.0)), Tangent[Foo](A=1.0)),
    "structure and natural": (Tangent[Foo](A=1.0, c=2.0), Foo(1.0, 2.0)),
    "natural and structure": (Foo(1.0, 2.0), Tangent[Foo](A=1.0, c=2.0)),
    "tuples": ((1.0, [2.0, {"a": 3.0}]), (1.0, [2.0, {"a": 3.0}])),
    "dicts in another order": ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}),
    "objects": (np.array([1.0, "a"], dtype=object), np.array([1.0, "a"], dtype=object)),
    "objects and numbers": (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-12], dtype=object)),
    "strings": ("a", "a"),
    "None": (None, None),
    "not implemented": (MISSING, MISSING),
}


@pytest.mark.parametrize(("actual", "expected"), EQUAL.values(), ids=EQUAL)
def test_equal(actual, expected):
    """Values that are approximately equal pass, with at least one check, in either order."""
    assert test_approx(actual, expected).passed >= 1


DIFFERENT = {
    "numbers": (
        1.0,
        1.1,
        r"value: wrong value\n  actual   1.0\n  expected 1.1\n  abs error 1.0e-01, rel error 9.1e-02",
    ),
    "NaN": (np.nan, np.nan, "value: wrong value"),
    "infinity": (np.inf, 1.0, "value: wrong value"),
    "imaginary": (1j, 0.0, "value: wrong value"),
    "arrays": (
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 2.0], [3.5, 4.1]]),
        r"value, index \(1, 0\): wrong value\n  actual   3.0\n  expected 3.5\n.*\n  2 of 4 elements differ",
    ),
    "more axes": (np.ones((2, 2)), np.ones(2), r"shape \(2, 2\), expected \(2,\): sum over the axes"),
    "transposed": (np.ones((2, 3)), np.ones((3, 2)), r"shape \(2, 3\), expected \(3, 2\): transposed\?"),
    "broadcast": (np.ones(1), np.ones(2), r"shape \(1,\), expected \(2,\)"),
    "number for array": (1.0, np.ones(2), r"shape \(\), expected \(2,\)"),
    "zero": (
        Z,
        1.0,
        r"ZeroTangent\(\) where the other is not zero\n  actual   ZeroTangent\(\)\n  expected 1.0",
    ),
    "no tangent": (N, np.ones(2), r"NoTangent\(\) where the other is not zero"),
    "not zero": (np.ones(2), Z, r"ZeroTangent\(\) where the other is not zero"),
    "zero and structure": (Z, Tangent[Foo](c=1.0), r"value, field c: ZeroTangent\(\) where"),
    "a property": (
        Tangent[Named](w=1.0),
        Tangent[Named](q=1.0),
        r"value: Named has no field w, but q: a property",
    ),
    "fields": (Tangent[Foo](A=1.0, c=2.0), Tangent[Foo](A=1.0, c=3.0), "value, field c: wrong value"),
    "field left out": (
        Tangent[Foo](A=1.0),
        Tangent[Foo](A=1.0, c=3.0),
        r"value, field c: ZeroTangent\(\) where",
    ),
    "field too many": (
        Tangent[Foo](A=1.0, c=3.0),
        Tangent[Foo](A=1.0),
        r"value, field c: ZeroTangent\(\) where",
    ),
    "items": (Tangent[tuple](1.0, 2.0), Tangent[tuple](1.0, 3.0), "value, item 1: wrong value"),
    "too few items": (Tangent[tuple](1.0), Tangent[tuple](1.0, 3.0), "value: 1 items, expected 2"),
    "keys": (Tangent[dict]({"a": 1.0}), Tangent[dict]({"a": 2.0}), "value, item 'a': wrong value"),
    "class above": (
        Tangent[Foo](A=1.0),
        Tangent[SmallFoo](A=1.0),
        r"a Tangent\[Foo\] where a Tangent\[SmallFoo\] belongs: write `Tangent\[type\(x\)\]\(...\)`",
    ),
    "other class": (
        Tangent[Pair](a=1.0),
        Tangent[Foo](A=1.0),
        r"a Tangent\[Pair\] where a Tangent\[Foo\] belongs",
    ),
    "structure and natural": (Tangent[Foo](A=1.0), Foo(1.0, 2.0), r"value, field c: ZeroTangent\(\) where"),
    "structure and other value": (Tangent[Foo](A=1.0), Pair(1.0, 2), "value: a raw Pair is no tangent"),
    "structure and object": (
        Tangent[Foo](A=1.0),
        Incomparable(),
        r"value: not equal\n  actual   Tangent\[Foo\]\(A=1.0\)\n  expected <",
    ),
    "structure and number": (
        Tangent[Foo](A=1.0),
        1.0,
        "value: a Tangent.Foo. for a float: a cotangent of several results",
    ),
    "raw tuple": (
        (1.0, 2.0),
        Tangent[tuple](1.0, 2.0),
        r"a raw tuple is no tangent: .* Tangent\[tuple\]\(\.\.\.\)",
    ),
    "raw tuple expected": (Tangent[tuple](1.0, 2.0), (1.0, 2.0), "a raw tuple is no tangent"),
    "raw list for zero": ([0.0], Z, "a raw list is no tangent"),
    "raw tuple for a number": ((1.0,), 1.0, "a raw tuple is no tangent: the tangent of a number is a number"),
    "raw list for an array": ([1.0], np.ones(1), r"a raw list is no tangent: write `np.array\(...\)`"),
    "raw dict for a class": (
        {"A": 1.0, "c": 1.0},
        Tangent[Foo](A=1.0),
        r"a raw dict is no tangent: .* use `Tangent`, Tangent\[Foo\]\(\.\.\.\)",
    ),
    "string for zero": ("a", Z, "'a' is no tangent"),
    "bool for zero": (False, Z, "False is no tangent"),
    "NumPy's bool for zero": (np.False_, Z, "is no tangent"),
    "None for zero": (None, N, "None is no tangent"),
    "list for tuple": ([1.0], (1.0,), "value: not equal"),
    "lengths": ((1.0,), (1.0, 2.0), "value: fields 0, expected 0, 1"),
    "nested": ({"a": [1.0, 2.0]}, {"a": [1.0, 3.0]}, "value, item 'a', item 1: wrong value"),
    "objects": (
        np.array([1.0, "a"], dtype=object),
        np.array([1.0, "b"], dtype=object),
        r"value, index \(1,\): not equal\n  actual   'a'\n  expected 'b'",
    ),
    "objects and numbers": (
        np.array([1.0, 2.0], dtype=object),
        np.array([1.0, 3.0]),
        r"index \(1,\): wrong value",
    ),
    "shapes of objects": (
        np.empty((1, 2), dtype=object),
        np.empty(2, dtype=object),
        r"shape \(1, 2\), expected \(2,\)",
    ),
    "strings": ("a", "b", "value: not equal"),
    "incomparable": (Incomparable(), Incomparable(), "value: not equal"),
    "two missing": (MISSING, not_implemented("otherwise"), "two different derivatives are not implemented"),
}


@pytest.mark.parametrize(("actual", "expected", "says"), DIFFERENT.values(), ids=DIFFERENT)
def test_different(actual, expected, says):
    """Values that differ fail, with the place and the difference."""
    with pytest.raises(RuleTestError) as caught:
        test_approx(actual, expected)
    assert re.search(says, str(caught.value))


def test_not_implemented_is_broken():
    """A derivative that is not implemented is neither right nor wrong."""
    for pair in [(MISSING, 1.0), (1.0, MISSING), (MISSING, Z)]:
        report = test_approx(*pair)
        assert (report.passed, report.failed, report.broken) == (0, 0, 1)
        assert "because" in report.checks[0].message


def test_every_difference_is_listed():
    """One error tells of all differences."""
    with pytest.raises(RuleTestError) as caught:
        test_approx((1.0, 2.0, 3.0), (1.0, 2.5, 3.5), "the result")
    assert [check.where for check in caught.value.report.failures] == [
        "the result, item 1",
        "the result, item 2",
    ]
    assert str(caught.value).startswith(
        "test_approx: the result: 2 of 3 checks failed\n- the result, item 1: wrong value\n"
    )


def test_tolerances():
    """The precision decides, unless a tolerance is given."""
    assert test_approx(np.float32(1), np.float32(1.00001)).passed
    with pytest.raises(RuleTestError):
        test_approx(1.0, 1.00001)
    assert test_approx(1.0, 1.00001, rtol=1e-4).passed
    assert test_approx(0.0, 1e-5, atol=1e-4).passed
    with pytest.raises(RuleTestError):
        test_approx(np.float32(1), np.float32(1.00001), rtol=1e-9, atol=1e-9)


SYMMETRIC = Symmetric(np.array([[1.0, 2.0], [2.0, 3.0]]), "L")
ONES = UnitUpperTriangular(np.eye(2))
UPPER = UpperTriangular(np.array([[0.0, 2.0], [0.0, 0.0]]))
FORMS = {
    "natural and dense": (SYMMETRIC, SYMMETRIC.to_dense()),
    "two kinds": (Diagonal([1.0, 2.0]), Symmetric(np.diag([1.0, 2.0]))),
    "natural and structural": (SYMMETRIC, to_structural(SYMMETRIC, SYMMETRIC)),
    "structural and structural": (to_structural(SYMMETRIC, SYMMETRIC),) * 2,
    "structural and dense": (Tangent[Diagonal](diag=np.ones(2)), np.eye(2)),
    "of ones": (UPPER, to_structural(ONES, UPPER)),
    "of ones and dense": (UPPER.to_dense(), to_structural(ONES, UPPER)),
    "zero": (Diagonal([0.0, 0.0]), ZeroTangent()),
    "multiples of the identity": (UniformScaling(2.0), Tangent[UniformScaling](factor=2.0)),
    "a field that is zero": (
        SymTridiagonal([1.0, 2.0], [0.0]),
        Tangent[SymTridiagonal](dv=np.array([1.0, 2.0])),
    ),
}


@pytest.mark.parametrize("pair", FORMS.values(), ids=FORMS)
def test_forms_of_cotangents(pair):
    """The natural, the dense and the structural form of a cotangent are equal, in both orders."""
    for actual, expected in (pair, pair[::-1]):
        assert test_approx(actual, expected).passed == len(test_approx(actual, expected).checks)


DIFFERENT_FORMS = {
    "fields as if they were elements": (
        SYMMETRIC,
        Tangent[Symmetric](data=SYMMETRIC.to_dense()),
        "wrong value",
    ),
    "other elements": (SYMMETRIC, np.eye(2), r"index \(0, 1\): wrong value"),
    "other structural elements": (Tangent[Diagonal](diag=np.ones(2)), 2.0 * np.eye(2), "wrong value"),
    "which triangle": (Tangent[Symmetric](data=np.eye(2)), np.eye(2), "does not say all about its primal"),
    "which shape": (Tangent[Diagonal](), np.eye(2), "does not say all about its primal"),
    "not zero": (Diagonal([0.0, 1.0]), ZeroTangent(), "where the other is not zero"),
    "another size": (Diagonal([1.0]), np.eye(2), "shape"),
}


@pytest.mark.parametrize(("actual", "expected", "says"), DIFFERENT_FORMS.values(), ids=DIFFERENT_FORMS)
def test_different_cotangents(actual, expected, says):
    """A difference in any form is reported, in both orders."""
    for pair in ((actual, expected), (expected, actual)):
        with pytest.raises(RuleTestError, match=says):
            test_approx(*pair)


@dataclass
class Several:
    """A value that is its own tangent, and holds a tuple."""

    items: tuple


def test_containers_in_natural_tangents():
    """They are fields, not raw tangents: compared with zeros and structural tangents item by item."""
    zeros, ones = Several((0.0, (0.0, np.zeros(2)))), Several((1.0, (1.0, np.ones(2))))
    tangent = Tangent[Several](items=Tangent[tuple](1.0, Tangent[tuple](1.0, np.ones(2))))

    assert test_approx(zeros, ZeroTangent()).passed == test_approx(ones, tangent).passed == 3
    assert test_approx(tangent, ones).passed == 3
    with pytest.raises(RuleTestError, match="field items, item 0: ZeroTangent"):
        test_approx(ones, ZeroTangent())
    with pytest.raises(RuleTestError, match="a raw tuple is no tangent"):
        test_approx((0.0,), ZeroTangent())


def test_actual_and_expected_are_not_exchanged():
    """Whichever of both is in structural form."""
    natural, structural = Diagonal([1.0, 2.0]), Tangent[Diagonal](diag=np.array([1.0, 3.0]))
    for actual, expected, shown in ((natural, structural, (2.0, 3.0)), (structural, natural, (3.0, 2.0))):
        with pytest.raises(RuleTestError) as caught:
            test_approx(actual, expected)
        assert f"actual   {shown[0]}" in str(caught.value)
        assert f"expected {shown[1]}" in str(caught.value)
        assert is_shown_last(caught, __file__)


def test_arrays_beside_other_values():
    """They are compared by `==`, and a difference is no error of another kind."""
    assert test_approx(np.array(["a"]), "a").failed == 0
    assert test_approx(None, np.array([None])).failed == 0
    for actual, expected in ((np.array(["a"]), "b"), ("a", np.array(["b"])), (np.array([None]), "b")):
        with pytest.raises(RuleTestError, match="not equal"):
            test_approx(actual, expected)
