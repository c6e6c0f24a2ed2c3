"""Functions of one framework inside another, ``to_X(from_Y(f))`` for all pairs, and inside the engine."""

import contextlib
import importlib

import numpy as np
import pytest

from chainrules_testutils import grad, jvp
from tests.chainrules.adapters.conformance.cases import Case
from tests.chainrules.adapters.conformance.checks import assert_close

X, Y = np.array([0.3, 1.2, -0.7]), np.array([[1.0], [2.0]])

OUTER = {
    "autograd": ("value", "grad", "make_jvp", "grad of grad", "make_jvp of grad"),
    "jax": ("value", "grad", "jvp", "jit of grad", "grad of grad", "vmap", "linearize"),
    "mygrad": ("value", "backward"),
    "pytensor": ("value", "grad", "pushforward", "grad of grad"),
    "torch": (
        "value",
        "backward",
        "backward twice",
        "forward mode",
        "func.grad",
        "func.vmap",
        "gradgradcheck",
    ),
}


def of_torch():
    """A function of PyTorch as one over NumPy."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import from_torch  # noqa: PLC0415 - it needs the framework

    return from_torch(lambda x, y: torch.sin(x) * y + x**3)


def of_jax():
    """A function of JAX as one over NumPy."""
    jax = pytest.importorskip("jax")
    from chainrules.adapters import from_jax  # noqa: PLC0415 - it needs the framework

    return from_jax(jax.jit(lambda x, y: jax.numpy.sin(x) * y + x**3))


INNER = {"torch": of_torch, "jax": of_jax}


def case_of(inner):
    """A call of a framework's function, in the sense of the other tests."""
    f = INNER[inner]()
    return Case(f"a function of {inner}", (X, Y), lambda adapt, x, y: adapt(f)(x, y))


@pytest.mark.parametrize("inner", INNER)
def test_inside_the_engine(inner):
    """`chainrules.ad` differentiates it, in both modes and twice; the oracle are finite differences."""
    case = case_of(inner)
    assert_close(case.values(X, Y), [np.sin(X) * Y + X**3])
    assert_close(case.gradient(), grad(None, case.loss, X, Y), rtol=1e-8)
    slopes = jvp(None, case.values, *zip(case.floats(), case.directions(), strict=True))
    assert_close(case.slopes(), slopes, rtol=1e-8)
    gradient = lambda *floats: case.at(floats).gradient()  # noqa: E731 - a name would say less
    curvature = jvp(None, gradient, *zip(case.floats(), case.directions(), strict=True))
    assert_close(case.curvature(), curvature, rtol=1e-7)  # differences of gradients


# PyTorch uses its own deprecated function when it first transforms something.
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize(
    ("outer", "transform"),
    [(outer, transform) for outer, transforms in OUTER.items() for transform in transforms],
)
def test_pair(outer, transform, inner):
    """A framework's transform of a function of the same framework or of another."""
    pytest.importorskip(outer)
    tests = importlib.import_module(f"tests.chainrules.adapters.conformance.test_{outer}")
    case = case_of(inner)
    with tests.jax.enable_x64(True) if outer == "jax" else contextlib.nullcontext():
        tests.TRANSFORMS[transform](case)
