"""Names of other libraries."""

import importlib

import pytest

import chainrules
import chainrules.ad
from chainrules.ad import grad, hessian, jacobian, value_and_grad
from chainrules.ad.derivatives import names_elsewhere


def test_names_of_other_libraries():
    """None of them is one of the engine; each is an error that says what to write."""
    for name in vars(names_elsewhere)["_INSTEAD"]:
        assert name not in chainrules.ad.__all__
        with pytest.raises(ImportError, match=rf"`chainrules\.ad` has no `{name}`: write "):
            __import__("chainrules.ad", fromlist=[name])
        assert not hasattr(chainrules.ad, name)


def test_other_names():
    """They are missing in the way of Python, so that `hasattr` answers."""
    assert not hasattr(chainrules.ad, "no_such_name")
    with pytest.raises(AttributeError, match=r"module 'chainrules\.ad' has no attribute 'no_such_name'"):
        chainrules.ad.no_such_name  # noqa: B018 - asking is the test


def test_names_of_the_engine_in_the_package_above():
    """The engine is named, and its modules are imported as ever."""
    with pytest.raises(AttributeError, match=r"write `from chainrules\.ad import grad`"):
        chainrules.grad  # noqa: B018 - asking is the test
    assert importlib.import_module("chainrules.ad.derivatives.gradients") is not None


@pytest.mark.parametrize("derivative", [grad, value_and_grad, jacobian, hessian])
def test_keywords_of_other_libraries(derivative):
    """They are errors that say what to write; others belong to the function."""
    name = derivative.__name__
    with pytest.raises(TypeError, match=rf"{name}\(f\) has no keyword `holomorphic`\. Write `wirtinger"):
        derivative(abs, holomorphic=True)
    with pytest.raises(TypeError, match=rf"go into the call of the result, `{name}\(f\)\(x, axis=\.\.\.\)`"):
        derivative(abs, axis=0)
