# ruff: noqa: D101 - stand-ins have nothing to document
"""What `frule` and `rrule` have in common: registering, looking, and what is remembered."""

import gc
import pickle
import weakref

import numpy as np
import plum
import pytest

from chainrules_core import (
    AbstractArray,
    Array,
    HasReverseMode,
    RuleConfig,
    RuleDefinitionError,
    RuleNotFoundError,
    RuleRedefinitionWarning,
    ZeroTangent,
    frule,
    opt_out,
    opted_out,
    primitive,
    rrule,
    typeof_,
)
from tests.chainrules_core.boxes import Box
from tests.chainrules_core.dispatch.asked import make


class Config(RuleConfig[HasReverseMode]): ...


def with_rule(*annotations, table=rrule):
    """A function with a rule, and the rule."""
    f = make()

    def rule(f, x):
        return "found", x

    rule.__annotations__ = {"f": typeof_(f), "x": annotations[0] if annotations else float}
    return f, table.dispatch(rule)


def test_dispatch_returns_the_rule_itself():
    """A rule is an ordinary function that can be called directly."""
    f, rule = with_rule()
    assert rule(f, 2.0) == rrule(f, 2.0) == ("found", 2.0)
    assert rrule.may_serve(f)
    assert not rrule.may_serve(make())
    assert rule.__name__ == "rule"
    assert rrule.answer_by(lambda method: lambda f, x: (method.name, x), f, 2.0) == ("rule", 2.0)
    assert rrule.methods(f)[0].precedence == 0


def test_dispatch_with_precedence_returns_the_rule():
    """`dispatch(precedence=...)` is a decorator."""
    f = make()

    @rrule.dispatch(precedence=1)
    def rule(f: "typeof_(f)", x: float):
        return "found"

    assert rule(None, None) == rrule(f, 1.0) == "found"
    assert rrule.methods(f)[0].precedence == 1
    rrule.dispatch(typeof_(f))(lambda f, x: None)
    assert len(rrule.methods(f)) == 2


def test_answers_by_type_are_remembered():
    """The second call of a callee with a faithful rule asks neither plum nor the table."""
    f, rule = with_rule()
    rrule(f, 1.0)
    assert rrule.answers.at_hand((f, float)) is rule
    rrule(Config(), f, 1.0)
    assert rrule.remembered((Config, f, float)).__wrapped__ is rule


def test_new_rule_makes_the_answers_forgotten():
    """An answer that a new rule could change is not kept."""
    f, _ = with_rule(object)
    assert rrule(f, 1.0) == ("found", 1.0)
    assert rrule(Config(), f, 1.0) == ("found", 1.0)

    @rrule.dispatch
    def better(f: typeof_(f), x: float):
        return "better"

    assert rrule(f, 1.0) == rrule(Config(), f, 1.0) == "better"

    @rrule.dispatch
    def configured(config: Config, f: typeof_(f), x: float):
        return "configured"

    assert rrule(Config(), f, 1.0) == "configured"
    assert rrule(f, 1.0) == "better"
    opt_out(rrule, typeof_(f), float)
    assert rrule(f, 1.0) is None


def test_answers_that_depend_on_values_are_not_remembered_by_type():
    """Where an annotation looks at dtype, rank or value, so does every call."""
    f, _ = with_rule(Array[np.floating, 2])
    for _ in range(2):
        assert rrule(f, np.ones((2, 2)))[0] == "found"
        assert rrule(f, np.ones(2)) is None
        assert rrule(f, np.ones((2, 2), int)) is None
        assert rrule(f, np.ones((2, 2), np.float32))[0] == "found"
    assert rrule.answers.at_hand((f, np.ndarray)) is None
    g, _ = with_rule(tuple[int, int])
    for _ in range(2):
        assert rrule(g, (1, 2))[0] == "found"
        assert rrule(g, (1, "a")) is None
    assert rrule.answers.at_hand((g, tuple)) is None


def test_carriers_are_remembered_by_what_they_carry():
    """The class of a carrier does not say what it carries; what it carries is looked up the quick way."""
    f, _ = with_rule(AbstractArray)
    assert rrule(f, Box(np.ones(2)))[0] == "found"
    assert rrule(f, Box(1.0)) is None
    assert rrule.answers.at_hand((f, Box)) is None
    assert rrule.answers.at_hand((f, np.ndarray)) is not None
    assert rrule.answers.at_hand((f, float))(f, 1.0) is None


def test_carriers_are_called_as_what_they_carry():
    """By the rule of its class, which is given the carrier."""

    class Scale: ...

    @rrule.dispatch
    def scale_rrule(f: Scale, x: float):
        return f, x

    for _ in range(2):
        carrier = Box(Scale())
        assert rrule(carrier, 1.5) == (carrier, 1.5)
        assert rrule(Config(), carrier, Box(1.5))[0] is carrier
        assert rrule(Box(1.5), 1.5) is None


