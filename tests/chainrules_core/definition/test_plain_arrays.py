"""Short ways for plain arrays: what they answer is what the general way gives; the rest they decline."""

import importlib
import itertools
import operator
import sys

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    Thunk,
    ZeroTangent,
    definition,
    evaluate_partials,
    pull_partial,
    unthunk,
)
from chainrules_core.definition import plain_arrays
from chainrules_core.definition.plain_arrays import (
    FEW,
    has_no_zero,
    have_nan,
    is_cotangent_of,
    negative_of_few,
    product_of_arrays,
    product_of_operands,
    products_of_few,
    sum_of_products,
)
from chainrules_core.definition.shortcuts import ARE_ENABLED
from tests.chainrules.shortcut_checks import Call, arrays, assert_same, cotangents, variants
from tests.python_calls import functions_run_by

pytestmark = pytest.mark.skipif(not ARE_ENABLED, reason="they decline everything")

ZERO = ZeroTangent()

# --- Functions of two operands, and their partial derivatives -----------------------------------------------


def by_x(z, x, y):
    """Of ``z = x y²``."""
    return y * y


def by_y(z, x, y):
    """Infinite at 0, as that of a root is."""
    return 2.0 * z / y


def general(partial, values, operand, z_bar):
    """The product with all care, in the precision of the result."""
    with np.errstate(all="ignore"):
        return pull_partial(operand, evaluate_partials(partial, *values), z_bar)


def evaluated(x, y):
    """The result and both operands."""
    with np.errstate(all="ignore"):
        return x * y * y, x, y


def pairs_of_operands():
    """Every pair of operands of which one is an array at least."""
    operands = [
        *variants((4,)),
        *variants((3, 4))[:3],
        *(2.0, np.float64(3.0), np.float32(0.5), 2, 1j, 0.0),
        np.ones(()),
    ]
    return [(x, y) for x, y in itertools.product(operands, operands) if np.ndim(x) or np.ndim(y)]


PAIRS = pairs_of_operands()


# --- The calls for `tests/chainrules/test_shortcuts.py` -----------------------------------------------------


def calls_of_one():
    """Arrays of every kind, of objects too."""
    return [Call((x,)) for x in [*arrays(), np.array([None, 1.0]), np.array([float("nan"), 1], object)]]


def calls_with_cotangents():
    """Arrays and numbers, with cotangents that fit, broadcast, or have another precision."""
    xs = [*arrays((4,), ()), *variants((1, 4)), *variants((3, 1))]
    bars = [*arrays((4,), (3, 4), ()), np.ones(2000), ZERO, NoTangent()]
    return [Call(pair) for pair in [*itertools.product(xs, bars), (np.ones(2000), np.ones(2000))]]


def calls_for_numbers():
    """Numbers and arrays, with partial derivatives and cotangents of several shapes."""
    xs = [1.5, np.float64(2.0), np.float32(1.0), 2, 1j, np.ones(()), np.ones(4), np.ones((1, 4))]
    values = [*variants((4,)), *variants((3, 4)), 2.0, 1, ZERO]
    return [Call(args) for args in itertools.product(xs, values, values)]


def calls_of_operands():
    """Every pair of operands, with every cotangent of their result."""
    return [
        Call((partial, values, operand, z_bar))
        for x, y in PAIRS
        for values in [evaluated(x, y)]
        for partial, operand in ((by_x, x), (by_y, y))
        for z_bar in cotangents(values[0])
    ]


def calls_of_sums():
    """Of operands whose tangents are zero, numbers, arrays that broadcast, and of several precisions."""
    dots = [*variants((4,)), *variants((3, 4)), np.ones(()), 2.0, ZERO, Thunk(lambda: np.ones(4))]
    calls = []
    for (x, y), primal in itertools.product(PAIRS, (np.add, operator.sub)):
        with np.errstate(all="ignore"):
            z = primal(x, y)
        fitting = [[dot for dot in dots if np.shape(unthunk(dot)) in {np.shape(of), ()}] for of in (x, y)]
        calls += [Call((primal, z, *pair)) for pair in itertools.product(*(some[::3] for some in fitting))]
    return calls


