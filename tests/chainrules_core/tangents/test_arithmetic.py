"""The one table: every pair of kinds of operands, in both orders, for every operation."""

import itertools
import operator
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    Tangent,
    Thunk,
    ZeroTangent,
    not_implemented,
)
from chainrules_core.tangents.arithmetic import (
    DIFFERENCE,
    MATRIX_PRODUCT,
    NEGATIVE,
    PRODUCT,
    QUOTIENT,
    SUM,
    Rank,
    is_scalar,
    is_tangent,
    rank_of,
    unthunk_fully,
    unthunk_throughout,
)
from chainrules_core.tangents.linear_operations import dot, muladd
from tests.chainrules_core.tangents.primals import Counted

z, nt = ZeroTangent(), NoTangent()
ni, ni_2 = not_implemented("first"), not_implemented("second")


@dataclass
class Foo:
    """A primal."""

    x: float


def operands(kind):
    """An operand of each kind; the values of thunks add to numbers."""
    return {
        "ni": lambda: ni,
        "nt": lambda: nt,
        "z": lambda: z,
        "thunk": lambda: Thunk(Counted(3.0)),
        "tangent": lambda: Tangent[Foo](x=2.0),
        "number": lambda: 5.0,
        "array": lambda: np.array([1.0, 2.0]),
        "primal": lambda: Foo(4.0),
    }[kind]()


KINDS = ("ni", "nt", "z", "thunk", "tangent", "number", "array", "primal")

# What a pair gives: the operand that is returned as the same object, or the value, or the error.
LEFT, RIGHT = "left", "right"


def expected_sum(a, b):
    """What `a + b` gives."""
    if "ni" in (a, b):
        return LEFT if a == "ni" else RIGHT
    for zero in ("z", "nt"):  # NoTangent wins over ZeroTangent, everything else over both
        if a == zero:
            return LEFT if a == b else RIGHT
        if b == zero:
            return LEFT
    values = {
        ("thunk", "thunk"): 6.0,
        ("thunk", "number"): 8.0,
        ("thunk", "array"): np.array([4.0, 5.0]),
        ("tangent", "tangent"): Tangent[Foo](x=4.0),
        ("tangent", "primal"): Foo(6.0),
    }
    return values.get((a, b), values.get((b, a), TypeError))


def expected_product(a, b):
    """What `a * b` gives."""
    for absorbing in ("z", "nt"):
        if absorbing in (a, b):
            return LEFT if a == absorbing else RIGHT
    if "ni" in (a, b):
        return LEFT if a == "ni" else RIGHT
    values = {
        ("thunk", "thunk"): 9.0,
        ("thunk", "number"): 15.0,
        ("thunk", "array"): np.array([3.0, 6.0]),
        ("thunk", "tangent"): Tangent[Foo](x=6.0),
        ("tangent", "number"): Tangent[Foo](x=10.0),
    }
    return values.get((a, b), values.get((b, a), TypeError))


def expected_difference(a, b):
    """What `a - b` gives."""
    if "ni" in (a, b):
        return DerivativeNotImplementedError
    if b in ("z", "nt"):
        return RIGHT if (a, b) == ("z", "nt") else LEFT
    if a in ("z", "nt"):
        negatives = {"thunk": -3.0, "tangent": Tangent[Foo](x=-2.0), "number": -5.0}
        return {**negatives, "array": np.array([-1.0, -2.0])}.get(b, TypeError)
    return {
        ("thunk", "thunk"): 0.0,
        ("thunk", "number"): -2.0,
        ("number", "thunk"): 2.0,
        ("thunk", "array"): np.array([2.0, 1.0]),
        ("array", "thunk"): np.array([-2.0, -1.0]),
        ("tangent", "tangent"): Tangent[Foo](x=0.0),
        ("primal", "tangent"): Foo(2.0),
    }.get((a, b), TypeError)


def expected_quotient(a, b):
    """What `a / b` gives."""
    if a in ("z", "nt"):
        return LEFT
    if "ni" in (a, b):
        return DerivativeNotImplementedError
    if b in ("z", "nt"):
        return ZeroDivisionError
    return {
        ("thunk", "thunk"): 1.0,
        ("thunk", "number"): 0.6,
        ("number", "thunk"): 5.0 / 3.0,
        ("thunk", "array"): np.array([3.0, 1.5]),
        ("array", "thunk"): np.array([1.0, 2.0]) / 3.0,
        ("tangent", "number"): Tangent[Foo](x=0.4),
        ("tangent", "thunk"): Tangent[Foo](x=2.0 / 3.0),
    }.get((a, b), TypeError)


OPERATIONS = {
    "add": (operator.add, expected_sum),
    "multiply": (operator.mul, expected_product),
    "subtract": (operator.sub, expected_difference),
    "divide": (operator.truediv, expected_quotient),
}
# Pairs without a tangent are Python's and NumPy's own.
PAIRS = [(a, b) for a, b in itertools.product(KINDS, KINDS) if not {a, b} <= {"number", "array", "primal"}]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_every_pair(name, a, b):
    """The operator does what the table says, and computes a thunk only where a value is needed."""
    operation, expected_for = OPERATIONS[name]
    left, right, expected = operands(a), operands(b), expected_for(a, b)
    if isinstance(expected, type):
        with pytest.raises(expected):
            operation(left, right)
        return
    result = operation(left, right)
    if isinstance(expected, str):
        assert result is (left if expected == LEFT else right)
        for operand in (left, right):
            assert rank_of(operand) is not Rank.THUNK or "Counted" in repr(operand), "a thunk was computed"
    else:
        result = unthunk_fully(result)
        assert type(result) is type(expected)
        np.testing.assert_equal(result, expected)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_ufuncs_agree_with_operators(a, b):
    """`np.add(a, b)` is `a + b`, and so on, for every pair."""
    if "primal" in (a, b):
        return  # NumPy takes a primal for an object
    ufuncs = {"add": np.add, "multiply": np.multiply, "subtract": np.subtract, "divide": np.true_divide}
    for name, ufunc in ufuncs.items():
        expected = OPERATIONS[name][1](a, b)
        left, right = operands(a), operands(b)
        if isinstance(expected, type):
            with pytest.raises(expected):
                ufunc(left, right)
        elif isinstance(expected, str):
            assert ufunc(left, right) is (left if expected == LEFT else right)
        else:
            np.testing.assert_equal(unthunk_fully(ufunc(left, right)), expected)


