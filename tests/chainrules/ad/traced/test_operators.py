"""The operators of Python on traced values."""

import functools
import operator

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from chainrules.ad import call, grad, interception, jacobian
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced
from chainrules_core import primal_of, primitive
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal, positive
from tests.python_calls import functions_run_by

OTHERS = [2.5, 2, np.float64(2.5), np.float32(2.5), np.array(2.5), positive(3), np.arange(1, 4), 2.5 + 1j]


@pytest.mark.parametrize("other", OTHERS, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize(
    "f", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow], ids=lambda f: f.__name__
)
def test_operators_on_either_side(f, other):
    """Operators take numbers and arrays of all kinds on both sides, and give what they give for arrays."""
    x = positive(3)

    def left(x):
        return np.sum(np.real(f(x, other)))

    def right(x):
        return np.sum(np.real(f(other, x)))

    for side in (left, right):
        np.testing.assert_allclose(grad(side)(x), grad_by_differences(None, side, x)[0], rtol=1e-8)


def test_sequences_of_numbers_are_arrays():
    """Lists and tuples of plain numbers are operands, as for arrays, and so are those of traced ones."""
    x = normal(2)

    assert grad(lambda x: np.sum(x * [1.0, 2.0] + (3.0, 4.0) * x - np.multiply([5.0, 6.0], x)))(
        x
    ).tolist() == [-1, 0]
    np.testing.assert_allclose(
        grad(lambda x: np.sum(x * [x[0], 2.0]) + np.sum([[x[1]], [3.0]] - x))(x),
        [2.0 * x[0] - 2.0, 2.0 + 2.0 - 2.0],
    )
    assert while_traced(x, lambda x: x == [x[0], 30.0]).tolist() == [True, False]


@pytest.mark.parametrize("f", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow])
def test_operands_of_every_traced_class(f):
    """Values, views and arrays that are filled, on either side."""

    def program(x):
        filled = np.ones(3)
        filled[1:] = x[1:] * x[:2]
        operands = (x, x[:], x[::-1], filled, filled[:])
        return sum(np.sum(f(a, b) ** 2) for a in operands for b in operands)

    x = positive(3)
    np.testing.assert_allclose(grad(program)(x), grad_by_differences(None, program, x)[0], rtol=1e-7)


def test_items_are_views():
    """What is written into a slice is written into the array; an item is a number."""

    def program(x):
        y = x * x
        item, part, rest = y[0], y[1:], y[1:, ...]
        part[0] = 5.0 * x[2]
        rest[1] = x[0] ** 3
        return np.sum(y * x) * item

    x = positive(3)
    np.testing.assert_allclose(grad(program)(x), grad_by_differences(None, program, x)[0], rtol=1e-7)


@pytest.mark.parametrize(
    ("operation", "long_way"),
    [
        (lambda x, y: x * y, "apply_to_two"),
        (lambda x, y: x * 2.0, "apply"),
        (lambda x, y: 2.0 * x, "apply"),
        (lambda x, y: -x, "apply"),
        (lambda x, y: x[0], "item"),
        (lambda x, y: x[0], "apply"),
        (lambda x, y: x[1:], "apply"),
        (lambda x, y: x > 2.0, "is_operand"),
    ],
)
def test_the_short_way(operation, long_way):
    """Operations with numbers and with values of the same differentiation do not look further."""
    x, y = traced([normal(3), normal(3)], ReverseTrace(), input_node)[0]

    assert long_way not in functions_run_by(lambda: operation(x, y))


def test_matrix_products_on_either_side():
    """``@`` with a plain array on the left or on the right."""
    A, x = normal(3, 3), normal(3)

    np.testing.assert_allclose(grad(lambda x: x @ A @ x)(x), (A + A.T) @ x)
    np.testing.assert_allclose(grad(lambda x: A[0] @ x)(x), A[0])


def test_augmented_assignment_rebinds():
    """``x += v`` makes a new value, and leaves the argument as it was."""
    x = normal(3)
    before = x.copy()

    def f(y):
        y += 1.0
        y *= y
        return np.sum(y)

    np.testing.assert_allclose(grad(f)(x), 2 * (x + 1))
    np.testing.assert_array_equal(x, before)


