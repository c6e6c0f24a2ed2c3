"""Functions of NumPy and SciPy that are ready to be intercepted."""

import importlib
import pkgutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.linalg

from chainrules import primitives
from chainrules.ad import grad, interception
from chainrules.primitives import numpy as marked_numpy
from chainrules.primitives.scipy import linalg, special
from chainrules_core import unwrap_primitive

MODULES = [
    "numpy",
    "numpy.fft",
    "numpy.linalg",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.sparse.linalg",
    "scipy.special",
    "scipy.stats",
]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_is_offered(name):
    """Marked, and itself inside; classes and constants are as they are."""
    theirs, ours = importlib.import_module(name), importlib.import_module(f"chainrules.primitives.{name}")
    functions = [
        key
        for key, value in vars(theirs).items()
        if callable(value) and not isinstance(value, type) and not key.startswith("_")
    ]
    assert functions
    for key in functions:
        assert unwrap_primitive(getattr(ours, key)) is getattr(theirs, key)
        assert getattr(ours, key) is not getattr(theirs, key)
    assert {key for key in functions if key in dir(theirs)} <= set(dir(ours))


def test_they_are_what_they_were_with_arrays():
    """Values, classes, constants, and modules inside."""
    assert special.erf(0.5) == scipy.special.erf(0.5)
    assert marked_numpy.float64 is np.float64
    assert marked_numpy.pi is np.pi
    assert marked_numpy.linalg is importlib.import_module("chainrules.primitives.numpy.linalg")


def test_function_is_made_once():
    """It is kept in the module."""
    assert linalg.solve is linalg.solve


def test_they_are_differentiated_without_interception():
    """As every function that is marked."""
    with interception(False):
        gradient = grad(lambda b: linalg.solve(np.diag([2.0, 4.0]), b).sum())(np.ones(2))
    assert np.allclose(gradient, [0.5, 0.25])


@pytest.mark.parametrize("name", ["no_such_function", "_private", "__wrapped__", "_basic"])
def test_unknown_name(name):
    """An `AttributeError` that names the module; `hasattr` works, therefore."""
    with pytest.raises(
        AttributeError, match=f"'chainrules.primitives.scipy.linalg' has no attribute '{name}'"
    ):
        getattr(linalg, name)


def test_module_that_is_not_offered():
    """Its functions would not be marked."""
    with pytest.raises(AttributeError, match="no attribute 'random'"):
        _ = marked_numpy.random


def test_modules_are_there_once_their_package_is():
    """As SciPy's own: they need not be imported one by one."""
    program = (
        "import sys\n"
        "import chainrules.primitives\n"
        "primitives = chainrules.primitives\n"
        "assert 'scipy' in dir(primitives) and 'linalg' in dir(primitives.scipy)\n"
        "assert not any(name.partition('.')[0] == 'scipy' for name in sys.modules)\n"
        "assert primitives.scipy.linalg.solve([[2.0]], [1.0]) == [0.5]\n"
        "assert primitives.numpy.sin(0.0) == 0.0 and not hasattr(primitives.scipy, 'signal')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    for package in (primitives, primitives.scipy):
        files = {module.name for module in pkgutil.iter_modules(package.__path__)} - {"namespaces"}
        assert set(package.__all__) == files


def test_nothing_of_scipy_is_imported_before_it_is_asked_for():
    """An import names functions, and costs nothing."""
    program = (
        "import sys\n"
        "from chainrules.primitives.scipy import linalg, optimize, sparse, special, stats\n"
        "assert not any(name.partition('.')[0] == 'scipy' for name in sys.modules)\n"
        "linalg.solve\n"
        "assert 'scipy.linalg' in sys.modules and 'scipy.special' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
