"""Matrices are refused, wherever a traced value meets one, and masked arrays where it has to be an array."""

import importlib
import warnings

import mpmath
import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.values.kinds_of_arrays import (
    check_kind,
    refusal_of_class,
    refusal_of_framework,
    refusal_of_function,
    values_of,
)
from chainrules_core import RuleNotFoundError, primal_of

X = np.array([0.7, 1.3, 2.1])
MASKED = np.ma.masked_array(np.arange(3.0), mask=[0, 1, 0])
with warnings.catch_warnings():
    warnings.simplefilter("ignore", PendingDeprecationWarning)  # NumPy would do without matrices
    MATRIX = np.matrix(np.eye(3))

MEETINGS = {
    "left": lambda x, other: x * other,
    "a ufunc": np.multiply,
    "a function": np.dot,
    "an augmented assignment": lambda x, other: np.sin(x).__iadd__(other),
    "a comparison": lambda x, other: (x < other) * x,
}


@pytest.mark.parametrize("intercepted", [True, False])
@pytest.mark.parametrize("meet", MEETINGS.values(), ids=MEETINGS)
@pytest.mark.parametrize("other", [MASKED, MATRIX])
def test_meetings(intercepted, meet, other):
    """Also where calls are not intercepted."""
    with interception(intercepted), pytest.raises(TypeError, match=r"mask|matri|about to become"):
        grad(lambda x: np.sum(np.asarray(meet(x, other))))(X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.ma.masked_array(x, mask=[0, 1, 0]),
        lambda x: np.ma.masked_where(x > 1.0, x),
        np.asmatrix,
        lambda x: np.matrix([x]),
        lambda x: np.bmat([[x]]),
    ],
)
def test_making_one(f):
    """Of traced values none is made."""
    with pytest.raises(TypeError, match="write"):
        grad(lambda x: np.sum(np.asarray(f(x))))(X)


def test_a_matrix_of_blocks():
    """The error names the function that makes an array of them."""
    with pytest.raises(TypeError, match=r"numpy\.bmat was called .*: write `np\.block`\.$"):
        grad(lambda x: np.sum(np.asarray(np.bmat([[x, x]]))))(X)


def test_operators_of_their_own():
    """On the left it is their own method that is called; elsewhere it asks for an array."""
    for other in (MASKED, MATRIX):
        with pytest.raises(TypeError, match="write"):
            grad(lambda x, other=other: np.sum(np.asarray(other * x)))(X)
    with interception(False), pytest.raises(TypeError, match="about to become an array"):
        grad(lambda x: np.sum(np.asarray(MASKED * x)))(X)


def test_constants():
    """Such an array may be made and used beside traced values, and asked for."""

    def f(x):
        masked = np.ma.array(np.arange(3.0), mask=[0, 1, 0])
        assert not np.ma.isMaskedArray(x)
        return np.sum(x) * masked.sum() + np.sum(np.ma.filled(x))

    np.testing.assert_array_equal(grad(f)(X), [3.0, 3.0, 3.0])


class Series:
    """What stands for a series of pandas, which need not be installed."""

    __array_priority__ = 1000

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values)


Series.__module__ = "pandas.core.series"


def test_pandas():
    """Operators are refused; functions of NumPy and assignments take the values."""
    series = Series([1.0, 2.0, 3.0])
    for refused in (
        lambda x: x * series,
        lambda x: np.multiply(x, series),
        lambda x: np.add(series, x),
        lambda x: x[0] - series,
        lambda x: np.sin(x).__iadd__(series),
    ):
        with pytest.raises(TypeError, match=r"s\.to_numpy\(\)"):
            grad(lambda x, f=refused: np.sum(f(x)))(X)

    def f(x):
        y = np.zeros(3)
        y[:] = series
        y[0] = x[1]
        z = x * 1.0
        z[1:] = series.values[1:]
        z[:] = series
        z[2] = x[0]
        return np.dot(x, series) + np.sum(np.where(x > series, series, x)) + np.sum(y) + np.sum(z)

    np.testing.assert_array_equal(grad(f)(X), [3.0, 4.0, 4.0])