def test_answers_found_for_carriers_first_are_at_hand_later():
    """Whichever came first, a configured call of the same types is remembered."""
    (f, _), x = with_rule(AbstractArray), np.ones(2)
    for argument in (Box(x), x):
        assert rrule(Config(), f, argument)[0] == "found"
    assert rrule.remembered((Config, f, np.ndarray)) is not None


def test_callables_without_a_rule_of_their_own_are_not_remembered():
    """Closures, and the arguments and results of their calls, are not kept alive."""

    class Captured: ...

    def throw_away():
        captured = Captured()

        def closure(x):
            return captured

        assert rrule(closure, 1.0) is None
        assert rrule(Config(), closure, captured) is None
        assert frule((None, None), closure, captured) is None
        assert rrule.explain(closure, captured)
        assert rrule.methods(closure) == rrule.methods(make())
        return weakref.ref(captured), weakref.ref(closure)

    references = throw_away()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_methods_without_a_callee_are_all():
    """`methods()` lists every rule once, `methods(f)` those that can match, `callees()` what has rules."""
    before = len(rrule.methods())
    f, rule = with_rule()
    assert len(rrule.methods()) == before + 1
    assert [method.function for method in rrule.methods(f) if method.callee is typeof_(f)] == [rule]
    assert rrule.methods(primitive(f)) == rrule.methods(f)
    assert rrule.callees().count(f) == 1
    assert f"{before + 1} rules" in repr(rrule)


def test_find_returns_the_method_and_calls_nothing():
    """`find` looks a rule up; an opt-out is none."""
    f, rule = with_rule()
    assert rrule.find(f, 1.0).function is rule
    assert rrule.find(Config(), f, 1.0).function is rule
    assert rrule.find(f, "x") is None
    assert [opted_out(rrule, f, x) for x in (1.0, "x")] == [False, False]
    with pytest.raises(TypeError, match="function to differentiate is missing"):
        rrule.find()
    opt_out(rrule, typeof_(f), float)
    assert rrule.find(f, 1.0) is None
    assert opted_out(rrule, f, 1.0)


def test_require_returns_the_answer_or_raises_what_explain_says():
    """`require` is a lookup that must succeed."""
    f, _ = with_rule()
    assert rrule.require(f, 1.0) == ("found", 1.0)
    with pytest.raises(RuleNotFoundError) as caught:
        rrule.require(f, "x")
    assert str(caught.value) == rrule.explain(f, "x")
    assert str(caught.value).startswith("rrule(made, str) has no rule.\nThe nearest ")
    assert "\n    rule(typeof_(made), float)" in str(caught.value)


def test_require_says_when_a_rule_declined():
    """A rule that returned `None` is named, so that one need not wonder why `explain` finds it."""
    f = make()

    @rrule.dispatch
    def declining(f: typeof_(f), x: float, *, n=0): ...

    says = r"^declining \(.*:\d+\) returned None for rrule\(made, float, n=int\)\. .* `return y, p"
    with pytest.raises(RuleNotFoundError, match=says):
        rrule.require(f, 1.0, n=1)


def test_failed_definition_registers_nothing():
    """After a rule was refused everything is as before."""
    f = make()
    before = (rrule.methods(), rrule.callees(), rrule.methods(f))

    def rule(f, x): ...

    for hint in (3, [int], "no_such_name"):
        rule.__annotations__ = {"f": typeof_(f), "x": hint}
        with pytest.raises(TypeError):
            rrule.dispatch(rule)
    assert (rrule.methods(), rrule.callees(), rrule.methods(f)) == before
    assert rrule(f, 1.0) is None


def test_redefinition_warns_at_the_rule():
    """A rule with the signature of another replaces it, with a warning that names both places."""
    f = make()

    def first(f: typeof_(f), x: float):
        return "first"

    def second(f: typeof_(f), y: float):
        return "second"

    rrule.dispatch(first)
    assert rrule(f, 1.0) == "first"
    message = (
        rf"rrule `second` redefines `first` \(.*:{first.__code__.co_firstlineno}\).*typeof_\(made\), float"
    )
    with pytest.warns(RuleRedefinitionWarning, match=message) as caught:
        rrule.dispatch(second)
    assert (caught[0].filename, caught[0].lineno) == (__file__, second.__code__.co_firstlineno)
    assert rrule(f, 1.0) == "second"


def test_ambiguity_is_an_error_at_the_call():
    """Two rules of which neither is more specific raise an error that shows both; others still work."""
    f = make()

    @rrule.dispatch
    def float_first(f: typeof_(f), x: float, y: object):
        return "float first"

    @rrule.dispatch
    def float_second(f: typeof_(f), x: object, y: float):
        return "float second"

    for _ in range(2):
        with pytest.raises(plum.AmbiguousLookupError, match=r"(?s)float_first.*float_second"):
            rrule(f, 1.0, 1.0)
        with pytest.raises(plum.AmbiguousLookupError, match=r"(?s)float_first.*float_second"):
            rrule.require(f, 1.0, 1.0)
    assert rrule(f, 1.0, 1) == "float first"

    @rrule.dispatch(precedence=1)
    def both_objects(f: typeof_(f), x: object, y: object):
        return "objects"

    assert rrule(f, 1, 1) == "objects"


