"""The types of results, found by example."""

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.flat_functions import FlatCall  # noqa: E402 - likewise
from chainrules.adapters.pytensor.examples import results_by_example  # noqa: E402 - likewise


def tensor(*shape, dtype="float64"):
    """A variable of a static shape."""
    return pt.tensor(dtype=dtype, shape=shape)


def types(f, *inputs):
    """The dtypes and static shapes of the results of a function."""
    call = FlatCall(f, (None,) * len(inputs), {}, {1: {place: place for place in range(len(inputs))}})
    return [(y.dtype, y.shape) for y in results_by_example(call, inputs).types]


def interpolated(x, inner):
    """Values at `x`, between ones with one more at the end."""
    return np.interp(x, np.linspace(0.0, 1.0, len(inner) + 1), np.append(inner, 0.0))


@pytest.mark.parametrize(
    ("f", "inputs", "shape"),
    [
        (np.linalg.solve, [tensor(3, 3), tensor(3)], (3,)),
        (np.linalg.solve, [tensor(None, None), tensor(None)], (None,)),
        (np.outer, [tensor(None), tensor(4)], (None, 4)),
        (np.multiply, [tensor(1, None), tensor(None, None)], (None, None)),
        (lambda x: np.sum(x, axis=0, keepdims=True), [tensor(None, None)], (1, None)),
        (np.sum, [tensor(None)], ()),
        (np.add, [tensor(7), tensor(None)], (None,)),
        (interpolated, [tensor(5), tensor(None)], (5,)),
        (lambda x, y: np.diff(x) * y, [tensor(None), tensor(None)], (None,)),
    ],
    ids=[
        *("static", "dynamic", "mixed", "broadcasting", "kept axis", "no axes"),
        *("one size that fits", "other size", "sizes that differ"),
    ],
)  # fmt: skip
def test_sizes(f, inputs, shape):
    """Sizes that follow from static ones are static; those that follow from unknown ones are not."""
    assert types(f, *inputs) == [("float64", shape)]


@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (lambda x: x[x > 0.0], [tensor(4)]),
        (lambda x, n: np.zeros(n) * x, [tensor(), tensor(dtype="int64")]),
        (lambda x, mask: x[mask], [tensor(4), tensor(4, dtype="bool")]),
    ],
    ids=["signs", "an integer", "a mask"],
)
def test_sizes_that_depend_on_values(f, inputs):
    """They are not taken to be static."""
    assert types(f, *inputs) == [("float64", (None,))]


@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (np.linalg.cholesky, [tensor(3, 3)]),
        (np.linalg.cholesky, [tensor(None, None)]),
        (scipy.linalg.sqrtm, [tensor(3, 3)]),
        (lambda x, y: scipy.interpolate.CubicSpline(x, y).c, [tensor(5), tensor(5)]),
        (lambda x: np.linalg.inv(np.outer(x, x) + np.eye(len(x))), [tensor(3)]),
        (lambda x, n: np.max(x[:n]), [tensor(None), tensor(dtype="int32")]),
    ],
    ids=["Cholesky", "Cholesky, dynamic", "square root", "spline", "inverse", "no empty array"],
)
def test_domains(f, inputs):
    """Functions that are defined for some values only."""
    assert types(f, *inputs)[0][0] == "float64"


@pytest.mark.parametrize(
    ("f", "inputs", "dtype"),
    [
        (np.sin, [tensor(2, dtype="float32")], "float32"),
        (np.multiply, [tensor(2, dtype="float32"), tensor(2)], "float64"),
        (np.sqrt, [tensor(2, dtype="int64")], "float64"),
        (np.argmax, [tensor(2)], "int64"),
        (lambda x: x > 0.0, [tensor(2)], "bool"),
        (np.fft.fft, [tensor(2)], "complex128"),
        (np.linalg.cholesky, [tensor(2, 2, dtype="complex64")], "complex64"),
        (lambda x: 0 if x < 0.0 else x, [tensor()], "float64"),
    ],
    ids=[
        "float32",
        "promotion",
        "integers",
        "places",
        "truth values",
        "complex",
        "complex64",
        "of two kinds",
    ],
)
def test_dtypes(f, inputs, dtype):
    """Dtypes are those of NumPy's promotion."""
    assert types(f, *inputs)[0][0] == dtype


def test_constants():
    """A constant has its value: it may select what is computed."""
    assert types(lambda x, n: np.zeros((n, len(x))), tensor(3), pt.constant(np.array(5))) == [
        ("float64", (5, 3))
    ]


def test_shared_variables():
    """The value of a shared variable is an example too, where random ones do not fit; its size may change."""
    times = pytensor.shared(np.linspace(0.0, 1.0, 4), name="times")

    def f(rate, times):
        if not np.allclose(np.diff(times), times[1] - times[0]):
            raise ValueError("times have to be equidistant")
        return np.exp(-rate * times)

    assert types(f, tensor(), times) == [("float64", (None,))]


def test_warnings():
    """Random arguments lead to no warnings."""
    assert types(lambda x: np.log(x - 2.0) / (x - x), tensor(3)) == [("float64", (3,))]


def test_functions_that_fail():
    """One that fails for all sizes is refused with what it said, and what helps."""

    def f(x):
        if len(x) != 17:
            raise ValueError(f"17 numbers are needed, not {len(x)}")
        return x

    with pytest.raises(
        AdapterError, match=r"(?s)17 numbers are needed, not 3.*float64\[\?\].*static shapes"
    ) as error:
        types(f, tensor(None))
    assert isinstance(error.value.__cause__, ValueError)
    assert types(f, tensor(17)) == [("float64", (17,))]


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: x.astype(np.longdouble), "longdouble|float128|which PyTensor does not have"),
        (lambda x: scipy.sparse.csr_array(x[None]), "csr_array"),
    ],
    ids=["long double", "sparse"],
)
def test_results_that_are_no_tensors(f, message):
    """Arrays that PyTensor does not have."""
    with pytest.raises(AdapterError, match=message):
        types(f, tensor(3))
