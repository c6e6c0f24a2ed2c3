"""Traced values stand in for numbers and arrays: operators, methods, NumPy's protocols, refusals."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import RuleNotFoundError, primal_of
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.rule_checks import normal, positive


def traced(x, use):
    """What `use` gives for a traced `x`."""
    seen = []
    grad(lambda x: seen.append(use(x)) or 1.0)(x)
    return seen[0]


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
    """Lists and tuples of plain numbers are operands, as for arrays; of traced ones they are refused."""
    x = normal(2)

    assert grad(lambda x: np.sum(x * [1.0, 2.0] + (3.0, 4.0) * x - np.multiply([5.0, 6.0], x)))(
        x
    ).tolist() == [-1, 0]
    with pytest.raises(TypeError, match="converted to a"):
        grad(lambda x: np.sum(x * [x[0], 2.0]))(x)


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


def test_methods_are_the_functions_of_numpy():
    """Methods and attributes of arrays have their meaning."""
    x = normal(2, 3)

    def f(x):
        y = x.sum(axis=0) * x.mean(0) + x.reshape(3, 2).T[0] - x.transpose(1, 0)[:, 0]
        return (y.reshape((3,)) * x.transpose()[:, 1]).sum() * x.swapaxes(0, 1)[0, 0]

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


def test_parts_of_complex_values():
    """``real``, ``imag`` and ``conjugate`` are traced."""

    def f(z):
        return (z.real * z.imag + (z * z.conjugate()).real) * z.imag

    assert grad(f)(1 + 2j) == pytest.approx(grad_by_differences(None, f, 1 + 2j)[0])


def test_questions_about_an_array():
    """Shape, number of axes and elements, dtype and length are those of the value."""
    x = normal(2, 3, dtype=np.float32)

    assert traced(x, lambda x: (x.shape, x.ndim, x.size, x.dtype, len(x))) == ((2, 3), 2, 6, np.float32, 2)
    assert traced(x, lambda x: (np.shape(x), np.ndim(x), np.size(x))) == ((2, 3), 2, 6)
    assert traced(1.5, lambda x: (x.shape, x.ndim, x.size, x.dtype)) == ((), 0, 1, np.float64)
    with pytest.raises(TypeError, match="len"):
        traced(1.5, len)


def test_iteration_and_unpacking():
    """Rows come one by one, and are traced."""

    def f(x):
        a, b, c = x
        return a * b + c + sum(item * item for item in x)

    x = normal(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


def test_comparisons_of_arrays():
    """They give plain arrays of truth values, usable as a mask."""
    x = normal(5)

    assert type(traced(x, lambda x: x > 0.0)) is np.ndarray
    assert type(traced(x, lambda x: np.zeros(5) < x)) is np.ndarray
    assert type(traced(x, np.isfinite)) is np.ndarray
    np.testing.assert_allclose(grad(lambda x: np.sum(x[x > 0] ** 2))(x), np.where(x > 0, 2 * x, 0.0))
    assert traced(1.5, lambda x: x == "text") is False
    assert traced(1.5, lambda x: x != None) is True  # noqa: E711 - the comparison is the point
    with pytest.raises(ValueError, match="ambiguous"):
        traced(x, bool)


class Container:
    """Holds an array of any kind, and defers to it, as xarray's classes do."""

    __array_priority__ = 2000.0

    def __init__(self, data):
        self.data = data

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        assert method == "__call__"
        return Container(ufunc(*(x.data if isinstance(x, Container) else x for x in inputs), **kwargs))

    def __array_function__(self, function, types, args, kwargs):
        return Container(function(*(x.data if isinstance(x, Container) else x for x in args), **kwargs))

    def __mul__(self, other):
        return Container(self.data * other)

    def __rmul__(self, other):
        return Container(other * self.data)


def test_foreign_containers_may_hold_traced_values():
    """Types that the engine does not know are asked, whichever side they stand on."""

    def f(x):
        held = Container(x)
        ufuncs = np.multiply(x, held).data + np.multiply(held, x).data + np.exp(held).data
        operators = (x * held).data + (held * x).data + np.sum(held).data
        return np.sum(ufuncs + operators)

    x = normal(3)

    def plain(x):
        return np.sum(4 * x * x + np.exp(x) + np.sum(x))

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, plain, x)[0], rtol=1e-8)


