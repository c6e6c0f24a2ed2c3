"""The rules of BLAS: against finite differences, in both modes."""

import numpy as np
import pytest
from scipy.linalg import blas, get_blas_funcs

from chainrules.ad import ADConfig, grad, hessian
from chainrules.rulesets.scipy.linalg.blas import PROGRAMS
from chainrules.values.routines import kept_result
from chainrules_core import (
    AbstractZero,
    DerivativeNotImplementedError,
    RuleNotFoundError,
    frule,
    rrule,
    unthunk,
)
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import record_rules

rng = np.random.default_rng(0)
REAL = {
    "A": rng.normal(size=(3, 3)) + 3.0 * np.eye(3),
    "B": rng.normal(size=(3, 2)),
    "C": rng.normal(size=(2, 3)),
    "x": rng.normal(size=3),
    "y": rng.normal(size=7),
    "z": rng.normal(size=5),
}
COMPLEX = {key: x + 1j * rng.normal(size=x.shape) for key, x in REAL.items()}

# Calls of routines by their names without the kind: names of arguments above, numbers, and keywords.
CALLS = {
    "dot": [("x", "x", {}), ("y", "y", {"n": 2, "incx": -2, "offx": 1, "incy": 3})],
    "dotu": [("x", "x", {})],
    "dotc": [("y", "y", {"n": 2, "incx": 2, "incy": -1})],
    "nrm2": [("y", {"incx": 2, "offx": 1})],
    "asum": [("y", {"n": 3, "incx": 2})],
    "gemv": [(1.5, "A", "x", {}), (1.5, "B", "y", 0.5, "z", {"trans": 2, "incx": 2, "overwrite_y": 1})],
    "gemm": [
        (1.5, "A", "B", {}),
        (1.5, "B", "C", 0.5, "A", {"trans_a": 0}),
        (2.0, "B", "C", {"trans_a": 1, "trans_b": 2}),
    ],
    "ger": [(1.5, "x", "x", 1, 1, "A", {}), (1.5, "x", "z", {})],
    "geru": [(1.5, "x", "z", {})],
    "gerc": [(1.5, "x", "x", 1, 1, "A", {})],
    "symv": [(1.5, "A", "x", 0.5, "z", {"lower": 1}), (1.5, "A", "x", {})],
    "hemv": [(1.5, "A", "x", 0.5, "z", {"lower": 1}), (1.5, "A", "x", {})],
    "symm": [
        (1.5, "A", "B", {}),
        (1.5, "C", "C", 0.5, "C", {"side": 1}),
        (1.5, "A", "C", {"side": 1, "lower": 1}),
    ],
    "hemm": [(1.5, "A", "B", {"lower": 1}), (1.5, "A", "C", {"side": 1})],
    "trmv": [("A", "x", {}), ("A", "z", {"lower": 1, "trans": 2, "diag": 1})],
    "trsv": [("A", "x", {}), ("A", "z", {"lower": 1, "trans": 2, "diag": 1})],
    "trmm": [(1.5, "A", "B", {"lower": 1, "diag": 1}), (1.5, "A", "C", {"side": 1, "trans_a": 1})],
    "trsm": [
        (1.5, "A", "B", {"lower": 1, "diag": 1, "trans_a": 1}),
        (1.5, "A", "C", {"side": 1, "trans_a": 2}),
        (1.5, "A", "C", {"side": 1, "trans_a": 1, "overwrite_b": 1}),
    ],
}
del CALLS["symm"][1]
KINDS = {
    "dotu": "z",
    "dotc": "z",
    "gerc": "z",
    "geru": "z",
    "hemv": "z",
    "hemm": "z",
    "dot": "d",
    "ger": "d",
    "symv": "d",
}
CASES = [
    (kind + name if name not in {"nrm2", "asum"} or kind == "d" else "dz" + name, call)
    for name, calls in CALLS.items()
    for kind in KINDS.get(name, "dz")
    for call in calls
]


SINGLE = {"dz": "sc", "d": "s", "z": "c"}  # the kinds of half of the digits


def in_single_precision(x):
    """An array of half of the digits; numbers as they are."""
    return x.astype(np.float32 if x.dtype == float else np.complex64) if isinstance(x, np.ndarray) else x


@pytest.mark.parametrize(("name", "call"), CASES)
def test_routines(name, call):
    """By all matrices, vectors and factors, with every option; nothing is overwritten."""
    f, (*given, options) = getattr(blas, name), call
    held = COMPLEX if "z" in name else REAL
    args = [held[x].copy(order="F") if isinstance(x, str) else x for x in given]
    before = [np.copy(x) for x in args]
    np.testing.assert_allclose(
        kept_result(f, PROGRAMS[f], tuple(args), options), PROGRAMS[f](*args, **options), rtol=1e-12
    )
    test_frule(f, *args, fkwargs=options, config=ADConfig())
    test_rrule(f, *args, fkwargs=options, config=ADConfig())
    kind = "dz" if name.startswith("dz") else name[0]
    y, pullback = rrule(ADConfig(), f, *args, **options)
    f_single, singles = (
        getattr(blas, SINGLE[kind] + name.removeprefix(kind)),
        list(map(in_single_precision, args)),
    )
    y_single, pullback_single = rrule(ADConfig(), f_single, *singles, **options)
    for bar, bar_single, x in zip(pullback(y)[1:], pullback_single(y_single)[1:], singles, strict=True):
        if not isinstance(bar, AbstractZero):
            np.testing.assert_allclose(unthunk(bar_single), unthunk(bar), rtol=1e-4, atol=1e-4)
            assert np.asarray(unthunk(bar_single)).dtype == np.asarray(x).dtype
    record_rules(f_single, *singles, **options)
    for x, kept in zip(args, before, strict=True):
        np.testing.assert_array_equal(x, kept)


def test_programs():
    """They are called by themselves and as SciPy finds them, and differentiated twice."""
    dot = get_blas_funcs("dot", (REAL["x"],))
    np.testing.assert_allclose(grad(lambda x: dot(x, x))(REAL["x"]), 2.0 * REAL["x"])
    np.testing.assert_allclose(hessian(lambda x: blas.dnrm2(x) ** 2)(REAL["x"]), 2.0 * np.eye(3), atol=1e-12)
    gradient = grad(lambda x: blas.sdot(x, x))(REAL["x"].astype(np.float32))
    assert gradient.dtype == np.float32
    assert frule.find(ADConfig(), (None,) * 3, blas.ddot, REAL["x"], REAL["x"]) is not None
    assert rrule.find(ADConfig(), blas.ddot, REAL["x"], REAL["x"]) is not None


def test_what_has_no_rule():
    """Routines that write into their arguments, and results between whose elements there are others."""
    with pytest.raises(RuleNotFoundError, match="daxpy"):
        grad(lambda x: np.sum(blas.daxpy(x, np.ones(3))))(REAL["x"])
    with pytest.raises(DerivativeNotImplementedError, match="offsets or steps"):
        grad(lambda x: np.sum(blas.dtrmv(REAL["A"][:2, :2], x, incx=2)))(REAL["x"])
