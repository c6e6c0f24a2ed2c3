"""From the option to the oracle."""

import sys

import numpy as np
import pytest

from chainrules_core import primitive
from chainrules_testutils import test_frule, test_rrule, test_scalar
from chainrules_testutils.oracles import find_oracle, finding
from tests.chainrules_testutils.oracles.by_differences import ByDifferences


@pytest.fixture
def differences(monkeypatch):
    """The framework of differences, known by its name."""
    monkeypatch.setitem(finding.FRAMEWORKS, "differences", ByDifferences)


def of_jax(x):
    """A function that says that it is JAX's."""
    return x


of_jax.__module__ = "jax.numpy"


def test_none():
    """Nobody asked for one."""
    assert find_oracle(None, np.sin) is None


@pytest.mark.usefixtures("differences")
@pytest.mark.parametrize("f", [np.sin, primitive(np.sin)])
def test_by_name(f):
    """A framework's name stands for its function of the same name."""
    oracle = find_oracle("differences", f)

    assert oracle.name == "differences"
    assert oracle.function is np.sin


@pytest.mark.usefixtures("differences")
def test_by_function():
    """A pair says whose arrays the function takes; an oracle is itself."""
    oracle = find_oracle(("differences", abs), np.sin)

    assert oracle.function is abs
    assert find_oracle(oracle, np.cos) is oracle


def test_the_module_of_a_function_tells_its_framework(monkeypatch):
    """A function of a framework needs no name beside it."""
    monkeypatch.setitem(finding.FRAMEWORKS, "jax", ByDifferences)

    assert find_oracle(of_jax, np.sin).function is of_jax


@pytest.mark.usefixtures("differences")
def test_no_counterpart():
    """The error says what to write."""
    with pytest.raises(
        LookupError, match=r'no function of differences .* numpy.tan. Give .*\("differences", f'
    ):
        find_oracle("differences", np.tan)


@pytest.mark.usefixtures("differences")
def test_another_function_of_the_same_name():
    """A name is not enough: the function has to be the one that has it."""

    def sin(x):
        return x

    sin.__module__ = "numpy"
    sin.__qualname__ = "sin"

    with pytest.raises(LookupError, match=r"numpy\.sin"):
        find_oracle("differences", sin)


@pytest.mark.parametrize("name", ["jax", "torch"])
def test_not_installed(monkeypatch, name):
    """The error says what to install: the framework."""
    monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ModuleNotFoundError, match=rf"is not installed: pip install {name}$"):
        find_oracle(name, np.sin)


@pytest.mark.parametrize("tester", [test_rrule, test_frule, test_scalar])
@pytest.mark.parametrize(
    ("oracle", "error", "message"),
    [
        ("tensorflow", ValueError, "no framework 'tensorflow'"),
        (("tensorflow", abs), ValueError, "no framework 'tensorflow'"),
        (3, TypeError, "oracle=3 is no oracle"),
        (("jax", 3), TypeError, 'is no oracle. It is "jax", "torch", a function'),
        (("jax", abs, 1), TypeError, "is no oracle"),
        (np.sin, TypeError, 'oracle=numpy.sin is a function of no framework .*oracle=\\("jax", function\\)'),
    ],
)
def test_no_oracle(tester, oracle, error, message):
    """What is none is refused by every tester, before it tests."""
    with pytest.raises(error, match=message):
        tester(np.sin, 1.0, oracle=oracle)
