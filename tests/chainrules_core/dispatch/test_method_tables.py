# ruff: noqa: D101, D102, D103 - stand-ins document nothing, and need not use what they take
"""Which methods a table holds, and what is kept for whom."""

import functools
import gc
import types
import weakref
from abc import ABC
from collections.abc import Callable

import numpy as np
import plum
import pytest

from chainrules_core import Array, HasReverseMode, RuleConfig, register_carrier, rrule, typeof_
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.memory import Memory
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.dispatch.rule_reading import read_rule
from tests.chainrules_core.dispatch.asked import make

MODE = Mode("rrule")


class Tables(MethodTables):
    """Tables of this test alone, with fewer words to register and to find."""

    def __init__(self):
        super().__init__("rrule", Answers())

    def add(self, *annotations, result=None, opts_out=False, **options):
        """Register a rule for callee and argument types; its function returns `result`."""

        def rule(*args):
            return result

        names = ["f", *(f"x{i}" for i in range(len(annotations) - 1))]
        scope = {}
        exec(f"def rule({', '.join(names)}): return result", {"result": result}, scope)  # noqa: S102 - by arity
        scope["rule"].__annotations__ = dict(zip(names, annotations, strict=True))
        return self.register(read_rule(MODE, scope["rule"], {}, opts_out=opts_out, **options))

    def look(self, f, *args):
        """What the rule for a call returns; `None` if there is none."""
        method = self.find(None, (), f, args)
        return None if method is None else method.function(f, *args)


@pytest.fixture
def tables():
    return Tables()


class Foo:
    def __call__(self, x): ...


class Bar(Foo):
    pass


def test_rule_after_a_lookup_is_found(tables):
    """A callee that was looked up in vain gets its own table when it gets a rule."""
    f = make()
    assert tables.look(f, 1.0) is None
    tables.add(typeof_(f), float, result="own")
    assert tables.look(f, 1.0) == "own"
    table = tables.table_of(f)
    tables.add(typeof_(f), int, result="second")
    assert tables.table_of(f) is table, "it grows, and is not made anew"
    assert tables.look(f, 1) == "second"
    assert tables.look(f, 1.0) == "own"


