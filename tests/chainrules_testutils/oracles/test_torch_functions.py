"""What PyTorch calls otherwise than NumPy and SciPy."""

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import chainrules  # noqa: F401 - its rules are compared
from chainrules_testutils import test_rrule
from chainrules_testutils.oracles.names import public_name, resolved
from chainrules_testutils.oracles.torch_functions import OTHER_NAMES, TorchFunctions

A = np.array([[3.0, 1.0, 0.5], [1.2, 2.0, 0.3], [0.1, 0.7, 1.5]])
S = A @ A.T

# Calls of the functions that are written out, with their keyword arguments.
CALLS = [
    (np.transpose, A),
    (np.transpose, A, (1, 0)),
    (np.matrix_transpose, A),
    (np.linalg.matrix_transpose, A),
    (np.expand_dims, A, 1),
    (np.copy, A),
    (np.sort, A),
    (np.std, A, 0),
    (np.var, A, {"ddof": 1}),
    (np.cumsum, A),
    (np.cumsum, A, 1),
    (np.cumprod, A),
    (np.cumprod, A, 1),
    (np.ptp, A),
    (np.ptp, A, 1),
    (np.trace, A),
    (np.linalg.trace, A),
    (np.average, A, {"axis": 0}),
    (np.average, A, {"axis": 0, "weights": S}),
    (np.percentile, A, 30.0),
    (np.cbrt, A),
    (np.dot, A, A[0]),
    (np.dot, A, 2.0),
    (np.flip, A),
    (np.flip, A, 1),
    (np.outer, A, A[0]),
    (np.linalg.outer, A[0], A[1]),
    (scipy.linalg.solve, A, A[0]),
    (scipy.linalg.solve_triangular, A, A[0]),
    (scipy.linalg.solve_triangular, A, A, {"lower": True}),
    (scipy.linalg.cholesky, S, {"lower": True}),
    (scipy.linalg.cholesky, S),
    (scipy.linalg.svd, A),
    (scipy.linalg.svd, A, {"compute_uv": False}),
    (scipy.special.beta, A, A.T),
    (scipy.special.betaln, A, A.T),
    (scipy.special.kl_div, A, A.T),
    (scipy.special.rel_entr, A, A.T),
]


def test_every_function_is_called():
    """None that is written out is left out above."""
    written = {name for name in vars(TorchFunctions) if not name.startswith("_")}

    assert {public_name(function).replace(".", "_") for function, *_ in CALLS} == written


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_functions(call):
    """They take the arguments that NumPy's and SciPy's take, and return the same."""
    pytest.importorskip("torch")
    function, *args = call
    fkwargs = args.pop() if isinstance(args[-1], dict) else {}

    test_rrule(function, *args, fkwargs=fkwargs, oracle="torch")


@pytest.mark.parametrize("name", sorted(OTHER_NAMES))
def test_other_names(name):
    """Both names lead to a function."""
    pytest.importorskip("torch")

    assert callable(resolved(f"torch.{OTHER_NAMES[name]}"))
    assert name in {"numpy.fix", "numpy.row_stack"} or callable(resolved(name))
