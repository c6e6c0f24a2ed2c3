"""The rules of the methods of ufuncs, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_core.structured import Symmetric
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, check_zeros_are_strong, normal, positive
from tests.chainrules.structured_checks import check_keeps_structure, check_symmetric

MATRIX = normal(2, 3)
VECTOR = positive(3, seed=1)
REORDERED = [np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.logaddexp, np.logaddexp2]
IN_ORDER = [np.subtract, np.divide, np.hypot]
OF_PAIRS = [
    *(*REORDERED, *IN_ORDER, np.arctan2, np.float_power, np.power),
    *(np.remainder, np.fmod, np.copysign, np.heaviside, np.nextafter),
]

OPTIONS = [
    {},
    {"axis": -1},
    {"axis": (0, 1), "keepdims": True},
    {"axis": None},
    {"initial": 0.3, "where": MATRIX > -0.5},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("f", REORDERED)
def test_reduce(f, options):
    """Along the first axis unless another is named; of chosen elements, from a start."""
    check_rule(f.reduce, MATRIX, **options)


@pytest.mark.parametrize("f", REORDERED)
def test_reduce_from_a_start_by_position(f):
    """The start has a derivative, where it counts and where it does not."""
    for start in (0.3, 5.0):
        test_frule(f.reduce, MATRIX, 1, None, None, False, start)
        test_rrule(f.reduce, MATRIX, 1, None, None, False, start)
    for options in ((1,), (1, None, None), (1, None, None, True)):  # the start is the next of the options
        test_frule(f.reduce, MATRIX, *options)
        test_rrule(f.reduce, MATRIX, *options)


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": -1, "keepdims": True}])
@pytest.mark.parametrize("f", IN_ORDER)
def test_reduce_in_order(f, options):
    """Functions whose first operand is the result so far."""
    check_rule(f.reduce, positive(2, 3), **options)
    check_rule(f.reduce, positive(1, 2), **options)


@pytest.mark.parametrize(
    "x", [1.5, np.array(1.5), positive(3, dtype=np.float32), np.arange(1, 4), positive(3, 0)]
)
@pytest.mark.parametrize("f", [np.add, np.multiply, np.maximum, np.logaddexp])
def test_reduce_of_other_operands(f, x):
    """Numbers, arrays without axes, single precision, integers, no results."""
    check_rule(f.reduce, x)


@pytest.mark.parametrize("f", [*REORDERED, *IN_ORDER])
@pytest.mark.parametrize("options", [{}, {"axis": 1}])
def test_accumulate(f, options):
    """All results so far."""
    check_rule(f.accumulate, positive(2, 3), **options)


@pytest.mark.parametrize("f", [np.add, np.maximum, np.logaddexp, np.divide])
def test_another_precision(f):
    """The derivatives have those of the argument and of the result."""
    x = positive(2, 3, dtype=np.float32)
    check_rule(f.reduce, x, 0, np.float64)
    check_rule(f.accumulate, x, 1, np.float64)
    check_rule(f.reduceat, x, [0, 1], 1, np.float64)


@pytest.mark.parametrize("f", [np.multiply, np.divide])
def test_accumulate_of_complex_numbers(f):
    """The functions that they are folded by are holomorphic."""
    check_rule(f.accumulate, positive(4, dtype=complex))
    check_rule(f.reduce, positive(4, dtype=complex))


@pytest.mark.parametrize("f", OF_PAIRS)
def test_outer(f):
    """All pairs of elements."""
    check_rule(f.outer, VECTOR, positive(1, 2, seed=2))


@pytest.mark.parametrize("f", OF_PAIRS)
def test_outer_with_a_number(f):
    """A number is an array without axes."""
    check_rule(f.outer, VECTOR, 2.9)
    check_rule(f.outer, 2.9, VECTOR.astype(np.float32))


@pytest.mark.parametrize(
    "f",
    [
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
        *(np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and, np.bitwise_or, np.bitwise_xor),
        *(np.left_shift, np.right_shift, np.gcd, np.lcm, np.floor_divide),
    ],
)
def test_what_has_no_derivative(f):
    """Truth values and whole numbers, combined in any way."""
    x = np.array([5, 3, 1]) if np.dtype(int) == f(1, 1).dtype else np.array([True, False, True])
    for method, args in (
        (f.reduce, (x,)),
        (f.accumulate, (x,)),
        (f.outer, (x, x)),
        (f.reduceat, (x, [0, 1])),
    ):
        test_frule(method, *args)
        test_rrule(method, *args)


def test_staircase_of_all_pairs():
    """The quotients' whole parts are constant between jumps."""
    test_frule(np.floor_divide.outer, VECTOR, positive(2, seed=2))
    test_rrule(np.floor_divide.outer, VECTOR, positive(2, seed=2))
    test_frule(np.less.outer, VECTOR, 1.0)
    test_rrule(np.less.outer, VECTOR, 1.0)