def calls_forwards():
    """Every pair of operands, of which both or one moves."""
    calls = []
    for x, y in PAIRS:
        x_dots, y_dots = variants(np.shape(x)), variants(np.shape(y))
        pairs = [*zip(x_dots, y_dots, strict=True)]
        pairs += [*((x_dot, ZERO) for x_dot in x_dots), *((ZERO, y_dot) for y_dot in y_dots)]
        calls += [Call((by_x, by_y, evaluated(x, y), (NoTangent(), *pair))) for pair in pairs]
    return calls


CALLS = {
    "chainrules_core.definition.plain_arrays.has_nan": calls_of_one,
    "chainrules_core.definition.plain_arrays.fitting_cotangent": calls_with_cotangents,
    "chainrules_core.definition.plain_arrays.same_cotangent": calls_with_cotangents,
    "chainrules_core.definition.plain_arrays.negative_of_few": calls_with_cotangents,
    "chainrules_core.definition.plain_arrays.product_for_number": calls_for_numbers,
    "chainrules_core.definition.plain_arrays.product_of_operands": calls_of_operands,
    "chainrules_core.definition.plain_arrays.sum_of_arrays": calls_of_sums,
    "chainrules_core.definition.plain_arrays.sum_of_products": calls_forwards,
}


# --- The ways that are asked, not composed ------------------------------------------------------------------


def test_products_of_few_are_those_of_the_general_way():
    """Whatever is answered has the values, the class, the precision and the shape."""
    answered = 0
    for x, y in PAIRS:
        values = evaluated(x, y)
        for z_bar in cotangents(values[0]):
            pair = products_of_few(by_x, by_y, values, z_bar)
            for x_bar, operand, partial in zip(pair, (x, y), (by_x, by_y), strict=True):
                if x_bar is not None:
                    answered += 1
                    assert_same(x_bar, general(partial, values, operand, z_bar), f"{x!r}, {y!r}, {z_bar!r}")
    assert answered > 100


def test_product_of_numbers_of_which_one_is_complex_is_declined():
    """A real number has no complex cotangent, so the short way declines."""
    assert products_of_few(by_x, by_y, evaluated(2.0, 1j), 1.0) == (None, None)
    assert products_of_few(by_x, by_y, evaluated(2.0, 3.0), 1.0) == (9.0, None)
    assert products_of_few(by_x, by_y, evaluated(2.0, 3.0), np.float64(0.5)) == (4.5, None)


def test_errors_of_python_numbers_are_declined():
    """The short way declines a quotient by zero, which the general way makes infinite."""

    def infinite(z, x, y):
        return 1 / 0

    x = np.ones(2)
    assert products_of_few(infinite, by_y, (1.0, 1.0, 1.0), 1.0) == (None, None)
    assert products_of_few(infinite, by_y, (x, x, x), x) == (None, None)
    assert products_of_few(infinite, by_y, (x, x, x.copy()), x) == (None, None)
    assert product_of_arrays(infinite, (x, x, x), x, x) is None
    assert product_of_operands(infinite, (x, x, 2.0), 2.0, x) is None
    assert sum_of_products(infinite, by_y, (x, x, x), (ZERO, x, x)) is None


def test_product_of_arrays():
    """The partial derivative times the tangent, of arrays that are alike."""
    y, x, tangent = np.ones(2), np.array([2.0, 3.0]), np.array([10.0, 100.0])

    np.testing.assert_array_equal(product_of_arrays(lambda y, x: 2 * x, (y, x), x, tangent), [40.0, 600.0])


def test_product_of_arrays_writes_into_no_operand():
    """No operand is written into, even if the partial derivative is the result itself."""
    x, tangent = np.full(100_000, 2.0), np.full(100_000, 3.0)
    for partial in (lambda y, x: x, lambda y, x: y, lambda y, x: x[:]):
        assert product_of_arrays(partial, (x, x), x, tangent)[0] == 6.0
    assert (x[0], tangent[0]) == (2.0, 3.0)