def test_remembered_rules_are_at_hand_for_ad_systems():
    """After a call with a configuration, its rule is found by types alone, unless it asks for that."""
    f = make()

    @rrule.dispatch
    def plain(f: typeof_(f), x: float):
        return "plain"

    key = (Config, f, float)
    assert rrule.remembered(key) is None

    assert rrule(Config(), f, 1.0) == "plain"
    assert rrule.remembered(key).__wrapped__ is plain

    @rrule.dispatch
    def configured(config: RuleConfig[HasReverseMode], f: typeof_(f), x: float):
        return "configured"

    assert rrule.remembered(key) is None
    assert rrule(Config(), f, 1.0) == "configured"
    assert rrule.remembered(key) is None


@pytest.mark.parametrize("config", [(), (Config(),)])
def test_rules_with_varargs_serve_no_call_that_lacks_arguments(config):
    """They take any number of arguments: what the callee requires is given to them by position first."""

    def weighted(x, weight, n=0): ...

    @rrule.dispatch
    def weighted_rrule(f: typeof_(weighted), *xs: float, **options):
        return (xs, options), lambda y_bar: (None, *xs)

    for _ in range(2):  # by lookup, and from memory
        assert rrule(*config, weighted, 1.0, weight=2.0)[0] == ((1.0, 2.0), {})
        assert rrule(*config, weighted, weight=2.0, x=1.0)[0] == ((1.0, 2.0), {})
        assert rrule.unchecked(*config, weighted, 1.0, weight=2.0)[1](1.0) == (None, 1.0)
        assert rrule(*config, weighted, 1.0, 2.0, n=3.0)[0] == ((1.0, 2.0), {"n": 3.0})
        # No rule takes a text by position, so the call stays as it was written.
        assert rrule(*config, weighted, 1.0, weight="x")[0] == ((1.0,), {"weight": "x"})
        assert rrule.find(*config, weighted, 1.0, weight=2.0).function is weighted_rrule
    rrule(weighted, 1.0, 2.0)
    assert rrule.answers.at_hand((weighted, float, float)) is weighted_rrule


def test_required_arguments_by_keyword_are_moved_until_a_rule_takes_the_call():
    """No more of them than it needs; a rule without varargs is found for the call as it was written."""

    def moved(x, y, z): ...

    @rrule.dispatch
    def moved_rrule(f: typeof_(moved), x: float, *, y=0.0, z=0.0):
        return ("as written", x, y, z), None

    @rrule.dispatch
    def moved_rrule_of_three(f: typeof_(moved), x: float, y: float, z: float): ...

    @rrule.dispatch
    def moved_rrule_of_two(f: typeof_(moved), x: int, y: int, *, z):
        return ("one moved", x, y, z), None

    for _ in range(2):
        assert rrule(moved, 1.0, y=2.0, z=3.0)[0] == ("as written", 1.0, 2.0, 3.0)
        assert rrule(moved, 1, y=2, z=3)[0] == ("one moved", 1, 2, 3)
        assert rrule(moved, 1, y="x", z=3) is None


def test_arguments_by_keyword_are_constants():
    """Each that a rule takes by position has a tangent."""

    def product(x, y): ...

    @frule.dispatch
    def product_frule(tangents, f: typeof_(product), x: float, y: float):
        return x * y, tangents

    assert frule.unchecked((None, 1.0), product, 2.0, y=3.0) == (6.0, (None, 1.0, ZeroTangent()))


def test_a_rule_under_the_wrong_decorator_is_told_from_a_call():
    """`@rrule` over a rule is an error; a call of the function with arguments has no rule."""
    f = make()

    def unregistered(f: typeof_(f), x=1.0, *, n=0): ...

    with pytest.raises(RuleDefinitionError, match=r"`@rrule\.dispatch` over it, not `@rrule`"):
        rrule(unregistered)
    with pytest.raises(RuleDefinitionError, match=r"`@rrule\.dispatch\(typeof_\(foo\)\)`"):
        rrule(typeof_(f))
    assert rrule(unregistered, 1.0) is None
    assert rrule(unregistered, n=1) is None
    assert rrule(make()) is None


def test_redefinition_by_a_rule_without_a_place():
    """The warning is given all the same, for no line of any file."""
    f = make()

    class Rule:
        def __call__(self, f: typeof_(f), x: float):
            return "found"

    rrule.dispatch(Rule())
    with pytest.warns(RuleRedefinitionWarning, match=r"place unknown") as caught:
        rrule.dispatch(Rule())
    assert (caught[0].filename, caught[0].lineno) == ("<unknown>", 0)


def test_picklable_by_reference():
    """A pullback that mentions `rrule` or `frule` travels to another process."""
    assert [pickle.loads(pickle.dumps(function)) for function in (frule, rrule)] == [frule, rrule]