def test_iteration_and_unpacking():
    """Rows come one by one, and are traced."""

    def f(x):
        a, b, c = x
        return a * b + c + sum(item * item for item in x)

    x = normal(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


def test_comparisons_of_arrays():
    """Comparisons give plain arrays of truth values, usable as a mask."""
    x = normal(5)

    assert type(while_traced(x, lambda x: x > 0.0)) is np.ndarray
    assert type(while_traced(x, lambda x: np.zeros(5) < x)) is np.ndarray
    assert type(while_traced(x, np.isfinite)) is np.ndarray
    np.testing.assert_allclose(grad(lambda x: np.sum(x[x > 0] ** 2))(x), np.where(x > 0, 2 * x, 0.0))
    assert while_traced(1.5, lambda x: x == "text") is False
    assert while_traced(1.5, lambda x: x != None) is True  # noqa: E711 - the comparison is the point
    assert while_traced(x, lambda x: x == [x.shape[0]] * 5).tolist() == [False] * 5
    assert while_traced(x, lambda x: x < tuple(np.arange(5))).tolist() == (x < np.arange(5)).tolist()
    assert while_traced(x, lambda x: x > x[0]).tolist() == (x > x[0]).tolist()
    with pytest.raises(ValueError, match="ambiguous"):
        while_traced(x, bool)


def test_unknown_operands_are_refused_by_python():
    """An operator between a traced value and something that knows no arithmetic is a TypeError."""
    with pytest.raises(TypeError, match="unsupported operand"):
        while_traced(1.5, lambda x: x + object())
    with pytest.raises(TypeError, match="NotImplemented"):
        while_traced(1.5, lambda x: np.add(x, object()))


def test_hash_is_by_identity():
    """A traced value can be a key."""
    assert while_traced(1.5, lambda x: {x: "found"}[x]) == "found"


@pytest.mark.parametrize("x", [2.5, np.float64(-2.5), np.array([2.5, -1.3])], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize(
    "f",
    [
        operator.neg,
        operator.pos,
        abs,
        lambda x: x % 0.75,
        lambda x: 7.0 % x,
        lambda x: divmod(x, 0.75)[1],
        lambda x: divmod(7.0, x)[1],
        lambda x: x // 0.75 * x,
        lambda x: 7.0 // x * x,
        lambda x: pow(x, 3),
        lambda x: pow(1.5, x),
    ],
)
def test_other_operators(f, x):
    """The operators of one operand work, and divisions with a remainder, whose quotient is a step."""

    def total(x):
        return np.sum(f(x))

    np.testing.assert_allclose(grad(total)(x), grad_by_differences(None, total, x)[0], rtol=1e-8)
    np.testing.assert_allclose(while_traced(x, lambda x: primal_of(f(x))), f(x))


@pytest.mark.parametrize("f", [operator.invert, lambda x: x & 1, lambda x: 1 | x, lambda x: x << 1])
def test_operators_of_integers(f):
    """Numbers and arrays that can be differentiated have none of them, and neither have traced ones."""
    with pytest.raises(TypeError, match=r"bad operand|unsupported operand"):
        f(2.5)
    with pytest.raises(TypeError, match=r"bad operand|unsupported operand"):
        while_traced(2.5, f)


INDICES = [
    1,
    -1,
    np.int64(1),
    slice(1, None),
    slice(None, None, -2),
    ...,
    None,
    (0, 1),
    (slice(None), 2),
    (..., 0),
    (None, 1, slice(None, 2)),
    [2, 0, 2],
    np.array([[0, 1], [1, 1]]),
    np.array([True, False, True]),
    np.arange(9).reshape(3, 3) % 2 == 0,
    ([0, 1, 1], [2, 2, 2]),
    (slice(None), [0, 0]),
    (np.array([[0], [1]]), np.array([1, 2])),
    np.ix_([0, 2], [1]),
    (),
    [],
]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_indices_of_every_kind(index):
    """Integers, slices, new axes, dots, truth values, arrays and repeated elements index traced arrays."""
    x, weights = normal(3, 3), normal(3, 3)[index] + 1.0

    def f(x):
        return np.sum(x[index] ** 2 * weights)

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(while_traced(x, lambda x: primal_of(x[index])), x[index])


@pytest.mark.parametrize(
    "make", [list, np.array, lambda items: (slice(None), np.array(items)), lambda i: (..., i)]
)
def test_indices_that_are_written_into(make):
    """The pullback sees an index as it was."""

    def f(x):
        items = [0, 2]
        index = make(items)
        y = x[index]
        for written in index if index.__class__ is tuple else [index]:
            if isinstance(written, list | np.ndarray):
                written[0] = 1
        return np.sum(y**2)

    x = normal(3, 3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8, atol=1e-10)


def test_a_traced_index_is_refused():
    """A float is no index; what is found by `argmax` and the like is a plain integer."""
    x = np.array([1.5, 0.5])

    with pytest.raises(IndexError, match="only integers"):
        while_traced(x, lambda x: x[x[0]])
    assert grad(lambda x: x[np.argmax(x)] * x[x.argmin()])(x).tolist() == [0.5, 1.5]
    assert grad(lambda x: x[int(x.shape[0]) - 1])(x).tolist() == [0.0, 1.0]


def test_membership():
    """``in`` compares values, as for arrays."""
    x = normal(2, 3)

    assert while_traced(x, lambda y: x[0, 1] in y)
    assert not while_traced(x, lambda y: 7.0 in y)
    assert while_traced(x, lambda y: y[0, 1] in y)
    assert while_traced(x, lambda y: y[0, 0] in list(y[0]))


def test_functions_of_python():
    """`sum`, `max`, `sorted` and `reversed` do what they do to arrays of numbers."""

    def f(x):
        first, *_, last = sorted(x, reverse=True)
        return sum(x) * max(x) + min(x[0], 0.5 * x[1]) * first - last**2 + next(reversed(x)) ** 3

    x = normal(4)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


def test_operands_of_two_differentiations():
    """The inner one takes what the outer one traces for a constant, on either side."""
    x = positive(3)

    for f in (operator.add, operator.mul, operator.truediv, operator.pow, operator.sub):
        inner = grad(lambda x, f=f: np.sum(x * grad(lambda y: np.sum(f(x, y)))(x)))(x)
        swapped = grad(lambda x, f=f: np.sum(x * grad(lambda y: np.sum(f(y, x)))(x)))(x)

        def by_hand(x, f=f, place=1):
            frozen = [x, x]

            def moved(y):
                args = list(frozen)
                args[place] = y
                return np.sum(f(*args))

            return np.sum(x * grad_by_differences(None, moved, x)[0])

        expected = grad_by_differences(None, by_hand, x)[0]
        np.testing.assert_allclose(inner, expected, rtol=1e-6, atol=1e-7)
        expected = grad_by_differences(None, lambda x, f=f: by_hand(x, f, 0), x)[0]
        np.testing.assert_allclose(swapped, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "mod", "matmul"])
@pytest.mark.parametrize("D", [grad, functools.partial(jacobian, mode="forward")])
def test_augmented_assignments_of_traced_values(name, D):
    """``x += y`` has the elements of ``x + y``, by whatever way it is called."""
    in_place, operation = getattr(operator, f"i{name}"), getattr(operator, name)
    x, y = np.array([[1.5, 2.5], [0.7, 1.2]]), np.array([[0.5, 1.5], [0.3, 0.8]])

    expected = D(lambda x: np.sum(operation(x * x, y)))(x)
    for f in (in_place, primitive(in_place), functools.partial(call, in_place)):
        np.testing.assert_array_equal(D(lambda x, f=f: np.sum(f(x * x, y)))(x), expected)
    with pytest.raises(TypeError, match=r"in place|out="):
        D(lambda x: np.sum(call(in_place, y, x)))(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * range(1, 4),
        lambda x: range(1, 4) - x,
        lambda x: x @ range(3),
        lambda x: np.power(x, range(3)),
        lambda x: np.maximum.outer(range(2), x),
        lambda x: np.dot(range(3), x),
        lambda x: np.interp(x, range(4), [1.0, 3.0, 2.0, 7.0]),
    ],
)
def test_ranges(f):
    """NumPy takes a range for an array, beside a traced array too."""
    x = np.array([0.3, 1.4, 2.2])
    np.testing.assert_array_equal(while_traced(x, lambda x: primal_of(f(x))), f(x))
    np.testing.assert_allclose(
        grad(lambda x: np.sum(f(x)))(x), grad_by_differences(None, lambda x: np.sum(f(x)), x)[0], rtol=1e-8
    )


def test_operators_of_others_may_try_to_convert():
    """A polynomial tries whether a traced number is a coefficient, before the operator of that is called."""
    with interception(False):
        assert grad(lambda a: (Polynomial([1.0, 2.0]) * a)(0.5))(3.0) == 2.0
        assert grad(lambda a: a if Polynomial([1.0]) != a else 0.0 * a)(3.0) == 1.0
        with pytest.raises(TypeError, match="would lose its derivative"):
            grad(lambda a: a + _or_zero(a))(3.0)
        with pytest.raises(TypeError, match="would lose its derivative"):
            grad(lambda a: (Polynomial([1.0 + _or_zero(a)]) * a)(0.5))(3.0)
        with pytest.raises(TypeError, match="would lose its derivative"):
            grad(lambda a: (Polynomial([1.0 + _or_zero(a, np.asarray)]) * a)(0.5))(3.0)


def _or_zero(a, convert=float):
    try:
        return convert(a)
    except TypeError:
        return 0.0
