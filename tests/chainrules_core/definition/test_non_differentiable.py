# ruff: noqa: D101 - stand-ins have nothing to document
"""`non_differentiable`: rules of which every tangent is `NoTangent()`."""

import inspect

import numpy as np
import pytest

from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleDefinitionError,
    frule,
    non_differentiable,
    rrule,
    typeof_,
)
from chainrules_core.definition.non_differentiable import NonDifferentiablePullback
from tests.chainrules_core.boxes import Box, backend

NT = NoTangent()


class Config(RuleConfig[HasReverseMode]):
    pass


def make():
    """A function that nobody has met before: it returns what it is given."""

    def made(*args, **kwargs):
        return args, kwargs

    return made


@pytest.mark.parametrize("config", [(), (Config(),)])
@pytest.mark.parametrize("args", [(), (1.0,), (1.0, "a"), (1, 2, 3, 4)])
def test_both_rules(args, config):
    """Forwards one `NoTangent()`, in reverse one for the function and each argument; keywords pass."""
    f = make()
    non_differentiable(f)
    for _ in range(2):
        y, pullback = rrule(*config, f, *args, n=1)
        assert (y, pullback(1.0)) == ((args, {"n": 1}), (NT,) * (len(args) + 1))
        assert frule(*config, (NT,) * (len(args) + 1), f, *args, n=1) == ((args, {"n": 1}), NT)


def test_one_tangent_for_several_results():
    """Forwards a tuple as a result has one `NoTangent()`, not a tuple of them."""
    non_differentiable(f := make())
    assert frule((NT, 1.0), f, 1.0)[1] is NT


def test_pullbacks_are_one_object():
    """For equally many arguments the pullback is the identical object, whatever the function."""
    non_differentiable(f := make(), g := make())
    assert rrule(f, 1.0)[1] is rrule(g, "x")[1] is rrule(f, 2.0)[1]
    assert rrule(f, 1.0)[1] is not rrule(f, 1.0, 2.0)[1]
    assert type(rrule(f, 1.0)[1]) is NonDifferentiablePullback


def test_types_are_respected():
    """A declaration for some types is no rule for other types, nor for another number of arguments."""
    non_differentiable(f := make(), int)
    assert rrule(f, 2)[1](1.0) == (NT, NT)
    assert rrule(f, 2.0) is frule((NT, 1.0), f, 2.0) is None
    assert rrule(f, 2, 2) is rrule(f) is None


def test_varargs():
    """`varargs` is the type of further arguments, of any number."""
    non_differentiable(f := make(), int, varargs=str)
    assert rrule(f, 1) is not None
    assert rrule(f, 1, "a", "b")[1](None) == (NT, NT, NT, NT)
    assert rrule(f, 1, "a", 2) is None
    non_differentiable(g := make(), varargs=str)
    assert rrule(g) is not None
    assert rrule(g, "a", 1) is None


def test_constructors_do_not_leak():
    """A class is declared as a constructor; other classes, and its own instances, are not."""

    class Foo:
        def __init__(self, x):
            self.x = x

        def __call__(self, x): ...

    class Bar(Foo): ...

    non_differentiable(Foo, object)
    y, pullback = rrule(Foo, 1.0)
    assert (type(y), pullback(1.0)) == (Foo, (NT, NT))
    assert rrule(Bar, 1.0) is rrule(Foo(1.0), 1.0) is None


def test_functors_by_a_stub():
    """The first parameter of a stub says which callables are meant, as an rrule's would: here instances."""

    class Foo:
        def __call__(self, x):
            return 2 * x

    @non_differentiable()
    def _(f: Foo, x: float): ...

    assert rrule(Foo(), 1.0)[0] == 2.0
    assert frule((NT, 1.0), Foo(), 1.0) == (2.0, NT)
    assert rrule(Foo, 1.0) is None


def test_stub_with_names_that_rules_use():
    """The names of a stub's parameters, of its varargs and keywords, mean nothing."""
    f = make()

    @non_differentiable()
    def stub(f: "typeof_(f)", tangents: "int", *kwargs: str, args=0, **f_kwargs): ...

    assert rrule(f, 1, "a", args=2)[0] == ((1, "a"), {"args": 2})
    assert frule((NT, NT, NT), f, 1, "a")[1] is NT
    assert rrule(f, "a") is None
    assert callable(stub)


def test_decorates_a_function_of_ones_own():
    """`@non_differentiable` over a function declares it and returns it."""

    @non_differentiable
    def count(x):
        return len(x)

    assert count([1, 2]) == 2
    assert rrule(count, [1, 2])[1](1.0) == (NT, NT)


def test_stub_needs_parentheses():
    """A stub decorated without parentheses would declare the stub itself: refused."""
    f = make()
    with pytest.raises(
        RuleDefinitionError, match=r"it is a stub. Write `@non_differentiable\(\)`, with paren"
    ):

        @non_differentiable
        def _(f: typeof_(f), x: int): ...


def test_typed_rule_is_more_specific():
    """A rule for some types stands beside a declaration for any."""
    non_differentiable(f := make())

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return "differentiable"

    assert rrule(f, 1.0) == "differentiable"
    assert rrule(f, 1)[1](1.0) == (NT, NT)


def test_rules_stand_where_they_were_declared():
    """The place of a declared rule is the line of the declaration."""
    non_differentiable(f := make(), g := make())
    line = inspect.currentframe().f_lineno - 1
    for callee in (f, g):
        assert rrule.methods(callee)[0].location.endswith(f"test_non_differentiable.py:{line}")
        assert frule.methods(callee)[0].location.endswith(f"test_non_differentiable.py:{line}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "int is not callable"),
        ((make(), 3), "3 is a value, and types are asked for: write `int`"),
        ((make(), max, 3), "declare either several functions, or one function and the types"),
        ((make(), int, max), "declare either several functions, or one function and the types"),
        ((type,), "every class"),
    ],
)
def test_nothing_is_registered_by_a_failed_declaration(arguments, message):
    """Functions that are not callable, and types that are none, are refused before anything is registered."""
    before = (rrule.methods(), frule.methods())
    with pytest.raises(RuleDefinitionError, match=message):
        non_differentiable(*arguments)
    assert (rrule.methods(), frule.methods()) == before


def test_varargs_that_are_no_type():
    """The type of further arguments is checked like the others."""
    with pytest.raises(RuleDefinitionError, match="declare either several functions"):
        non_differentiable(make(), int, varargs=np.sin)


@pytest.mark.parametrize("value", [3, 3.0, 3j])
def test_values_in_the_place_of_types(value):
    """The message says which type is asked for."""
    with pytest.raises(RuleDefinitionError, match=f"types are asked for: write `{type(value).__name__}`"):
        non_differentiable(make(), value)


@pytest.mark.parametrize("args", [(Box(1.0),), (2.0, Box(1.0)), ((1.0, Box(1.0)), 2.0)])
def test_calls_with_carriers_are_left_to_their_system(args):
    """They are of an outer differentiation; all other calls are made here."""
    non_differentiable(f := make())

    for answer in (rrule(f, *args, n=1), frule((NT,) * (len(args) + 1), f, *args, n=1)):
        assert type(answer[0]) is Box
        assert backend.calls[-1] == (f, args, {"n": 1})
    calls = len(backend.calls)
    assert rrule(f, (1.0, [2.0]), "text")[0] == (((1.0, [2.0]), "text"), {})
    assert len(backend.calls) == calls