@pytest.mark.parametrize(("indices", "axis"), [([0, 1], 0), ([0, 2, 1, 1], 1), (np.array([1]), -1)])
@pytest.mark.parametrize("f", [*REORDERED, *IN_ORDER])
def test_reduceat(f, indices, axis):
    """Slices that follow each other, overlap, and are single elements."""
    check_rule(f.reduceat, positive(2, 3), indices, axis)


def test_ties_share_equally():
    """In a reduction all equal elements alike; running results share as pairs do."""
    x = np.array([2.0, 2.0, 2.0])

    np.testing.assert_allclose(rrule(np.maximum.reduce, x)[1](1.0)[1], np.full(3, 1 / 3))
    np.testing.assert_allclose(
        rrule(np.maximum.accumulate, x)[1](np.array([0.0, 0.0, 1.0]))[1], [0.25, 0.25, 0.5]
    )


def test_nans():
    """`maximum` gives them the cotangent, `fmax` ignores them."""
    x = np.array([1.0, np.nan, 2.0])

    assert rrule(np.maximum.reduce, x)[1](1.0)[1].tolist() == [0.0, 1.0, 0.0]
    assert rrule(np.fmax.reduce, x)[1](1.0)[1].tolist() == [0.0, 0.0, 1.0]


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("f", [np.logaddexp, np.logaddexp2])
def test_infinite_exponents_share_equally(f):
    """Where all are minus infinity, and where some are infinity; among finite ones they have no part."""
    inf = np.inf

    assert rrule(f.reduce, np.array([-inf, -inf]))[1](1.0)[1].tolist() == [0.5, 0.5]
    assert rrule(f.reduce, np.array([inf, 0.0, inf]))[1](1.0)[1].tolist() == [0.5, 0.0, 0.5]
    assert rrule(f.reduce, np.array([-inf, 1.0]))[1](1.0)[1].tolist() == [0.0, 1.0]
    np.testing.assert_allclose(rrule(f.reduce, np.array([1e3, 1e3]))[1](1.0)[1], [0.5, 0.5])
    by_start = grad(lambda start: f.reduce(np.array([inf, 0.0]), initial=start))
    assert (by_start(inf), by_start(1.0)) == (0.5, 0.0)


def test_methods_of_traced_values():
    """NumPy hands methods over with their options as keywords."""
    x = positive(4)

    np.testing.assert_allclose(
        grad(lambda x: np.logaddexp.reduce(x, axis=0))(x), np.exp(x) / np.sum(np.exp(x))
    )
    np.testing.assert_allclose(grad(lambda x: np.sum(np.multiply.outer(x, x)))(x), np.full(4, 2 * np.sum(x)))


@pytest.mark.parametrize(
    "f", [np.maximum.reduce, np.divide.reduce, np.divide.accumulate, np.logaddexp.reduce]
)
def test_without_tangent(f):
    """A zero tangent gives a zero one."""
    assert frule((NoTangent(), ZeroTangent()), f, MATRIX)[1] == ZeroTangent()


