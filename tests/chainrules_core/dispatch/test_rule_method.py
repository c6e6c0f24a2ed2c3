# ruff: noqa: D103 - stand-ins have nothing to document
"""A rule as it is registered."""

import inspect
from typing import Any

import plum
import pytest

from chainrules_core import HasReverseMode, RuleConfig, frule, rrule, typeof_
from chainrules_core.dispatch.callees import TypeOf
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.dispatch.rule_reading import read_rule

RRULE = Mode("rrule")


def foo(x): ...


def foo_rrule(f: typeof_(foo), x: float, n: int = 2, *rest: str, flag=False) -> "a name for type checkers":  # noqa: F722 - the point
    """Documented."""


def read(rule, **options):
    return read_rule(RRULE, rule, {}, **options)


def test_modes_are_values():
    """Equal by what they say, and hashable."""
    assert {Mode("rrule"), Mode("frule", ("tangents",))} == {RRULE, Mode("frule", ("tangents",))}


def test_signature_is_what_plum_sees():
    """plum's signature has the hints in order, the callee's promised type made, and the one of ``*args``."""
    signature = read(foo_rrule, precedence=3).signature

    assert signature.types == (TypeOf[foo], float, int)
    assert (signature.varargs, signature.precedence) == (str, 3)


@pytest.mark.parametrize(
    ("args", "applies"),
    [
        ((1.0,), True),
        ((1.0, 2), True),
        ((1.0, 2, "a", "b"), True),
        ((), False),
        ((1,), False),
        ((1.0, 2, 3), False),
    ],
)
def test_defaults_count_as_given(args, applies):
    """A rule with defaults applies to calls that leave those arguments out."""
    assert read(foo_rrule).matches((foo, *args)) is applies


def test_stand_in_shows_names_and_place_but_no_return_annotation():
    """What plum is given has the rule's parameters and place, and nothing that only type checkers need."""
    stand_in = read(foo_rrule).stand_in
    signature = inspect.signature(stand_in)

    assert stand_in is not foo_rrule
    assert stand_in.__code__ is foo_rrule.__code__
    assert signature.return_annotation is inspect.Signature.empty
    assert signature.parameters == inspect.signature(foo_rrule).parameters


def test_rule_may_be_any_callable():
    """A rule that is not a plain function has a name, too, and can be registered."""

    class Rule:
        def __call__(self, f: typeof_(foo), x: str):
            return "called"

    method = read(Rule())
    assert method.name == "Rule"
    assert method.location == "place unknown"

    def bar(x): ...

    class BarRule:
        def __call__(self, f: typeof_(bar), x: str):
            return "called"

    rrule.dispatch(BarRule())
    assert rrule(bar, "x") == "called"


def test_repr_says_mode_name_parameters_and_place():
    """The representation is enough to find the rule."""
    line = foo_rrule.__code__.co_firstlineno
    place = read(foo_rrule).location
    assert place.endswith(f"test_rule_method.py:{line}")
    assert repr(read(foo_rrule)) == (
        f"<rrule foo_rrule(typeof_({__name__}.foo), float, int, *str) at {place}>"
    )


def test_identity_tells_what_redefines():
    """Equal signatures redefine; another precedence, another hint or an opt-out does not."""

    def other(f: typeof_(foo), x: float, m: int = 3, *more: str): ...
    def config(c: RuleConfig[HasReverseMode], f: typeof_(foo), x: float, m: int, *more: str): ...

    identity = read(foo_rrule).identity
    assert identity == read(other).identity
    assert identity != read(other, precedence=1).identity
    assert identity != read(other, opts_out=True).identity
    assert identity != read(config).identity


def test_methods_compare_by_identity():
    """Two methods are equal only if they are one, so that they are keys, whatever their hints."""
    assert read(foo_rrule) != read(foo_rrule)
    assert len({read(foo_rrule), read(foo_rrule)}) == 2


def test_signature_is_made_once():
    """plum's signature is made when it is first needed, and kept."""
    method = read(foo_rrule)
    assert "signature" not in vars(method)
    assert method.signature is method.signature
    assert isinstance(method.signature, plum.Signature)


def test_the_same_for_another_mode():
    """A rule of another mode has the same callee and arguments, after what stands before the callee there."""

    def foo_frule(tangents, f, x, *rest): ...

    method = read(foo_rrule, precedence=3)
    other = method.for_mode(Mode("frule", leading=("tangents",)), foo_frule)

    assert (other.mode, other.function, other.name) == ("frule", foo_frule, "foo_frule")
    assert other.signature.types == (Any, *method.signature.types)
    assert (other.signature.varargs, other.signature.precedence) == (str, 3)
    assert (other.callee, other.members) == (method.callee, method.members)


def test_what_is_not_said_of_a_rule():
    """It opts nothing out and has no precedence; without varargs it takes as many arguments as it names."""

    def plain(f: typeof_(foo), x: float): ...

    known = read(plain)
    method = RuleMethod("rrule", plain, known.callee, known.members, None, known.hints, plum.Missing)

    assert (method.opts_out, method.precedence) == (False, 0)
    assert method.signature.varargs is plum.Missing
    assert method.describe_parameters() == f"(typeof_({__name__}.foo), float)"
    assert (Mode("rrule").leading, Mode("rrule").announced) == ((), True)


def test_hints_that_stand_for_others_are_resolved():
    """Those of ``*args`` too, by plum: a class of a module that may be imported later."""
    later_class = plum.ModuleType("builtins", "float")

    def later(f: typeof_(foo), x: later_class, *xs: later_class): ...

    signature = read(later).signature
    assert signature.types[1:] == (float,)
    assert signature.varargs is float


def test_rules_of_bound_methods_are_known_by_their_function():
    """So AD systems need not look at each object whose method is called."""

    class Scale:
        def times(self, x):
            return x

    scale = Scale()
    assert not rrule.has_rule_of_method(Scale.times)

    @rrule.dispatch
    def times_rrule(f: typeof_(scale.times), x: float):
        return "found"

    assert rrule.has_rule_of_method(Scale.times)
    assert not frule.has_rule_of_method(Scale.times)
    assert rrule(scale.times, 1.0) == "found"
    assert rrule(Scale().times, 1.0) is None
