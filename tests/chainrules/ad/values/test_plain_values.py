"""Numbers and arrays of the usual classes, and other operands of traced values."""

import statistics
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad, interception, jvp, value_and_grad, vjp
from chainrules.ad.values.plain_values import has_operators, has_rules, is_array_like, is_operand
from chainrules_core.structured import Diagonal
from chainrules_testutils import grad as grad_by_differences
from tests.case_names import shown
from tests.python_calls import functions_run_by


@dataclass
class Wrapper:
    """Looks like an array, and may hold traced values."""

    shape: tuple
    dtype: type

    def __array_function__(self, function, types, args, kwargs):
        return NotImplemented


@pytest.mark.parametrize(
    "x",
    [
        1.5,
        2,
        True,
        1j,
        Fraction(1, 2),
        np.float32(1.5),
        np.bool_(True),
        np.complex128(1j),
        np.ones(2).view(np.recarray),
        np.ones(2),
        np.ones(2, dtype=int),
        Diagonal(np.ones(2)),
        scipy.sparse.csr_array(np.eye(2)),
        scipy.sparse.coo_matrix(np.eye(2)),
    ],
    ids=lambda x: type(x).__name__,
)
def test_operands(x):
    """Numbers, arrays, and structured and sparse ones are taken."""
    assert is_operand(x)


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), 2, 1j, np.ones(2)], ids=lambda x: type(x).__name__)
def test_frequent_operands(x):
    """They are known by their class alone."""
    assert functions_run_by(lambda: is_operand(x)) == {"is_operand": 1}


def test_arrays_of_other_kinds():
    """Masked arrays are refused, since their masks would be lost."""
    with pytest.raises(TypeError, match="masks"):
        is_operand(np.ma.masked_array([1.0]))


class Tensor:
    """Looks like a tensor of a framework."""


Tensor.__module__ = "torch"


@pytest.mark.parametrize(
    "x", [[1.0], (1.0,), "1.0", None, object(), Wrapper((2,), float), Tensor()], ids=shown
)
def test_other_values(x):
    """Sequences are made arrays first; what else looks like an array is asked itself."""
    assert not is_operand(x)


def test_objects_whose_operators_have_rules():
    """Such objects are NumPy's and Python's, objects of derived classes, and carriers of them."""

    class Own(np.polynomial.Polynomial):
        pass

    assert is_operand(Own([1.0]))
    for cls in (Own, statistics.NormalDist):
        assert has_operators(cls)
    assert not has_operators(Wrapper)


class Lazy:
    """What stands for an array of Dask, which need not be installed."""


Lazy.__module__, Lazy.__qualname__ = "dask.array.core", "Array"


def test_classes_that_leave_operations_to_rules():
    """Structured arrays do, and sparse ones, whose operators give way."""
    assert has_rules(Diagonal)
    assert has_rules(scipy.sparse.csr_array)
    assert has_rules(Lazy)
    assert not has_rules(np.ndarray)
    assert not has_rules(Wrapper)


def test_arrays_that_are_alike():
    """Plain arrays of one dtype and shape are; numbers, subclasses, and other dtypes and shapes are not."""
    x = np.ones(3)

    assert is_array_like(x, 2 * x)
    others = (np.ones(2), np.ones((3, 1)), x.astype(np.float32), 1.0, np.ones(3).view(np.recarray))
    assert not any(is_array_like(x, other) or is_array_like(other, x) for other in others)


class Hundredfold(float):
    """A float whose products are a hundred times as large."""

    def __mul__(self, other):
        """Not that of floats."""
        return 100.0 * float(self) * other

    __rmul__ = __mul__


class HundredfoldComplex(complex):
    """A complex number whose products are a hundred times as large."""

    def __mul__(self, other):
        """Not that of complex numbers."""
        return 100.0 * complex(self) * other


class HundredfoldArray(np.ndarray):
    """An array whose products are a hundred times as large."""

    def __mul__(self, other):
        """Not that of arrays."""
        return 100.0 * np.asarray(self) * other