def test_first_of_two_unknowns():
    """Of two derivatives that are not implemented the first one is reported."""
    assert ni + ni_2 is ni
    assert ni * ni_2 is ni
    assert dot(ni, ni_2) is ni


def test_quoted_identities():
    """The identities that upstream's tests spell out."""
    one = 1
    assert (z + one) is one
    assert z * 11.1 is z
    assert dot([1, 2], z) is z
    assert muladd(2, 2, z) == 4
    assert Thunk(lambda: 2) * Tangent[Foo](x=1.0) == Tangent[Foo](x=2.0)
    x, y = np.ones(2), np.ones(2)
    assert muladd(z, x, y) is y
    assert muladd(x, z, y) is y
    assert muladd(z, z, y) is y
    assert muladd(x, z, z) is z
    assert muladd(z, x, z) is z
    assert muladd(z, z, z) is z


@pytest.mark.parametrize("zero", [z, nt], ids=repr)
@pytest.mark.parametrize("other", ["array", "thunk", "number"])
def test_matrix_products_with_zero(zero, other):
    """`@` is a product: zeros absorb, without looking at the other operand."""
    x = operands(other)
    assert zero @ x is zero
    assert x @ zero is zero


def test_zeros_add_to_any_primal():
    """H2, H3: a zero beside a tuple, list, dict or string is an identity; nothing is concatenated."""
    for primal in ((1.0,), [1.0], {"a": 1.0}, "text", b"bytes", True, None, Foo(1.0), len, np.ones(2)):
        for zero in (z, nt):
            assert primal + zero is primal
            assert zero + primal is primal


def test_rank_and_kind():
    """Numbers, arrays, primals and classes are no tangents."""
    assert rank_of(z) is Rank.ZERO
    for other in (1.0, np.ones(2), Foo(1.0), ZeroTangent, None):
        assert rank_of(other) is Rank.OTHER
        assert not is_tangent(other)


def test_true_is_the_identity_of_scaling():
    """A partial derivative that is one, in any precision; `False` is a number like any other."""
    t = Tangent[Foo](x=2.0)

    assert True * t is t
    assert t * True is t
    assert False * t == t * False == Tangent[Foo](x=0.0)


def test_scalars():
    """What a structural tangent may be scaled by."""
    assert all(map(is_scalar, (1, 1.0, 1j, np.float32(1.0), np.array(1.0))))
    assert not any(map(is_scalar, (np.ones(1), "a", None, [1.0], z)))


@pytest.mark.parametrize(
    "x", [2.5, 3, 1.0 - 2.0j, np.float32(1.5), np.array([1.0, -2.0]), np.array([1 + 2j])]
)
def test_the_tables_serve_values_too(x):
    """Where no operand is a tangent, the negative is Python's, and the other tables leave it to Python."""
    y = NEGATIVE(x)

    np.testing.assert_array_equal(y, -x)
    assert np.asarray(y).dtype == np.asarray(-x).dtype
    for table in (SUM, DIFFERENCE, PRODUCT, MATRIX_PRODUCT, QUOTIENT):
        assert table(x, x) is NotImplemented


def test_ranks_are_in_order():
    """Rows and columns of the tables stand in this order."""
    assert [rank.value for rank in Rank] == list(range(6))
    assert [
        rank_of(x)
        for x in (not_implemented(""), NoTangent(), ZeroTangent(), Thunk(int), Tangent[tuple](), 1.0)
    ] == (list(Rank))


@pytest.mark.parametrize(
    "operation",
    [
        lambda t: t * t,
        lambda t: t / t,
        lambda t: 1.0 / t,
        lambda t: t**2,
        lambda t: t * np.ones(2),
        lambda t: np.ones(2) * t,
        np.sqrt,
        lambda t: np.maximum(1.0, t),
        lambda t: {"A": 1.0} - t,
        lambda t: t - {"A": 1.0},
        lambda t: t / [2.0],
        lambda t: [2.0] * t,
    ],
)
def test_operations_part_by_part(operation):
    """What is no operation of a vector goes through the parts: the error names the function for that."""
    with pytest.raises(
        TypeError, match=r"A Tangent\[Foo\] can be scaled .* write `chainrules\.ad\.tree_map\("
    ):
        operation(Tangent[Foo](x=1.0))


def test_thunks_are_computed_throughout():
    """In fields, and in containers in fields, through all layers; what holds none is returned as it is."""
    late = Thunk(lambda: Thunk(lambda: 1.0))
    computed = unthunk_throughout(Thunk(lambda: Tangent[tuple](late, ZeroTangent(), [late, 2.0])))
    assert computed[0] == 1.0
    assert computed[1] is ZeroTangent()
    assert list(computed[2]) == [1.0, 2.0]

    whole = Tangent[tuple](1.0, [2.0])
    assert unthunk_throughout(whole) is whole