def test_arguments_that_a_callee_requires(tables):
    """Those without a default, as many as there are."""

    def made(x, y, n=2): ...

    assert [tables.lacks_arguments(made, (1.0,) * count) for count in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("first_look", [True, False])
def test_rule_for_a_class_reaches_every_table(tables, first_look):
    """A method for a class, an ABC, constructors or `Callable` reaches tables that exist already."""

    class Base(ABC):  # noqa: B024 - to register others with
        def __call__(self, x):
            return x

    class Derived(Base): ...

    class Virtual:
        def __call__(self, x): ...

    Base.register(Virtual)
    own, shared, virtual = Derived(), Derived(), Virtual()
    tables.add(typeof_(own), int, result="own")
    tables.add(typeof_(Base), int, result="constructor")

    def look(x):
        return [tables.look(f, x) for f in (own, shared, virtual, Base, Derived, make())]

    if first_look:
        assert look(1.0) == [None] * 6
    tables.add(Base, float, result="instance")
    if first_look:
        assert look(1.0) == ["instance", "instance", "instance", None, None, None]
    tables.add(type[Base], float, result="subclass")
    assert look(1.0) == ["instance", "instance", "instance", "subclass", "subclass", None]
    tables.add(Callable, object, result="callable")
    assert look(1.0) == ["instance", "instance", "instance", "subclass", "subclass", "callable"]
    assert look("x") == ["callable"] * 6
    assert look(1) == ["own", "callable", "callable", "constructor", "callable", "callable"]


def test_closures_share_a_table(tables):
    """Callables that the same methods match have one table between them."""
    tables.add(types.FunctionType, float, result="function")
    functions = [make() for _ in range(5)]
    made = {id(tables.make_table(f)) for f in functions}
    assert len(made) == 1
    assert {tables.look(f, 1.0) for f in functions} == {"function"}
    tables.add(types.FunctionType, int, result="second")
    assert {tables.look(f, 1) for f in functions} == {"second"}
    shared = tables.make_table(Foo())
    assert shared is tables.make_table(Bar()), "no rule tells them apart"
    tables.add(typeof_(make()), float)
    assert tables.table_of(Foo()) is shared, "a rule for an object changes nothing"
    tables.add(Bar, float, result="bar")
    assert tables.make_table(Foo()) is not tables.make_table(Bar())
    assert (tables.look(Foo(), 1.0), tables.look(Bar(), 1.0)) == (None, "bar")


def test_throwaway_callables_leave_nothing_behind(tables):
    """Neither closures, nor functors and their classes, nor classes that are called are kept alive."""
    tables.add(Callable, float, result="callable")

    def throw_away():
        class Functor:
            def __call__(self, x): ...

        callables = [make(), Functor(), Functor, functools.partial(make())]
        assert [tables.look(f, 1.0) for f in callables] == ["callable"] * 4
        assert [rrule(f, 1.0) for f in callables] == [None] * 4
        rrule.explain(callables[0], 1.0)
        return [weakref.ref(f) for f in callables]

    references = throw_away()
    gc.collect()
    assert [reference() for reference in references] == [None] * 4
    assert len(tables._shared) <= 3


def test_call_does_not_depend_on_the_number_of_rules(tables):
    """With 10 000 rules the table of one callee holds its own methods and no others."""
    functions = [make() for _ in range(10_000)]
    for f in functions:
        tables.add(typeof_(f), float, result=f)
    f = functions[5000]
    assert tables.look(f, 1.0) is f
    assert len(tables.table_of(f).methods) == 1
    assert list(tables._own) == [f], "no table is made for callees that nobody looks up"
    assert len(tables._shared) == 0
    assert sum("signature" in vars(method) for method in tables) == 1, "nor a signature"


def resolutions(monkeypatch):
    """Record which functions plum resolves from now on."""
    seen = []
    resolve = plum.Function.resolve_method

    class Recording:
        def __init__(self, function):
            self._function = function

        def __getattr__(self, name):
            return getattr(self._function, name)

        def resolve_method(self, target):
            seen.append(target)
            return resolve(self._function, target)

    monkeypatch.setattr(plum, "Function", lambda stub: Recording(_FUNCTION(stub)))
    return seen


_FUNCTION = plum.Function


def test_unfaithful_annotation_costs_its_own_callee_only(tables, monkeypatch):
    """plum is asked once about a callee with faithful annotations, whatever the others have."""
    seen = resolutions(monkeypatch)
    by_value, by_array, by_type = make(), make(), make()
    tables.add(typeof_(by_value), tuple[int, int], result="pair")
    tables.add(typeof_(by_array), Array[np.floating, 2], result="matrix")
    tables.add(typeof_(by_type), float, result="float")

    def count(f, x):
        seen.clear()
        answers = {tables.look(f, x) for _ in range(3)}
        return answers, len(seen)

    assert count(by_value, (1, 2)) == ({"pair"}, 3)
    assert count(by_array, np.ones((2, 2))) == ({"matrix"}, 1)
    assert count(by_array, np.ones((5, 1))) == ({"matrix"}, 0)
    assert count(by_array, np.ones(2)) == ({None}, 1)
    assert count(by_array, np.ones((2, 2), int)) == ({None}, 1)
    assert count(by_type, 1.0) == ({"float"}, 1)
    assert count(by_type, 2.0) == ({"float"}, 0)
    assert tables.look(by_value, (1, "a")) is None
    assert tables.table_of(by_value).memory is Memory.NEVER


def test_unfaithful_rule_that_comes_later_is_honoured(tables):
    """A method that looks at values is found although answers by type are remembered."""
    f = make()
    tables.add(typeof_(f), tuple, result="tuple")
    assert tables.look(f, (1, 2)) == "tuple"
    tables.add(typeof_(f), tuple[int, int], result="pair")
    assert tables.look(f, (1, 2)) == "pair"
    assert tables.look(f, (1.0, 2)) == "tuple"


def test_redefinition_replaces(tables):
    """The later of two rules with one signature is found, and `register` says which gave way."""
    f = make()
    assert tables.add(typeof_(f), float, result="first") is None
    assert tables.look(f, 1.0) == "first"
    redefinition = tables.add(typeof_(f), float, result="second")
    assert [method.function(f, 1.0) for method in redefinition] == ["second", "first"]
    assert tables.look(f, 1.0) == "second"
    assert [method.function(f, 1.0) for method in tables.methods_matching(f)] == ["second"]


@pytest.mark.parametrize("look_between", [True, False])
@pytest.mark.parametrize("opt_out_first", [True, False])
def test_opt_out_wins_a_tie_in_either_order(tables, opt_out_first, look_between):
    """An opt-out is found, not a rule of the same signature, whichever comes first."""
    f = make()
    for opts_out in (opt_out_first, not opt_out_first):
        tables.add(typeof_(f), float, result=opts_out, opts_out=opts_out)
        if look_between:
            assert tables.look(f, 1.0) is (opts_out or opt_out_first)
    assert tables.look(f, 1.0) is True
    tables.add(typeof_(f), np.float64, result="more specific")
    assert tables.look(f, np.float64(1)) == "more specific"


def test_precedence_breaks_ties(tables):
    """Of rules that match equally well plum takes the one of the highest precedence."""
    f = make()
    tables.add(typeof_(f), float, object, result="first")
    tables.add(typeof_(f), object, float, result="second", precedence=1)
    assert tables.look(f, 1.0, 1.0) == "second"
    tables.add(typeof_(f), float, object, result="third", precedence=2)
    assert tables.look(f, 1.0, 1.0) == "third"


def test_ambiguity_is_an_error_with_both_rules(tables):
    """Two methods of which neither is more specific raise plum's error, which names both."""
    f = make()
    tables.add(typeof_(f), float, object)
    tables.add(typeof_(f), object, float)
    with pytest.raises(plum.AmbiguousLookupError, match=r"(?s)float, x1:\s+object.*object, x1:\s+float"):
        tables.look(f, 1.0, 1.0)
    assert tables.look(f, 1, 1) is None


def test_callees_are_what_rules_are_written_for(tables):
    """The objects and the classes with rules are listed once, in the order of registration."""
    f, g = make(), make()
    tables.add(typeof_(f), float)
    tables.add(type[Foo], float)
    tables.add(typeof_(g), float)
    tables.add(typeof_(f), int)
    tables.add(Foo, int)
    assert tables.callees() == [f, g, Foo]
    assert len(list(tables)) == 5


def test_a_union_is_one_method(tables):
    """A method for several callees is listed once, and once for each callee that it matches."""
    f, g = make(), make()
    tables.add(typeof_(f) | typeof_(g) | types.FunctionType, float, result="union")
    assert len(list(tables)) == 1
    assert len(tables.methods_matching(f)) == len(tables.methods_matching(make())) == 1
    assert tables.look(f, 1.0) == tables.look(g, 1.0) == tables.look(make(), 1.0) == "union"


def test_class_that_becomes_a_carrier_later():
    """A class that was already seen dispatches as what it carries once it is registered as a carrier."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float):
        return "float"

    class Late:
        value = 1.0

    class Backend:
        def call(self, f, args, kwargs): ...

        def primal(self, x):
            return x.value

    assert rrule(f, Late()) is None
    register_carrier(__name__, Late.__qualname__, Backend())
    assert rrule(f, Late()) == "float"


def test_rules_with_a_configuration_are_asked_for_calls_with_one(tables):
    """The others are asked for calls with and without."""

    class Config(RuleConfig[HasReverseMode]): ...

    def configured(config: Config, f: typeof_(make), x: float): ...

    method = read_rule(MODE, configured, {})
    tables.register(method)
    tables.add(typeof_(make), int)
    assert tables.find(Config(), (), make, (1.0,)) is method
    assert tables.find(None, (), make, (1.0,)) is None
    for config in (None, Config()):
        assert tables.find(config, (), make, (1,)).hints[1] is int


def test_which_answers_are_at_hand():
    """Not those of rules with varargs for fewer arguments than the callee requires: more may come by name."""

    def weighted(x, weight): ...
    def pair(f: typeof_(weighted), x: float, weight: float): ...
    def any_number(f: typeof_(weighted), *xs: float): ...

    for rule, at_hand in ((pair, {0: True, 1: True, 2: True}), (any_number, {0: False, 1: False, 2: True})):
        answers = Answers()
        tables = MethodTables("rrule", answers)
        tables.register(read_rule(MODE, rule, {}))
        for number, expected in at_hand.items():
            args = (1.0,) * number
            tables.find(None, (), weighted, args)
            assert (answers.at_hand((weighted, *map(type, args))) is not None) is expected
            assert tables.lacks_arguments(weighted, args) is (number < 2)
        tables.find(None, (), weighted, (1.0, 2.0, 3.0), lacking=True)
        assert (answers.at_hand((weighted, float, float, float)) is not None) is (rule is pair)


def test_a_callee_that_takes_nothing_requires_nothing():
    """A rule with varargs is at hand for a call without arguments then."""

    def free(*xs): ...
    def free_rrule(f: typeof_(free), *xs: float): ...

    answers = Answers()
    tables = MethodTables("rrule", answers)
    tables.register(read_rule(MODE, free_rrule, {}))
    tables.find(None, (), free, ())
    assert answers.at_hand((free,)) is free_rrule


@pytest.mark.parametrize("hashed", [object.__hash__, None], ids=["hash", "none"])
def test_callee_with_odd_equality_and_attributes(hashed):
    """A functor may compare and answer as it likes, and have a hash or none."""

    class Odd:
        def __eq__(self, other):
            return np.ones(2)

        __hash__ = hashed

        def __getattr__(self, name):
            raise RuntimeError(name)

        def __call__(self, x): ...

    @rrule.dispatch
    def odd_rrule(f: Odd, x: float):
        return "found"

    assert rrule(Odd(), 1.0) == "found"


def test_defaults_of_positional_parameters():
    """A rule with defaults serves the calls that leave those arguments out."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float, n: int = 2):
        return x, n

    assert (rrule(f, 1.0), rrule(f, 1.0, 3), rrule(f, 1.0, "x")) == ((1.0, 2), (1.0, 3), None)