class Named(np.ndarray):
    """An array with a name, and the operators of arrays."""

    name = "x"


class Metres(float):
    """A float with a unit, and the operators of floats."""

    unit = "m"


@pytest.mark.parametrize("x", [Hundredfold(2.0), HundredfoldComplex(2.0), np.ones(2).view(HundredfoldArray)])
def test_operators_of_ones_own(x):
    """The value would use them, and the derivative would not: such arguments are refused."""
    for differentiate in (
        lambda: grad(lambda x: np.sum(x * 2.0))(x),
        lambda: grad(lambda d: np.sum(d["x"] * 2.0))({"x": x}),
        lambda: vjp(lambda x: x * 2.0, x),
        lambda: jvp(lambda x: x * 2.0, (x,), (np.ones(np.shape(x))[()],)),
    ):
        with pytest.raises(TypeError, match=r"operators of its own.*(np\.asarray|float)\(x\)"):
            differentiate()


class TotalOfThree(np.ndarray):
    """An array with a sum of its own."""

    def sum(self):
        """Not that of arrays."""
        return 3.0


class Doubled(np.ndarray):
    """An array with other items than it holds."""

    def __getitem__(self, place):
        """Not that of arrays."""
        return 2.0 * np.asarray(self)[place]


class Seven(float):
    """A float that is converted to another one."""

    def __float__(self):
        """Not that of floats."""
        return 7.0


@pytest.mark.parametrize(
    ("x", "f", "name"),
    [
        (np.ones(2).view(TotalOfThree), lambda x: x.sum(), "sum"),
        (np.ones(2).view(Doubled), lambda x: x[0], "__getitem__"),
        (Seven(2.0), float, "__float__"),
    ],
)
def test_methods_of_ones_own(x, f, name):
    """The same holds of methods, which the error names."""
    with pytest.raises(TypeError, match=rf"such as `{name}`.*(np\.asarray|float)\(x\)"):
        value_and_grad(f)(x)


def test_operators_of_constants():
    """Beside traced values the operators of a constant are used, by value and derivative."""
    a = np.full(2, 3.0).view(HundredfoldArray)
    value, gradient = value_and_grad(lambda x: np.sum(a * x))(np.ones(2))
    assert value == 600.0
    np.testing.assert_array_equal(gradient, [300.0, 300.0])
    assert value_and_grad(lambda x: Hundredfold(2.0) * x)(1.5) == (300.0, 200.0)
    assert value_and_grad(lambda x: x * Hundredfold(2.0))(1.5) == (300.0, 200.0)
    with pytest.raises(TypeError):
        grad(lambda x: np.sum(x * a))(np.ones(2))


def test_subclasses_with_the_usual_operators():
    """They are arrays and floats like any other."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(x * x))(np.ones(2).view(Named)), [2.0, 2.0])
    assert grad(lambda x: x * x)(Metres(1.5)) == 3.0
    assert grad(lambda x: x * Metres(2.0))(1.5) == 2.0


@pytest.mark.parametrize("intercepted", [True, False])
@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * range(3) + range(1, 4) / x,
        lambda x: np.maximum(x, range(3)) - np.subtract.outer(range(2), x),
        lambda x: np.interp(x, range(4), range(0, 8, 2)) + np.interp(0.7, range(3), x),
        lambda x: np.polyfit(range(3), x**2, 1),
        lambda x: np.linalg.solve(np.diag(x), range(3)),
        lambda x: np.where(x > 1.0, range(3), x) * np.dot(range(3), x),
        lambda x: x.dot(range(3)) + x.dot([1.0, 2.0, 3.0]) + x.dot((3.0, 2.0, 1.0)),
    ],
)
def test_ranges_are_arrays(f, intercepted):
    """They are to NumPy; its methods take what its functions take."""

    def total(x):
        return np.sum(np.cos(f(x)))

    x = np.array([1.3, 0.7, 2.2])
    with interception(intercepted):
        np.testing.assert_allclose(grad(total)(x), grad_by_differences(None, total, x)[0], rtol=1e-8)