def test_without_one_of_two_tangents():
    """Each operand of a pair contributes its part."""
    tangents = (NoTangent(), ZeroTangent(), np.ones(3))

    np.testing.assert_array_equal(
        frule(tangents, np.multiply.outer, VECTOR, VECTOR)[1], np.outer(VECTOR, np.ones(3))
    )
    assert unthunk(rrule(np.multiply.outer, 2.0, 3.0)[1](1.0)[1]) == 3.0
    assert (
        frule((NoTangent(), ZeroTangent(), NoTangent()), np.add.reduceat, VECTOR, [0, 1])[1] == ZeroTangent()
    )


@pytest.mark.parametrize(
    ("f", "options", "message"),
    [
        (np.add.reduce, {"out": np.zeros(3)}, r"np\.sum.*out=.*cannot be differentiated"),
        (np.maximum.reduce, {"out": np.zeros(3)}, r"np\.maximum\.reduce.*out=.*cannot be differentiated"),
        (np.divide.reduce, {"out": np.zeros(3)}, r"np\.divide\.reduce.*out=.*cannot be differentiated"),
        (np.divide.accumulate, {"out": np.zeros((2, 3))}, r"np\.divide\.accumulate.*out=.*cannot be diff"),
        (np.subtract.reduce, {"initial": 1.0}, r"np\.subtract\.reduce.*initial=.*has no derivative"),
    ],
)
def test_what_cannot_be_derived_is_refused(f, options, message):
    """Writing into an array leaves no trace; a start of functions that are folded is not supported."""
    with pytest.raises(TypeError, match=message):
        rrule(f, MATRIX, **options)


def test_changes_in_place_are_refused():
    """The array is as it was, and the error says what to write."""
    x = np.zeros(3)

    with pytest.raises(TypeError, match=r"np\.add\.at cannot be differentiated.*np\.bincount"):
        rrule(np.add.at, x, [0, 0], np.ones(2))
    with pytest.raises(TypeError, match=r"np\.multiply\.at cannot be differentiated"):
        frule((NoTangent(), x, NoTangent(), np.ones(2)), np.multiply.at, x, [0, 0], np.ones(2))
    with pytest.raises(TypeError, match=r"np\.add\.at cannot be differentiated"):
        grad(lambda y: np.add.at(x, [0, 1], y))(np.ones(2))
    np.testing.assert_array_equal(x, 0.0)


def test_a_sum_by_index_in_place_of_one_in_place():
    """What the error says to write has the derivative that was wanted."""

    def summed(y):
        return np.sum((1.0 + np.bincount([0, 2, 0], y, 3)) ** 2)

    np.testing.assert_allclose(grad(summed)(np.array([1.0, 2.0, 3.0])), [10.0, 6.0, 10.0])


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.maximum.reduce)
    check_symmetric(np.logaddexp.reduce)
    check_symmetric(np.divide.reduce)
    check_symmetric(np.hypot.accumulate)
    check_symmetric(np.add.reduceat, [0, 2])
    A = Symmetric(positive(2, 2))
    check_keeps_structure(np.hypot.outer, A, A)


@pytest.mark.parametrize("f", [np.add, np.maximum, np.logaddexp, np.hypot])
def test_options_that_are_not_given(f):
    """NumPy has a mark of its own for it, which a caller may pass on."""
    check_rule(f.reduce, MATRIX, axis=1, initial=np._NoValue)


@pytest.mark.parametrize("f", [np.divide, np.hypot, np.logaddexp, np.multiply, np.maximum, np.subtract])
@pytest.mark.parametrize("undefined", [np.nan, np.inf])
def test_undefined_running_results_that_nothing_depends_on(f, undefined):
    """Their zero cotangents are strong."""
    x = positive(3, 4)
    x[1, :2] = undefined
    check_zeros_are_strong(f.accumulate, x, 1)
