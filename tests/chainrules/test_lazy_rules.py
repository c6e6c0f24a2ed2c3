"""All rules that serve lazy arrays: they compute nothing, and give what they give for NumPy's arrays."""

import math
import operator
import tracemalloc

import numpy as np
import pytest
import scipy.linalg
from scipy import special

from chainrules.ad import grad, jvp, vjp
from chainrules.values.lazy_functions import LAZY_FUNCTIONS
from chainrules_core import (
    AbstractArray,
    NoTangent,
    Tangent,
    frule,
    is_lazy,
    rrule,
    scalar_rule,
    typeof_,
    unthunk,
)
from tests.chainrules.lazy_cases import ELSEWHERE, FFT, LINALG, NUMPY, SPECIAL, A, B, Q, V, W, cases
from tests.chainrules.lazy_checks import assert_equal, check_rules, lazily, nothing_computed

da = pytest.importorskip("dask.array")

CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rules_are_lazy_and_right(case):
    """Neither rule computes anything, and both agree with those for arrays in memory."""
    check_rules(case.f, *case.args, chunks=case.chunks, **case.named)


def test_tables_hold_nothing_else():
    """Every function that has a case is one of those that are said to serve lazy arrays."""
    tables = {"numpy": NUMPY, "numpy.linalg": LINALG, "numpy.fft": FFT, "scipy.special": SPECIAL}

    assert [set(table) - LAZY_FUNCTIONS[home] for home, table in tables.items()] == [set()] * len(tables)
    assert all(names <= LAZY_FUNCTIONS[home] for home, names in ELSEWHERE.items())


# --- Arrays in lists, and several results ----------------------------------------------------------------

JOINED = [
    (np.concatenate, {}),
    (np.concatenate, {"axis": 1}),
    *((join, {}) for join in (np.stack, np.vstack, np.hstack, np.dstack)),
]


@pytest.mark.parametrize(("join", "named"), JOINED, ids=lambda value: getattr(value, "__name__", ""))
def test_joined_arrays(join, named):
    """Arrays in a list are joined, and their cotangents cut, without being computed."""
    y, pullback = rrule(join, [A, B], **named)
    with nothing_computed():
        lazy_y, lazy_pullback = rrule(join, [lazily(A), lazily(B)], **named)
        lazy_bars = lazy_pullback(lazy_y * 2.0)[1]
        lazy_answer = frule(
            (NoTangent(), Tangent[list](lazily(B), lazily(A))), join, [lazily(A), lazily(B)], **named
        )
    assert_equal(lazy_bars, pullback(y * 2.0)[1])
    assert_equal(lazy_answer, frule((NoTangent(), Tangent[list](B, A)), join, [A, B], **named))


@pytest.mark.parametrize("call", ["ij,jk->ik", "ij,jk->k", "ij,jk->"])
def test_einsum(call):
    """Sums by subscripts, in both modes."""
    y, pullback = rrule(np.einsum, call, A, W)
    with nothing_computed():
        lazy_y, lazy_pullback = rrule(np.einsum, call, lazily(A), lazily(W))
        lazy_bars = lazy_pullback(lazy_y)[2:]
    assert_equal(lazy_bars, pullback(y)[2:])


@pytest.mark.parametrize("f", [np.meshgrid, np.broadcast_arrays], ids=lambda f: f.__name__)
def test_several_arrays(f):
    """Functions that answer with several arrays."""
    ys, pullback = rrule(f, V, V[:2] if f is np.meshgrid else V[:1])
    with nothing_computed():
        lazy_ys, lazy_pullback = rrule(f, lazily(V), lazily(V[:2] if f is np.meshgrid else V[:1]))
        lazy_bars = lazy_pullback(tuple(2.0 * y for y in lazy_ys))
    assert_equal(lazy_bars, pullback(tuple(2.0 * y for y in ys)))


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        slice(1, 5),
        (slice(None, None, -1), slice(None, None, 2)),
        (Ellipsis, 1),
        (slice(None), None),
        None,
        (0, slice(1, 3)),
        np.array([0, 2, 2]),
        [7, 0, -8],
        (slice(None), np.array([1, 1])),
        (None, Ellipsis, None),
    ],
    ids=str,
)
def test_items(index):
    """Elements that slices, integers, new axes, or one array of integers pick."""
    check_rules(operator.getitem, A, index)


