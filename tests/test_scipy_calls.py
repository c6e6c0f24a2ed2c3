"""The common calls of SciPy in the table of `docs/scipy.md`, in plain code, and their counterparts."""

import importlib
import linecache

import numpy as np
import pytest
import scipy

from chainrules.ad import grad, jvp
from chainrules_testutils import jvp as jvp_by_differences
from docs.scipy_calls import FRAMEWORKS, calls

X, X_DOT = np.array([0.7, 1.3, 0.9, 1.6]), np.array([0.3, -0.5, 0.4, 0.2])


def program(name):
    """A call as a program that gives one number, with a source, as code in a file has."""
    file = f"<{name}>"
    text = f"def example(x):\n    return weighted({calls()[name]['call']})\n"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names = {"np": np, "scipy": scipy, "weighted": weighted, "__name__": name}
    exec(compile(text, file, "exec"), names)  # noqa: S102 - what stands in the table
    return names["example"]


def weighted(y):
    """A number that all parts of a result have an influence on."""
    return np.sum(np.cos(np.arange(float(np.size(y)))).reshape(np.shape(y)) * y)


@pytest.mark.every_case
@pytest.mark.parametrize("name", calls())
def test_calls(name):
    """Both modes agree with differences."""
    f = program(name)
    slope = jvp_by_differences(None, f, (X, X_DOT))
    np.testing.assert_allclose([grad(f)(X) @ X_DOT, jvp(f, (X,), (X_DOT,))[1]], slope, rtol=1e-5)


@pytest.mark.every_case
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_counterparts_exist(framework):
    """A framework has the functions that the table names."""
    pytest.importorskip(framework)
    for row in calls().values():
        module, _, rest = row.get(framework, "math.sin").rpartition(".")
        try:
            found = importlib.import_module(module)
        except ImportError:  # it is a distribution in a module
            module, _, inner = module.rpartition(".")
            found = getattr(importlib.import_module(module), inner)
        assert hasattr(found, rest)
