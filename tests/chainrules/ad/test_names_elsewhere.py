"""Names of other libraries."""

import importlib

import numpy as np
import pytest

import chainrules
import chainrules.ad
from chainrules.ad import grad, hessian, jacobian, names_elsewhere, value_and_grad


def test_names_of_other_libraries():
    """None of them is one of the engine; each is an error that says what to write."""
    for name in vars(names_elsewhere)["_INSTEAD"]:
        assert name not in chainrules.ad.__all__
        with pytest.raises(ImportError, match=rf"has no `{name}`: write "):
            getattr(chainrules.ad, name)


@pytest.mark.parametrize("function", [grad, value_and_grad, jacobian, hessian])
def test_keywords_of_other_libraries(function):
    """They are errors that say what to write; other keywords are refused as Python refuses them."""
    with pytest.raises(
        TypeError, match=rf"{function.__name__}\(\) .* 'holomorphic': write `wirtinger\(f, z\)"
    ):
        function(np.sum, holomorphic=True)
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'no_such_option'\."):
        function(np.sum, no_such_option=True)


def test_other_names():
    """They are missing in the way of Python, so that `hasattr` answers."""
    assert not hasattr(chainrules.ad, "no_such_name")
    with pytest.raises(AttributeError, match=r"module 'chainrules\.ad' has no attribute 'no_such_name'"):
        chainrules.ad.no_such_name  # noqa: B018 - asking is the test


def test_names_of_the_engine_in_the_package_above():
    """They are names of the engine, and its modules are imported as ever."""
    for name in vars(chainrules)["_OF_THE_ENGINE"]:
        assert name in chainrules.ad.__all__
        with pytest.raises(ImportError, match=f"write `from chainrules.ad import {name}`"):
            getattr(chainrules, name)
    assert importlib.import_module("chainrules.ad.gradients") is not None