@pytest.mark.parametrize("name", sorted(ELSEWHERE["numpy.fft"]))
def test_transforms_of_several_axes(name):
    """Of arrays in one chunk, which Dask asks for."""
    check_rules(getattr(np.fft, name), A if name.startswith("r") else A + 1j * B, chunks=-1)


@pytest.mark.parametrize("f", [np.argwhere, np.flatnonzero, np.nonzero], ids=lambda f: f.__name__)
def test_places_have_no_derivative(f):
    """How many there are nobody knows, and nobody asks."""
    with nothing_computed():
        y, pullback = rrule(f, lazily(A))
        assert pullback(NoTangent())[1] is NoTangent()
    for lazy, plain in zip(y if f is np.nonzero else [y], f(A) if f is np.nonzero else [f(A)], strict=True):
        np.testing.assert_array_equal(lazy.compute(scheduler="synchronous"), plain)


@pytest.mark.parametrize("f", [np.shape, np.ndim, np.iscomplexobj, np.result_type])
def test_questions(f):
    """Shapes and dtypes are known without computing."""
    with nothing_computed():
        assert rrule(f, lazily(A))[0] == f(A)


# --- Decompositions, the signs of which are arbitrary -------------------------------------------------------


def projector_by_qr(qr, A):
    """A function of the factors that does not feel their signs: the projector on the columns, and ``RᵀR``."""
    Q, R = qr(A)
    return Q @ (Q.T @ B), R.T @ R


def power_by_svd(svd, A):
    """Likewise of singular vectors and values."""
    U, s, Vh = svd(A, full_matrices=False)
    return U @ (s[:, None] ** 3 * Vh)


@pytest.mark.parametrize("f", [projector_by_qr, power_by_svd], ids=lambda f: f.__name__)
def test_decompositions(f):
    """What does not depend on signs has NumPy's derivatives, in both modes."""
    decompose = np.linalg.qr if f is projector_by_qr else np.linalg.svd
    y, pullback = vjp(lambda A: f(decompose, A), A)
    with nothing_computed():
        lazy_y, lazy_pullback = vjp(lambda A: f(decompose, A), lazily(A))
        lazy_bar = lazy_pullback(lazy_y)
        lazy_answer = jvp(lambda A: f(decompose, A), (lazily(A),), (lazily(B),))
    assert_equal(lazy_bar, pullback(y))
    assert_equal(lazy_answer, jvp(lambda A: f(decompose, A), (A,), (B,)))


def test_singular_values():
    """Singular values alone."""
    check_rules(np.linalg.svd, A, compute_uv=False)


# --- Precision -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f", [np.exp, np.abs, np.sum, np.mean, np.max, np.var, np.std, np.prod, np.cumsum, np.linalg.norm]
)
def test_single_precision_is_kept(f):
    """Of an array of float32 all derivatives are of float32."""
    x = lazily(np.abs(A).astype(np.float32) + np.float32(0.5))
    named = {"axis": 0} if f is np.cumsum else {}
    with nothing_computed():
        y, pullback = rrule(f, x, **named)
        y_dot = frule((NoTangent(), x), f, x, **named)[1]
    assert unthunk(pullback(da.ones_like(y))[1]).compute().dtype == np.float32
    assert y_dot.compute().dtype == np.float32


# --- Memory of the client --------------------------------------------------------------------------------

SIZE = (20_000, 500)  # 80 MB
MOST_MEMORY = 8e6


@pytest.mark.parametrize(
    "f",
    [
        np.exp,
        np.sum,
        np.mean,
        np.max,
        np.prod,
        np.var,
        np.std,
        np.linalg.norm,
        np.transpose,
        special.logsumexp,
        lambda x: x[10:20],
        lambda x: x @ np.ones(500),
        lambda x: np.where(x > 0, x, 0.0),
        lambda x: np.maximum(x, 0.0),
        lambda x: np.clip(x, 0, 1),
        lambda x: np.concatenate([x, x]),
        lambda x: np.logaddexp(0.0, x),
        lambda x: x**2.0,
        lambda x: np.sum(x, axis=0),
        lambda x: np.reshape(x, -1),
        lambda x: np.max(x, axis=1),
        lambda x: 2.0 * x,
    ],
)
def test_client_holds_no_array(f):
    """A derivative of an array of 80 MB takes a few MB of this process, in both modes."""
    x = da.zeros(SIZE, chunks=(1000, 500))
    grad(lambda x: np.sum(f(x)))(da.ones((40, 500), chunks=(20, 500)))  # so that rules are imported
    tracemalloc.start()
    with nothing_computed():
        gradient = grad(lambda x: np.sum(f(x)))(x)
        jvp(f, (x,), (x,))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert gradient.chunks == x.chunks
    assert peak < MOST_MEMORY


