"""The rules of routines of LAPACK, in double precision against differences."""

import numpy as np
import pytest
from scipy.linalg import get_lapack_funcs, lapack

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules.rulesets.scipy.linalg.lapack import PROGRAMS, places_of
from chainrules_core import NoDerivativeError, frule, rrule
from chainrules_testutils import jvp as jvp_by_differences
from chainrules_testutils.testers.exercised import record_exercised

rng = np.random.default_rng(0)
A = rng.normal(size=(2, 3, 3)) + 3.0 * np.eye(3)
B = rng.normal(size=(2, 3, 2))


def definite(x):
    """A Hermitian matrix that is positive definite."""
    return x @ np.conj(x.T) + np.eye(3)


def both_parts(lu, piv, x, info):
    """What `gesv` returns, as one array."""
    return lu[:, :2] + x


def vectors_and_values(w, v, info):
    """What `syev` returns, whatever the phases of vectors are."""
    return w * np.abs(v) ** 3


def functions_of_singular(u, s, vt, info):
    """What `gesdd` returns, whatever the phases of vectors are."""
    return (u * s**1.5) @ vt


def with_real_diagonal(a):
    """What may be a factor of Cholesky; LAPACK reads the real parts there."""
    return a - 1j * np.diag(np.imag(np.diagonal(a))) if np.iscomplexobj(a) else a


UNITS = {"d": 0.3, "z": 1j}
PIVOTS = np.array([1, 1, 2], np.int32)
CALLS = {
    "potrf": lambda f, a, b: f(definite(a), lower=1)[0],
    "potrf beside": lambda f, a, b: f(definite(a), clean=0)[0] + f(definite(a), 1, 0)[0],
    "potrs": lambda f, a, b: f(a, b, lower=1)[0],
    "posv": lambda f, a, b: f(definite(a), b, lower=1)[0] @ f(definite(a), b)[1],
    "potri": lambda f, a, b: f(with_real_diagonal(a))[0] + f(with_real_diagonal(a), lower=1)[0] @ a,
    "trtri": lambda f, a, b: f(a)[0] + f(a, 1)[0] @ f(a, unitdiag=1)[0],
    "gesv": lambda f, a, b: both_parts(*f(a, b)),
    "getrf": lambda f, a, b: f(a)[0],
    "getrs": lambda f, a, b: f(a, PIVOTS, b, 1)[0],
    "getri": lambda f, a, b: f(a, PIVOTS)[0],
    "trtrs": lambda f, a, b: f(a, b, 1, trans=1)[0] + f(a, b, unitdiag=1)[0],
    "gesdd": lambda f, a, b: functions_of_singular(*f(a)) + f(b, compute_uv=0)[1][0],
    "syevd": lambda f, a, b: vectors_and_values(*f(definite(a))) + f(definite(a), 0)[0],
    "syev": lambda f, a, b: vectors_and_values(*f(definite(a), lower=1)) + f(definite(a), 0)[0],
}


@pytest.mark.every_case
@pytest.mark.parametrize("kind", ["d", "z"])
@pytest.mark.parametrize("call", CALLS)
def test_routines(call, kind):
    """Both modes, by all arrays."""
    name = call.partition(" ")[0]
    f = getattr(lapack, (kind + name).replace("zsy", "zhe"))

    def program(x):
        a, b = x[0, :, :3] + x[1, :, :3] * UNITS[kind], x[0, :, 3:] + x[1, :, 3:] * UNITS[kind]
        y = CALLS[call](f, a, b)
        return np.sum((np.real(y) + 0.7 * np.imag(y)) * np.arange(1.0, 1.0 + np.size(y)).reshape(np.shape(y)))

    x, x_dot = np.concatenate([A, B], axis=2), np.concatenate([B, A], axis=2)
    slope = jvp_by_differences(None, program, (x, x_dot))
    np.testing.assert_allclose(np.sum(grad(program)(x) * x_dot), slope, rtol=1e-7)
    np.testing.assert_allclose(jvp(program, (x,), (x_dot,))[1], slope, rtol=1e-7)


def test_single_precision_and_second_order():
    """All precisions share their rules, whichever way a routine is found; nothing is overwritten."""
    for f in PROGRAMS:
        record_exercised(f, frule.find(ADConfig(), (None,) * 2, f, A[0]))
        record_exercised(f, rrule.find(ADConfig(), f, A[0]))
    a = A[0].astype(np.float32)
    kept = a.copy()
    (potrf,) = get_lapack_funcs(("potrf",), (a,))
    gradient = grad(lambda a: np.sum(potrf(definite(a), overwrite_a=1)[0]))(a)
    assert gradient.dtype == np.float32
    np.testing.assert_array_equal(a, kept)
    np.testing.assert_allclose(
        hessian(lambda p: lapack.dgesv(p * A[0], A[0])[2][0, 0])(2.0), 0.25, rtol=1e-12
    )


def test_failures():
    """A matrix that is not positive definite has a factor of which a part means nothing."""
    with pytest.raises(np.linalg.LinAlgError, match=r"positive definite|potrf"):
        grad(lambda p: lapack.dpotrf(-p * definite(A[0]))[0][0, 0])(0.5)
    with pytest.raises(NoDerivativeError, match="item 0 of the result has another sign or another value"):
        places_of(lapack.dsyev, (A[0, 0], A[0], 0), (-A[0, 0], A[0]))
