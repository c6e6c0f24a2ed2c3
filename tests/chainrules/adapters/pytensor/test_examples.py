"""The types of results, found by example."""

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.flat_functions import FlatCall  # noqa: E402 - likewise
from chainrules.adapters.pytensor.examples import (  # noqa: E402 - likewise
    _CURRENT,
    _FIRST,
    _OTHER,
    _SIMILAR,
    _attempts,
    _random,
    results_by_example,
)


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
    ("f", "inputs", "shape"),
    [
        (np.linalg.cholesky, [tensor(3, 3)], (3, 3)),
        (np.linalg.cholesky, [tensor(None, None)], (None, None)),
        (scipy.linalg.sqrtm, [tensor(3, 3)], (3, 3)),
        (lambda x, y: scipy.interpolate.CubicSpline(x, y).c, [tensor(5), tensor(5)], (4, 4)),
        (lambda x: np.linalg.inv(np.outer(x, x) + np.eye(len(x))), [tensor(3)], (3, 3)),
        (lambda x, n: np.max(x[:n]), [tensor(None), tensor(dtype="int32")], ()),
    ],
    ids=["Cholesky", "Cholesky, dynamic", "square root", "spline", "inverse", "no empty array"],
)
def test_domains(f, inputs, shape):
    """Functions that are defined for some values only; static sizes are found of these, too."""
    assert types(f, *inputs) == [("float64", shape)]


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


@pytest.mark.parametrize(("messages", "expected"), [(1, TypeError), (2, AdapterError), (3, AdapterError)])
def test_what_the_function_says(messages, expected):
    """If it is always the same, it is a mistake of the program, and is raised as it is."""
    calls = []

    def f(x):
        calls.append(x)
        raise TypeError(f"message {len(calls) % messages}")

    with pytest.raises(expected, match="message") as error:
        types(f, tensor(3))
    noted = getattr(error.value, "__notes__", [])
    assert any("random arrays" in note for note in noted) == (messages == 1)
    told = "\n".join([str(error.value), *noted])
    assert "takes other values only, let it return NaN" in told
    assert "tensor(shape=(3, 4))" in told


@pytest.mark.parametrize(("size", "shape"), [(4, (5,)), (5, (5,)), (6, (5,)), (7, (None,))])
def test_other_sizes_that_are_tried(size, shape):
    """The three next ones: without any that fits, no size is taken to be static."""

    def f(x, inner):
        if len(inner) not in {3, size}:
            raise ValueError("another size")
        return x

    assert types(f, tensor(5), tensor(None)) == [("float64", shape)]


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


# --- The values that are tried ------------------------------------------------------------------------------


def drawn(x, style, *shape):
    """A random value for a variable."""
    return _random(x, list(shape), style, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("inputs", "unknown", "equal"),
    [
        ([tensor(7, 1)], 0, [()] * 3),
        ([tensor(None), tensor(7)], 1, [(n,) for n in (3, 4, 7, 5, 2, 1) for _ in range(3)]),
        ([tensor(None, None), tensor(4, 2, 1)], 2, [(n, n) for n in (3, 4, 2, 5, 1) for _ in range(3)]),
    ],
)
def test_sizes_that_are_tried(inputs, unknown, equal):
    """Equal ones at first, in three styles each, known ones among them; then all pairs of a few."""
    tried = list(_attempts(inputs, unknown))

    assert tried[: len(equal)] == list(zip(equal, [_FIRST, _OTHER, _SIMILAR] * len(equal), strict=False))
    pairs = [(m, n) for m in (3, 4, 2) for n in (3, 4, 2)] if unknown == 2 else []
    assert tried[len(equal) :] == [(pair, _FIRST) for pair in pairs]
    shared = [*inputs, pytensor.shared(np.ones(2))]
    assert list(_attempts(shared, 0)) == [
        *(((), style) for style in (_FIRST, _OTHER, _SIMILAR)),
        ((), _CURRENT),
    ]
    assert ((3,), _CURRENT) in list(_attempts(shared, 1))


def test_attempts_end():
    """A function that fails always is not called for ever."""
    calls = []

    def f(*xs):
        calls.append(xs)
        raise ValueError(len(calls))

    with pytest.raises(AdapterError, match="failed with all random arrays"):
        types(f, *[tensor(None)] * 4)
    assert len(calls) == 60


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize(
    ("style", "low", "high"), [(_FIRST, 0.25, 0.75), (_OTHER, -1.0, 1.0), (_SIMILAR, 0.3, 0.9)]
)
def test_numbers(style, low, high, dtype):
    """Real parts fill a range, imaginary ones are small; regular vectors are sorted."""
    x = drawn(tensor(None, dtype=dtype), style, 1000)
    real, imaginary = np.real(x), np.imag(x)

    assert x.dtype == dtype
    for part, (least, most) in (
        (real, (low, high)),
        *([(imaginary, (-0.1, 0.1))] if dtype[0] == "c" else []),
    ):
        assert least <= np.min(part) < least + 0.05 * (most - least)
        assert most >= np.max(part) > most - 0.05 * (most - least)
    assert (np.diff(real) >= 0.0).all() == style.regular
    number = drawn(tensor(dtype=dtype), style)
    assert isinstance(number, np.generic)
    assert low <= np.real(number) <= high


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(3, 3), (1, 2, 3, 3), (2, 2, 3), (4, 2)])
def test_matrices(shape, dtype):
    """Square ones are Hermitian and positive definite, all of a stack, where they are regular."""
    A = drawn(tensor(*shape, dtype=dtype), _FIRST, *shape)
    assert A.shape == shape
    if shape[-1] == shape[-2]:
        np.testing.assert_array_equal(A, np.conj(np.swapaxes(A, -1, -2)))
        assert (np.linalg.eigvalsh(A) > 0.0).all()
        assert np.any(np.imag(A)) == (dtype == "complex128")
        B = drawn(tensor(*shape, dtype=dtype), _OTHER, *shape)
        assert not np.allclose(B, np.conj(np.swapaxes(B, -1, -2)))
    else:
        assert (np.abs(np.real(A)) <= 0.75).all()


def test_integers_and_values_that_are_known():
    """Integers are 0, 1 and 2; truth values are both; constants have their values, and shared ones may."""
    for style, n in ((_FIRST, 1), (_OTHER, 0), (_SIMILAR, 2), (_CURRENT, 1)):
        assert drawn(tensor(2, dtype="int32"), style, 2).tolist() == [n, n]
        assert drawn(tensor(dtype="bool"), style) == bool(n % 2)
        assert drawn(pt.constant(np.array(7.0)), style) == 7.0
    shared = pytensor.shared(np.array([5.0, 6.0]))
    assert drawn(shared, _CURRENT, 2).tolist() == [5.0, 6.0]
    assert (drawn(shared, _FIRST, 2) < 1.0).all()
    assert (drawn(tensor(2), _CURRENT, 2) < 1.0).all()