@pytest.mark.parametrize(
    ("y", "x", "tangent", "partial"),
    [
        (np.ones(2), np.ones(2), np.array([0.0, 1.0]), np.array([np.nan, 1.0])),
        (np.ones(2), np.ones(2), np.ones(2), 1j * np.ones(2)),
        (np.ones(2), np.ones(2), np.ones(2), np.ones((2, 2))),
        (np.ones((2, 2)), np.ones(2), np.ones((2, 2)), 1.0),
        (np.ones(2), np.ones(2, np.float32), np.ones(2), 1.0),
        (1.0, 1.0, 1.0, 1.0),
        (np.ones(2), np.ones(2), ZERO, 1.0),
    ],
)
def test_products_that_need_care_are_declined(y, x, tangent, partial):
    """A zero beside NaN, complex numbers, broadcasting, mixed precisions, other types are declined."""
    assert product_of_arrays(lambda y, x: partial, (y, x), x, tangent) is None


@pytest.mark.parametrize("n", [1, 2, 200, 201, 1000])
def test_a_nan_is_the_product_where_the_tangent_is_not_zero(n):
    """Only beside a zero does a partial derivative that is NaN need care, in arrays of all sizes."""
    x, nans = np.ones((n, 2)), np.full((n, 2), np.nan)
    for place, zero in itertools.product((0, -1), (0.0, -0.0)):
        tangent = np.full((n, 2), np.nan)
        assert has_no_zero(tangent) == (n <= 100)
        tangent.flat[place] = zero
        assert not has_no_zero(tangent)
        assert product_of_arrays(lambda *_: nans, (x, x), x, tangent) is None
        assert products_of_few(lambda *_: nans, by_y, (x, x, x.copy()), tangent) == (None, None)
    tangent = np.full((100, 2), -2.0)
    values = np.ones((100, 2)), np.ones((100, 2))
    product = product_of_arrays(lambda *_: np.full((100, 2), np.nan), values, values[0], tangent)
    assert np.all(np.isnan(product))


@pytest.mark.parametrize("shape", [(5000,), (50, 100), (1, 5000)])
def test_of_one_element_that_is_repeated_that_one_is_looked_at(shape):
    """As of the cotangent of a sum; a repeated row has others beside it."""
    for element, expected in ((2.0, True), (np.nan, True), (0.0, False), (-0.0, False)):
        assert has_no_zero(np.broadcast_to(element, shape)) == expected
    assert not has_no_zero(np.ones(shape))
    assert not has_no_zero(np.broadcast_to(np.arange(100.0), (50, 100)))


