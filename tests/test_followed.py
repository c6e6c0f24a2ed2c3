"""The law that what is said of functions without rules is so: each call of the table is tried."""

import types
import warnings

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.command_line.followed import read_followed
from chainrules.command_line.namespaces import entries_of
from chainrules.values.followed_functions import FOLLOWED
from chainrules_core import RuleNotFoundError, primitive
from docs.followed_calls import HEAD, PATH, X_DOT, X, program, rows, tried, weighted
from docs.rule_pages import OVERVIEW, read, versions
from tests.shipped_rules import is_shipped
from tests.small_system import system

TABLE = read_followed()
CALLS = list(rows())
# In other versions other functions are in C, or look at their arguments in other ways.
IS_OF_TABLE = f"Of {versions()}:" in (read(OVERVIEW) or "")


@pytest.mark.parametrize(
    ("namespace", "name", "example"), CALLS, ids=[f"{namespace}.{name}" for namespace, name, _ in CALLS]
)
def test_each_call(namespace, name, example):
    """Its derivative agrees with differences in both modes, or it is the error that the table says."""
    if not IS_OF_TABLE:
        _skip_of_another_version(program(namespace, name, example))
    found = tried(namespace, name, example)

    assert not IS_OF_TABLE or found == TABLE[namespace][name], "python -m docs.followed_calls"


# Classes, and functions that return an object to call, have tests beside the rules.
RETURN_OBJECTS = {"aslinearoperator", *(f"make_{kind}_spline" for kind in ("interp", "lsq", "smoothing"))}
RETURN_OBJECTS |= {"make_splprep", "make_splrep"}
RULED = [call for call in CALLS if call[1] in {*FOLLOWED.get(call[0], "").split()} - RETURN_OBJECTS]
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.sum), np.ufunc)
# By keyword alone, for which rules have no derivatives.
BY_KEYWORD = ["dunnett", "firwin_2d", "sobol_indices"]


@pytest.mark.parametrize(
    ("namespace", "name", "example"), RULED, ids=[f"{namespace}.{name}" for namespace, name, _ in RULED]
)
def test_each_rule(namespace, name, example):
    """An AD system that sees calls of public names alone has the derivatives of the engine."""
    f = program(namespace, name, example)
    if not IS_OF_TABLE:
        _skip_of_another_version(f)
        if tried(namespace, name, example).says not in {"followed", "zero"}:
            pytest.skip("what a function calls in another version has no rule")
    names = _marked(f.__globals__) | {"weighted": types.FunctionType(weighted.__code__, {"np": Marked(np)})}
    through_rules = types.FunctionType(f.__code__, names)
    if name in BY_KEYWORD:
        with pytest.raises(RuleNotFoundError, match="can only be given by keyword"):
            system().vjp(through_rules, X.copy())
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy's own
        gradient = grad(f)(X.copy())
        _, pullback = system().vjp(through_rules, X.copy())
        _, y_dot = system().jvp(through_rules, (X.copy(),), (X_DOT,))
        (x_bar,) = pullback(1.0)
    np.testing.assert_allclose(x_bar, gradient, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(y_dot, gradient @ X_DOT, rtol=1e-7, atol=1e-9)


class Marked:
    """A module whose functions are marked for AD systems."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        return _marked({name: getattr(self.module, name)})[name]


def _marked(names):
    marked = {name: primitive(x) for name, x in names.items() if isinstance(x, FUNCTIONS) or _is_class(x)}
    modules = {name: Marked(x) for name, x in names.items() if isinstance(x, types.ModuleType)}
    return names | marked | modules


def _is_class(x):
    return isinstance(x, type) and x.__module__.startswith("scipy.")


def _skip_of_another_version(f):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(X)
    except (NameError, TypeError, AttributeError):
        pytest.skip("a function, a parameter or a result of another version of SciPy")


@pytest.mark.parametrize("namespace", TABLE)
def test_functions_of_the_table(namespace):
    """They are public, and have no rules that would serve their calls; those by following are for others."""
    public = {entry.name: entry for entry in entries_of(namespace, lambda f, method: is_shipped(method))}

    assert not IS_OF_TABLE or set(TABLE[namespace]) <= set(public)
    assert [name for name in TABLE[namespace] if name in public and public[name].rrules] == []


def test_the_table_is_in_order():
    """As the command writes it."""
    assert PATH.read_text("utf-8").startswith(HEAD)
    assert sorted(CALLS) == CALLS
