"""JAX as an oracle."""

import math
import operator

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import chainrules  # noqa: F401 - its rules are compared
from chainrules_testutils import RuleTestError, test_frule, test_rrule, test_scalar

jax = pytest.importorskip("jax")

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
    "mixed": (np.matmul, A, Z),
    "a method": (np.ndarray.sum, A, 0),
    "an operator": (operator.truediv, A, 3.0),
    "a builtin": (abs, A),
    "an index": (operator.getitem, A, (slice(None), 1)),
    "scipy.special": (scipy.special.psi, A + 2.0),
    "scipy.linalg": (scipy.linalg.solve, A, A[0]),
    "scipy.special of numpy": (scipy.special.expm1, A),
    "empty": (np.sum, np.empty(0)),
    "no axes": (np.square, np.array(2.0)),
}


@pytest.mark.parametrize("tester", [test_rrule, test_frule])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_right_rules(tester, call):
    """They agree, and the report says that they were compared."""
    report = tester(*call, oracle="jax")

    assert any("against jax" in check.where and "result" not in check.where for check in report.checks)


def test_numbers():
    """Both rules of a function of one number are compared, in each direction."""
    report = test_scalar(np.exp, 0.5 + 1j, oracle="jax")

    assert sum("cotangent for input 2 against jax" in check.where for check in report.checks) == 2
    assert sum("tangent of the output against jax" in check.where for check in report.checks) == 2


def test_wrong_gauge():
    """Another sign of the vectors is told as such, and not as wrong derivatives."""

    def turned(A):
        U, s, Vh = jax.numpy.linalg.svd(A)
        return -U, s, -Vh

    with pytest.raises(RuleTestError, match=r"result against jax.*\n(.*\n)*.*the results differ") as caught:
        test_rrule(np.linalg.svd, A, oracle=("jax", turned))
    assert not any("cotangent" in check.where for check in caught.value.report.failures)


def test_a_function_of_the_framework():
    """A function of JAX is known as such."""
    test_rrule(np.linalg.svd, A, oracle=jax.numpy.linalg.svd)


def test_what_jax_refuses():
    """It is a failure with JAX's own words, not a comparison that is left out."""
    with pytest.raises(RuleTestError, match="cotangents against jax: raised NotImplementedError"):
        test_rrule(np.linalg.svd, A[:, :2], fkwargs={"full_matrices": True}, oracle="jax")


@pytest.fixture
def with_32_bits():
    """JAX as it is by default, whatever a library has set that another test imported."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.usefixtures("with_32_bits")
def test_settings_are_left_alone():
    """JAX computes with 64 bits in the comparison, and as its user said elsewhere."""
    test_rrule(np.sin, 1.0, oracle="jax")

    assert jax.numpy.ones(2).dtype == np.float32