@pytest.mark.parametrize("shape", [(3,), (2, 3), (), (0,), (2000,)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_have_nan(shape, n):
    """A NaN is found in whichever of several arrays it is; infinities are none."""
    xs = [np.full(shape, np.inf) for _ in range(n)]
    assert not have_nan(*xs)
    for x in xs:
        if x.size:
            x.flat[-1] = np.nan
            assert have_nan(*xs)
            x.flat[-1] = 1.0


@pytest.mark.parametrize(
    ("x", "x_bar", "expected"),
    [
        (1.0, np.float64(2.0), True),
        (np.float64(1.0), np.float64(2.0), True),
        (np.float64(1.0), 2.0, False),
        (1.0, 1j, False),
        (1, 1.0, False),
        (np.ones(2), np.ones(2), True),
        (np.ones(2), np.ones(1), False),
        (np.ones(2, int), np.ones(2, int), False),
        (np.ones(2, np.float32), np.ones(2), False),
        (np.ones(2, complex), np.ones(2, complex), True),
        (np.ones(2), ZERO, False),
    ],
)
def test_is_cotangent_of(x, x_bar, expected):
    """A cotangent as it is has the same shape and precision, and no integers."""
    assert is_cotangent_of(x, x_bar) is expected


def test_the_negative_of_an_array_takes_a_few_looks():
    """At classes, dtypes and shapes: nothing is asked for what it may carry."""
    x = np.ones(2)

    assert "primal_of" not in functions_run_by(lambda: negative_of_few(x, x))
    np.testing.assert_array_equal(negative_of_few(x, x), -x)


def test_everything_is_declined_where_shortcuts_are_off(monkeypatch):
    """With ``CHAINRULES_SHORTCUTS=0`` the answer is `None`, one for each operand."""
    monkeypatch.setattr(plain_arrays, "ARE_ENABLED", False)

    assert plain_arrays._declining()(max)(1, 2) is None
    assert plain_arrays._declining(None, None)(max)(1, 2) == (None, None)


# How many of the calls above each way answers. Where it answers fewer, the rule is right as before, and slow.
ANSWERED = {
    "has_nan": 49,
    "fitting_cotangent": 483,
    "same_cotangent": 130,
    "negative_of_few": 67,
    "product_for_number": 236,
    "product_of_operands": 2237,
    "sum_of_arrays": 10448,
    "sum_of_products": 2903,
    "products_of_few, x": 1258,
    "products_of_few, y": 952,
}


@np.errstate(all="ignore")
def test_what_is_answered(monkeypatch):
    """As many of the calls as ever; the answers themselves are compared with those of the general way."""
    monkeypatch.setattr(sys.modules[__name__], "PAIRS", pairs_of_operands())
    answered = {}
    for name, calls in CALLS.items():
        function = getattr(plain_arrays, name.rpartition(".")[2])
        answered[function.__name__] = sum(function(*call.args) is not None for call in calls())
    pairs = [
        products_of_few(by_x, by_y, values, z_bar, both)
        for x, y in [*PAIRS, (2.0, 3.0), (2.0, 0.0), (np.float64(2.0), 1.5), (2, 3.0)]
        for values in [evaluated(x, y)]
        for z_bar in cotangents(values[0])
        for both in (True, False)
    ]
    answered["products_of_few, x"] = sum(x_bar is not None for x_bar, _ in pairs)
    answered["products_of_few, y"] = sum(y_bar is not None for _, y_bar in pairs)
    assert answered == ANSWERED


def test_few_and_many():
    """Of few elements the products are computed, of many not; cotangents of another precision need care."""
    for number, is_few in ((FEW, True), (FEW + 1, False)):
        x = np.ones(number)
        assert (products_of_few(by_x, by_y, (x, x, x.copy()), x)[0] is not None) is is_few
        assert (negative_of_few(x, x) is not None) is is_few
    z, x = np.ones(2), np.ones(2)
    assert products_of_few(by_x, by_y, (z, x, x.copy()), np.ones(2, np.float32)) == (None, None)
    assert products_of_few(by_x, by_y, (z, x, x.copy()), x, both=False) == (None, None)
    assert products_of_few(by_x, by_y, (1.0, 2.0, 3.0), 0.0) == (None, None)


@pytest.mark.parametrize("partial", [1j * np.ones(2), np.ones((2, 2)), np.array([np.nan, 1.0]), 1j])
def test_pairs_of_products_that_need_care(partial):
    """One of both is enough; where both are alike they are answered."""
    x = np.array([0.0, 3.0])
    values = x * x * x, x, x.copy()

    for pair in (
        (lambda *_: partial, by_y),
        (by_x, lambda *_: partial),
        (lambda *_: partial, lambda *_: partial),
    ):
        assert products_of_few(*pair, values, x) == (None, None)
    assert all(np.array_equal(x_bar, 2.0 * x) for x_bar in products_of_few(*(lambda *_: 2.0,) * 2, values, x))


def test_zeros_are_counted_in_plain_arrays_only():
    """Of the elements of others nothing is known."""
    assert has_no_zero(np.ones(3))
    assert not any(map(has_no_zero, (np.array([1.0, 0.0]), 1.0, np.ones(3).view(np.recarray))))


def test_another_version_of_numpy(monkeypatch):
    """Where NumPy does not let elements be counted the quick way, they are counted the documented one."""
    monkeypatch.setattr(definition, "plain_arrays", plain_arrays)  # it is put back
    monkeypatch.delitem(sys.modules, plain_arrays.__name__)
    monkeypatch.setitem(sys.modules, "numpy._core.multiarray", None)
    other = importlib.import_module(plain_arrays.__name__)

    assert other.count_nonzero is np.count_nonzero is not plain_arrays.count_nonzero
    assert other.has_no_zero(np.ones(3))
    assert not other.has_no_zero(np.array([1.0, 0.0]))
