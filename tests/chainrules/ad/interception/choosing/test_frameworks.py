"""Functions in the package of a framework: those over NumPy are followed, those that take tensors refused."""

import importlib
import sys
import types

import numpy as np
import pytest

from chainrules.ad import explain_calls, grad, value_and_grad
from chainrules_testutils import grad as grad_by_differences

X = np.array([0.7, 1.3, 2.1])

SOURCE = """
import numpy as np


def reference(x, scale=2.0):
    y = np.copy(x)
    y[0] *= scale
    np.place(y, y > 1.5, x[:1])
    return np.sum(np.sin(y))


def compiled(x):
    return memoryview(x)


def layer(x):
    return compiled(np.sin(x))


def convolved(x):
    try:
        return layer(x)
    except TypeError as error:
        raise RuntimeError("wrong device") from error


def mapped(f, x):
    return f(x)


def unlike(x):
    return x.__class__


def checked(x):
    raise ValueError("the dimension is out of range")


class Sample:
    def __init__(self, value):
        self.value = reference(value)


class Tensor:
    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value
"""


@pytest.fixture(scope="module")
def framework(tmp_path_factory):
    """What stands for a module of PyTorch, which need not be installed."""
    file = tmp_path_factory.mktemp("site-packages") / "site-packages" / "torch" / "references.py"
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    module = types.ModuleType("torch.references")
    module.__file__ = str(file)
    exec(compile(SOURCE, str(file), "exec"), vars(module))  # noqa: S102 - our own text
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "torch.references", module)
        yield module


def test_functions_over_numpy_are_followed(framework):
    """They write into arrays, and hold traced values, as the user's own do."""
    value, gradient = value_and_grad(lambda x: framework.reference(x) * framework.Sample(x).value)(X)
    assert value == framework.reference(X) ** 2
    by_differences = grad_by_differences(None, lambda x: framework.reference(x) ** 2, X)[0]
    np.testing.assert_allclose(gradient, by_differences, rtol=1e-8)


@pytest.mark.parametrize("name", ["compiled", "layer", "convolved"])
def test_functions_that_take_tensors_are_named_where_they_are_called(framework, name):
    """The outermost of them, which is the one that the program knows."""
    f = getattr(framework, name)
    with pytest.raises(
        TypeError,
        match=rf"{name} was called with a traced value at .*test_frameworks\.py:\d+, in `f\(x\)`.*from_torch",
    ):
        grad(lambda x: f(x))(X)


def test_a_program_that_goes_on_without_them_is_told_again(framework):
    """The derivative would be lost in what it does then."""

    def f(x):
        try:
            return framework.layer(x)
        except TypeError:
            return 0.0

    with pytest.raises(TypeError, match=r"layer was called with a traced value"):
        grad(f)(X)


def test_other_errors_are_what_they_are(framework):
    """Those of the framework, and those of the program that it calls back."""
    with pytest.raises(ValueError, match=r"^the dimension is out of range$"):
        grad(lambda x: framework.checked(x))(X)
    with pytest.raises(TypeError, match=r"^memoryview: a bytes-like object is required"):
        grad(lambda x: framework.mapped(lambda y: memoryview(y), x))(X)


def test_nothing_is_entered_where_nothing_is_traced(framework):
    """A function of the user's may be compiled by a framework; arrays that depend on nothing are NumPy's."""
    kinds = []

    def f(x):
        y = np.zeros(3)
        framework.mapped(lambda v: kinds.append(framework.unlike(v)), y)
        return np.sum(x)

    grad(f)(X)
    assert kinds == [np.ndarray]
    (row,) = [row for row in explain_calls(f, X).rows if row.function == "torch.references.mapped"]
    assert (row.outcome, row.how) == ("as it is", "nothing traced is seen in what it is given")


def test_tensors_are_not_made_of_traced_values(framework):
    """Classes that are no arrays are."""
    with pytest.raises(TypeError, match=r"Tensor was called with a traced value.*to_torch"):
        grad(lambda x: framework.Tensor(x))(X)


def test_references_of_pytorch():
    """Functions over NumPy that PyTorch's operations are compared with."""
    pytest.importorskip("torch")
    references = importlib.import_module("torch.testing._internal.common_methods_invocations")
    gradient = grad(lambda x: np.sum(references.reference_gelu(x) * references._clamp_min_numpy(x, 1.0)))(X)
    by_differences = grad_by_differences(
        None, lambda x: np.sum(references.reference_gelu(x) * np.maximum(x, 1.0)), X
    )[0]
    np.testing.assert_allclose(gradient, by_differences, rtol=1e-8)


def test_functions_that_jax_has_compiled():
    """They take its arrays."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    for f in (
        jnp.sin,
        jnp.sum,
        jnp.linalg.norm,
        jnp.asarray,
        jax.nn.relu,
        jax.grad(jnp.sum),
        jax.vmap(jnp.sin),
    ):
        with pytest.raises(TypeError, match=r"test_frameworks\.py:\d+, in `f\(x\)`\. JAX.*from_jax\(f\)"):
            grad(lambda x, f=f: f(x))(X)