def test_unknown_operands_are_refused_by_python():
    """An operator between a traced value and something that knows no arithmetic is a TypeError."""
    with pytest.raises(TypeError, match="unsupported operand"):
        traced(1.5, lambda x: x + object())
    with pytest.raises(TypeError, match="NotImplemented"):
        traced(1.5, lambda x: np.add(x, object()))


# --- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "convert", [np.asarray, np.array, lambda x: np.array([x, x]), lambda x: np.asarray([x[0], 1.0])]
)
def test_conversion_to_an_array_is_refused(convert):
    """It would lose the derivative; the error names ways that keep it."""
    with pytest.raises(TypeError, match=r"converted to a(n array|.*float).*primal_of"):
        traced(normal(2), convert)


@pytest.mark.parametrize("convert", [float, int, complex, operator.index])
def test_conversion_to_a_number_is_refused(convert):
    """It would lose the derivative."""
    with pytest.raises(TypeError, match="would lose its derivative"):
        traced(1.5, convert)


def test_assignment_is_refused():
    """An array that is written into has no history; `np.where` is the mend."""

    def assign(x):
        x[0] = 1.0

    with pytest.raises(TypeError, match=r"x\[\.\.\.\] = v .*np\.where"):
        traced(normal(2), assign)


def test_assignment_into_a_plain_array_is_refused():
    """The array could not hold the derivative."""

    def assign(x):
        y = np.zeros(2)
        y[0] = x[0]

    with pytest.raises((TypeError, ValueError)) as caught:
        traced(normal(2), assign)
    assert "would lose its derivative" in str(caught.value.__cause__ or caught.value)


def test_writing_the_result_somewhere_is_refused():
    """`out`, and augmented assignment to a plain array, which NumPy makes into `out`."""
    a = np.zeros(2)

    def add_to_plain_array(x):
        b = a
        b += x

    for write in (
        lambda x: np.add(x, 1.0, out=a),
        lambda x: np.sum(x, axis=0, out=a),
        lambda x: x.sum(axis=0, out=a),
        add_to_plain_array,
    ):
        with pytest.raises(TypeError, match=r"out=\.\.\..*leaves no trace"):
            traced(normal(2), write)
    np.testing.assert_array_equal(a, np.zeros(2))


@pytest.mark.parametrize("keywords", [{"where": np.array([True, False])}, {"dtype": np.float32}])
def test_keywords_of_elementwise_functions_are_refused(keywords):
    """Rules of ufuncs have no derivative for them; it is not dropped silently."""
    name = next(iter(keywords))
    with pytest.raises(TypeError, match=rf"np\.multiply\(\.\.\., {name}=\.\.\.\).*np\.where"):
        traced(normal(2), lambda x: np.multiply(x, 2.0, **keywords))


def test_operations_without_a_rule():
    """What has no rule says so, and does not raise something else."""
    ufunc = np.frompyfunc(max, 2, 1)

    for use in (lambda x: ufunc(x, 1.0), ufunc.reduce):
        with pytest.raises(RuleNotFoundError, match="has no rule"):
            traced(normal(2), use)


def test_attributes_of_arrays_without_a_counterpart():
    """What arrays have and traced values have not is named, with the way out."""
    with pytest.raises(AttributeError, match=r"`x\.tolist` of a traced value.*primal_of\(x\)\.tolist"):
        traced(normal(2), lambda x: x.tolist())
    with pytest.raises(AttributeError, match="has no attribute 'shpae'"):
        traced(normal(2), lambda x: x.shpae)


def test_primal_of_gives_the_plain_value():
    """The way out for what is not to be differentiated."""
    assert traced(1.5, lambda x: float(primal_of(x))) == 1.5
    assert grad(lambda x: x * primal_of(x))(3.0) == 3.0


def test_hash_is_by_identity():
    """A traced value can be a key."""
    assert traced(1.5, lambda x: {x: "found"}[x]) == "found"