# --- Refusals ---------------------------------------------------------------------------------------------

REFUSED = {
    np.sort: (A,),
    np.argsort: (A,),
    np.median: (A,),
    np.percentile: (A, 30),
    np.quantile: (A, 0.3),
    np.cumprod: (V,),
    np.interp: (V, np.arange(3.0), np.arange(3.0)),
    np.convolve: (V, np.ones(2)),
    np.trapezoid: (V,),
    np.kron: (V, V),
    np.inner: (V, V),
    np.cross: (A[:, :3], B[:, :3]),
    np.unique: (V,),
    np.gradient: (V,),
    np.split: (A, 2),
    np.asarray: (A,),
    np.array: (A,),
    np.copy: (A,),
    np.histogram: (V,),
    np.linalg.eigh: (Q,),
    np.linalg.eig: (Q,),
    np.linalg.eigvalsh: (Q,),
    np.linalg.det: (Q,),
    np.linalg.slogdet: (Q,),
    np.linalg.pinv: (Q,),
    np.linalg.lstsq: (Q, V),
    np.linalg.matrix_power: (Q, 3),
    np.linalg.vector_norm: (V,),
    special.chndtr: (A, A, A),
    scipy.linalg.solve: (Q, V),
    scipy.linalg.expm: (Q,),
    scipy.linalg.solve_triangular: (Q, V),
    float: (np.array(1.0),),
    complex: (np.array(1.0),),
    bool: (np.array(1.0),),
    max: (np.array(1.0), 2.0),
}


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refused(f):
    """What would compute the array, or something else than NumPy, is an error that says so."""
    args = [lazily(x) if isinstance(x, np.ndarray) else x for x in REFUSED[f]]
    with nothing_computed():
        with pytest.raises(TypeError, match="not called with a Dask array"):
            rrule(f, *args)
        with pytest.raises(TypeError, match="not called with a Dask array"):
            frule((NoTangent(), *args), f, *args)


def in_complete_basis(x):
    """A decomposition that Dask does not have."""
    return np.linalg.qr(x, "complete")


@pytest.mark.parametrize(
    "f",
    [
        np.linalg.svd,
        in_complete_basis,
        lambda x: np.linalg.norm(x, 2),
        lambda x: np.linalg.norm(x, "nuc"),
        lambda x: np.linalg.multi_dot([x, x.T]),
        lambda x: np.column_stack([x, x]),
        lambda x: np.block([[x]]),
        lambda x: x[x > 0],
        lambda x: np.reshape(x, -1, order="F"),
        lambda x: special.logsumexp(x, b=2.0),
        lambda x: np.asarray([x[0, 0], 1.0]),
    ],
)
def test_refused_by_options(f):
    """Of functions that serve lazy arrays some options do not, and lists are looked into."""

    def differentiate():
        _, pullback = vjp(f, lazily(A))
        pullback(da.ones_like(f(lazily(A))))

    with nothing_computed(), pytest.raises(TypeError, match=r"lazy array|Dask array"):
        differentiate()


def test_rules_of_others_are_left_alone():
    """A rule that somebody else registered is called with lazy arrays as with others."""

    def twice(x):
        return 2 * x

    @rrule.dispatch
    def twice_rrule(f: typeof_(twice), x: AbstractArray):
        return 2 * x, lambda y_bar: (NoTangent(), 2 * y_bar)

    scalar_rule(others_sine, lambda y, x: np.cos(x))

    with nothing_computed():
        assert is_lazy(rrule(twice, lazily(A))[1](lazily(A))[1])
        assert is_lazy(rrule(others_sine, lazily(A))[1](lazily(A))[1])


others_sine = np.frompyfunc(math.sin, 1, 1)
