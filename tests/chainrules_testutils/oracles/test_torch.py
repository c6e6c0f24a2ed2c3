"""PyTorch as an oracle."""

import math
import operator

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import chainrules  # noqa: F401 - its rules are compared
from chainrules_testutils import RuleTestError, test_frule, test_rrule

torch = pytest.importorskip("torch")

A = np.array([[3.0, 1.0, 0.5], [0.2, 2.0, -1.0], [0.1, 0.3, 1.5]])
Z = A + 1j * A.T

CALLS = {
    "elementwise": (np.sin, A),
    "float32": (np.sin, A.astype(np.float32)),
    "a number": (math.lgamma, 1.5),
    "a power": (np.power, A + 2.0, 2),
    "broadcasting": (np.multiply, A, A[0]),
    "a container": (np.concatenate, [A, 2.0 * A]),
    "several results": (np.linalg.svd, A),
    "holomorphic": (np.exp, Z),
    "not holomorphic": (np.absolute, Z),
    "real to complex": (np.fft.fft, A),
    "complex to real": (np.real, Z),
    "a method": (np.ndarray.sum, A, 0),
    "an operator": (operator.truediv, A, 3.0),
    "a builtin": (abs, A),
    "an index": (operator.getitem, A, (slice(None), np.array([0, 2]))),
    "scipy.special": (scipy.special.psi, A + 2.0),
    "scipy.linalg": (scipy.linalg.solve, A, A[0]),
    "no axes": (np.square, np.array(2.0)),
}


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_right_rules(tester, call):
    """They agree, and the report says that they were compared."""
    report = tester(*call, oracle="torch")

    assert any("against torch" in check.where and "result" not in check.where for check in report.checks)


@pytest.mark.parametrize("fkwargs", [{"axis": 1}, {"axis": 0, "keepdims": True}])
def test_keywords(fkwargs):
    """They have NumPy's names."""
    test_rrule(np.mean, A, fkwargs=fkwargs, oracle="torch")
    test_rrule(np.std, A, fkwargs=fkwargs, oracle="torch")


def test_a_function_of_the_framework():
    """A function of PyTorch is known as such."""
    test_rrule(np.linalg.svd, A, oracle=torch.linalg.svd)
    test_rrule(np.sin, A, oracle=torch.sin)


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
def test_no_derivative(tester):
    """A function for which PyTorch has none is a failure, and its zeros are not taken for derivatives."""
    with pytest.raises(
        RuleTestError, match="against torch: raised NotImplementedError: PyTorch has no deriv"
    ):
        tester(scipy.special.j0, 1.5, oracle="torch")
