"""The hierarchy of exceptions."""

import inspect

import pytest

import chainrules_core
from chainrules_core import exceptions


def errors():
    """Every exception of the module."""
    classes = inspect.getmembers(exceptions, inspect.isclass)
    return [cls for _, cls in classes if cls.__module__ == exceptions.__name__]


@pytest.mark.parametrize("cls", errors(), ids=lambda cls: cls.__name__)
def test_hierarchy(cls):
    """Each derives from `ChainRulesError`, says when it is raised, and is public."""
    assert issubclass(cls, chainrules_core.ChainRulesError)
    assert cls.__doc__
    assert getattr(chainrules_core, cls.__name__) is cls


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("RuleDefinitionError", TypeError),
        ("RuleNotFoundError", LookupError),
        ("DerivativeNotImplementedError", NotImplementedError),
        ("DimensionMismatchError", ValueError),
        ("NoDerivativeError", ArithmeticError),
        ("TangentStructureError", TypeError),
        ("MutateThunkError", TypeError),
        ("BadInplaceError", RuntimeError),
        ("PrimalAdditionFailedError", TypeError),
    ],
)
def test_each_is_the_builtin_exception_one_expects(name, builtin):
    """Each can be caught as the built-in exception that a caller would expect."""
    assert issubclass(getattr(exceptions, name), builtin)