def test_pictures():
    """A plot takes plain values: the error says so, and where it is."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    axes = pyplot.figure().subplots()
    for draw in (pyplot.plot, pyplot.hist, pyplot.axhline, axes.scatter, axes.imshow):
        with pytest.raises(
            TypeError, match=r"test_kinds_of_arrays\.py:\d+, in `draw\(x\)`.* `.*primal_of\(x\)`"
        ):
            grad(lambda x, draw=draw: (draw(x), np.sum(x))[1])(X)
    plotted = grad(lambda x: (pyplot.plot(primal_of(x), label=f"{np.sum(x)}"), np.sum(x))[1])(X)
    np.testing.assert_array_equal(plotted, np.ones(3))
    pyplot.close("all")


def test_pandas_itself():
    """Its own operators, functions and classes are refused likewise."""
    pandas = pytest.importorskip("pandas")
    series, frame = pandas.Series([1.0, 2.0, 3.0]), pandas.DataFrame({"a": [1.0, 2.0, 3.0]})
    for refused in (
        lambda x: series * x,
        lambda x: frame * x[0],
        lambda x: x @ frame,
        series.dot,
        pandas.Series,
        lambda x: pandas.DataFrame({"a": x}),
    ):
        with pytest.raises(TypeError, match=r"s\.to_numpy\(\)"):
            grad(lambda x, f=refused: np.sum(f(x)))(X)

    def f(x):
        assert not np.any(pandas.isna(series))
        return np.sum(x * frame["a"].to_numpy()) * series.sum()

    np.testing.assert_array_equal(grad(f)(X), [6.0, 12.0, 18.0])


def framework_class(package):
    """A class that stands for the tensors of a framework, which need not be installed."""
    return type("Tensor", (), {"__module__": package, "__array_priority__": 1000, "dtype": np.dtype(float)})


@pytest.mark.parametrize(
    ("package", "plain", "bridge"),
    [
        ("torch", r"t\.detach\(\)\.numpy\(\)", "to_torch"),
        ("jaxlib._jax", r"np\.asarray\(t\)", "to_jax"),
        ("mygrad.tensor_base", r"t\.data", "to_mygrad"),
    ],
)
def test_tensors_of_frameworks(package, plain, bridge):
    """Beside traced values, and as arguments to differentiate by: the message names the bridge."""
    tensor = framework_class(package)()
    for refused in (lambda x: x * tensor, lambda x: tensor @ x, lambda x: np.multiply(tensor, x)):
        with pytest.raises(
            TypeError, match=rf"`{plain}` for a constant.*`chainrules\.adapters\.{bridge}\(f\)`"
        ):
            grad(lambda x, f=refused: np.sum(f(x)))(X)
    with pytest.raises(TypeError, match=rf"argument 0, a Tensor\. .*`chainrules\.adapters\.{bridge}\(f\)`"):
        grad(np.sum)(tensor)


def test_functions_of_frameworks():
    """Some cannot take traced values: the message names the bridge into NumPy."""
    assert "`chainrules.adapters.from_torch(f)`" in refusal_of_framework("torch.nn.functional")
    assert "`chainrules.adapters.from_jax(f)`" in refusal_of_framework("jax.numpy")
    assert refusal_of_framework("autograd.numpy") is None  # they are NumPy's where there are no boxes
    assert refusal_of_framework(None) is None


def test_functions_of_frameworks_in_c():
    """Likewise, where they are called."""
    torch = pytest.importorskip("torch")
    for f in (torch.sum, torch.sin, torch.nn.functional.relu, torch.linalg.norm):
        with pytest.raises((TypeError, RuleNotFoundError), match=r"`chainrules\.adapters\.from_torch\(f\)`"):
            grad(lambda x, f=f: f(x))(X)


def test_questions():
    """Subclasses are of the kind of their class; arrays and other classes are of none."""

    class Special(np.ma.MaskedArray):
        """A masked array."""

    assert "masks" in refusal_of_class(Special)
    assert refusal_of_class(np.ndarray) is refusal_of_class(np.memmap) is refusal_of_class(int) is None
    assert "masks" in refusal_of_function("numpy.ma.extras", "polyfit")
    assert refusal_of_function("numpy.linalg", "norm") is refusal_of_function(None, "f") is None
    assert check_kind(X) is None
    assert "to_numpy" in refusal_of_class(Series)
    assert "to_numpy" in refusal_of_function("pandas.core.series", "map")
    assert refusal_of_function("pandas.core.dtypes.missing", "isna") is None
    assert values_of(X) is X


def test_a_method_of_a_module_that_reads_a_parameter():
    """The parameter has its gradient: a module finds it by a function of PyTorch's, which hands it on."""
    torch = pytest.importorskip("torch")
    to_torch = importlib.import_module("chainrules.adapters").to_torch

    class Scaled(torch.nn.Module):
        """A module whose method computes with NumPy."""

        def __init__(self):
            super().__init__()
            self.k = torch.nn.Parameter(torch.tensor(2.0, dtype=torch.float64))

        def scaled(self, x):
            """The method."""
            return np.sum(x * self.k)

        def forward(self, x):
            """Calls the method."""
            return to_torch(self.scaled)(x)

    module, x = Scaled(), torch.ones(3, dtype=torch.float64, requires_grad=True)
    module(x).backward()
    assert module.k.grad == 3.0
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


class Labelled:
    """An array with labels, as one of xarray, that nobody looks into, since nobody makes another one."""

    def __init__(self, values):
        self.values = values

    def __del__(self):
        """Be told when it goes."""

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_arguments_that_give_their_array_away():
    """The error says how."""
    with pytest.raises(TypeError, match=r"argument 0: .* not looked for\. Write `np\.asarray\(x\)`; or, if"):
        grad(lambda x: np.sum(np.asarray(x)))(Labelled(np.ones(2)))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: float(mpmath.gamma(x)),
        lambda x: float(mpmath.mpf(x)),
        lambda x: float(mpmath.matrix([[x, 1.0]])[0, 0]),
        lambda x: float(mpmath.mpf(2) * x),
        lambda x: float(x * mpmath.mpf(2)),
        lambda x: float(mpmath.quad(lambda t: t * float(x), [0, 1])),
    ],
)
def test_numbers_of_mpmath(f):
    """They are made of whole numbers: the derivative would be lost."""
    with pytest.raises(TypeError, match=r"mpmath|mpf"):
        grad(f)(1.5)


def test_numbers_of_mpmath_that_are_floats():
    """Its other context computes with Python's own."""
    assert grad(lambda x: mpmath.fp.sin(x) * x)(1.5) == pytest.approx(np.cos(1.5) * 1.5 + np.sin(1.5))
    assert grad(lambda x: x * float(mpmath.gamma(2.5)))(1.5) == pytest.approx(float(mpmath.gamma(2.5)))


def test_numbers_of_sympy():
    """They are numbers of mpmath."""
    sympy = pytest.importorskip("sympy")
    for f in (sympy.Float, sympy.sin):
        with pytest.raises(TypeError, match="mpmath"):
            grad(lambda x, f=f: float(f(x)))(1.5)
