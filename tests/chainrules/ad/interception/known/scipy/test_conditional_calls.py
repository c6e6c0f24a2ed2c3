"""Functions of SciPy that choose, element by element, which of two functions to compute."""

import importlib

import numpy as np
import pytest
import scipy.stats  # noqa: F401 - imports the functions

from chainrules.ad import grad, hessian
from chainrules.ad.values.facts import FACTS
from chainrules_core import primal_of
from tests.chainrules.ad.while_traced import while_traced

X = np.array([0.5, -1.0, 2.0])


def _installed():
    for name in filter(lambda f: isinstance(f, str), FACTS):
        module, _, function = name.rpartition(".")
        if function in {"apply_where", "_lazywhere"}:
            try:
                yield getattr(importlib.import_module(module), function)
            except (ImportError, AttributeError):  # another version of SciPy has it
                continue


FUNCTIONS = list(_installed())


def choosing(f, x, *functions, fill=None):
    """Call either kind of function."""
    if f.__name__ == "_lazywhere":
        return f(x > 0, (x,), functions[0], fill, *functions[1:])
    return f(x > 0, (x,), *functions, fill_value=fill)


def test_one_is_installed():
    """The names are those of functions that SciPy has."""
    assert FUNCTIONS


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_derivatives(f):
    """Of two functions, and of one beside a constant; of arrays without axes too."""
    both = grad(lambda x: np.sum(choosing(f, x, np.log, lambda x: x * x)))
    np.testing.assert_allclose(both(X), [2.0, -2.0, 0.5])
    filled = grad(lambda x: np.sum(choosing(f, x, np.log, fill=3.0)))
    np.testing.assert_allclose(filled(X), [2.0, 0.0, 0.5])
    np.testing.assert_allclose(
        hessian(lambda x: np.sum(choosing(f, x, np.log, lambda x: x * x)))(X), np.diag([-4.0, 2.0, -0.25])
    )
    assert grad(lambda x: choosing(f, np.asarray(x), np.log, fill=3.0) * 1.0)(0.5) == 2.0


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_values(f):
    """Those of SciPy, and its errors."""
    seen = while_traced(X, lambda x: choosing(f, x, np.log, lambda x: x * x))
    np.testing.assert_array_equal(primal_of(seen), choosing(f, X, np.log, lambda x: x * x))
    for functions, fill in (((np.log,), None), ((np.log, np.exp), 3.0)):
        with pytest.raises((TypeError, ValueError), match="must be given"):
            grad(lambda x, functions=functions, fill=fill: np.sum(choosing(f, x, *functions, fill=fill)))(X)


@pytest.mark.parametrize(
    "name", [name for name in FACTS if str(name).endswith((".apply_where", "._lazywhere"))]
)
def test_every_version(name):
    """What is called in the place of a function that another version of SciPy has."""

    def of_scipy(*args, **kwargs):
        raise ValueError("exactly one must be given")

    is_older = name.endswith("_lazywhere")
    f = FACTS[name].wrapped(of_scipy)

    def choose(x, *functions, fill=None):
        if is_older:
            return f(x > 0, (x,), functions[0], fill, *functions[1:])
        return f(x > 0, (x,), *functions, fill_value=fill)

    both = grad(lambda x: np.sum(choose(x, np.log, lambda x: x * x)))
    np.testing.assert_allclose(both(X), [2.0, -2.0, 0.5])
    np.testing.assert_allclose(grad(lambda x: np.sum(choose(x, np.log, fill=3.0)))(X), [2.0, 0.0, 0.5])
    for functions, fill in (((np.log,), None), ((np.log, np.exp), 3.0)):
        with pytest.raises(ValueError, match="exactly one"):
            grad(lambda x, functions=functions, fill=fill: np.sum(choose(x, *functions, fill=fill)))(X)
