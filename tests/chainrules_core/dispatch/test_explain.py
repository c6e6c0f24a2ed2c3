"""`explain`: which rule serves a call, what it beat, or why there is none."""

import inspect
import re
import textwrap
from numbers import Number

import numpy as np

from chainrules_core import AbstractArray, HasReverseMode, RuleConfig, frule, opt_out, rrule, typeof_
from tests.chainrules_core.boxes import Box


class Config(RuleConfig[HasReverseMode]):
    """An AD system for these tests."""


def foo(x, y):
    """A function of two arguments."""


@rrule.dispatch
def foo_rrule(f: typeof_(foo), x: Number, y: Number | AbstractArray = 1.0):
    """A general rule."""


@rrule.dispatch
def foo_rrule_of_float(f: typeof_(foo), x: float, y: float):
    """A more specific rule."""


@rrule.dispatch
def foo_rrule_with_config(config: RuleConfig[HasReverseMode], f: typeof_(foo), x: object, *ys: str):
    """A rule that calls back."""


def bar(x):
    """A function with an ambiguity and an opt-out."""


@rrule.dispatch
def bar_rrule(f: typeof_(bar), x: float, y: object):
    """The first of two."""


@rrule.dispatch
def bar_rrule_other(f: typeof_(bar), x: object, y: float):
    """The second of two."""


@rrule.dispatch
def bar_rrule_text(f: typeof_(bar), x: str):
    """A rule of which is opted out."""


OPT_OUT_LINE = inspect.currentframe().f_lineno + 1
opt_out(rrule, typeof_(bar), str)


def listed(rule, parameters):
    """The line that shows a rule of this file."""
    return f"    {rule.__name__}({parameters})  FILE:{rule.__code__.co_firstlineno}"


FOO, BAR = f"typeof_({__name__}.foo)", f"typeof_({__name__}.bar)"
GENERAL = listed(foo_rrule, f"{FOO}, Number, Number | AbstractArray")
OF_FLOAT = listed(foo_rrule_of_float, f"{FOO}, float, float")
WITH_CONFIG = listed(foo_rrule_with_config, f"RuleConfig[HasReverseMode], {FOO}, object, *str")


def text(explanation):
    """The explanation, with this file's path, and the lines in it, in short."""
    return re.sub(r"\S*test_explain\.py", "FILE", explanation)


def test_chosen_and_what_it_beat():
    """The chosen rule, its place, and those that match as well but are less specific."""
    assert text(rrule.explain(foo, 1.0, 2.0)) == "\n".join(
        [
            f"rrule({__name__}.foo, float, float) is served by",
            OF_FLOAT,
            "It beat, because its parameters are more specific:",
            GENERAL,
        ]
    )


def test_chosen_alone():
    """Where no other rule matches, nothing was beaten; a default counts as given."""
    assert text(rrule.explain(foo, 1)) == f"rrule({__name__}.foo, int) is served by\n{GENERAL}"


def test_carriers_are_shown_as_what_they_carry():
    """The text is about the types that take part in dispatch."""
    assert rrule.explain(foo, Box(1.0), Box(Box(np.ones(2)))).startswith(
        f"rrule({__name__}.foo, float, ndarray[float64, 1]) is served by"
    )


def test_configuration_comes_first():
    """A rule with a configuration beats all others for being one."""
    assert text(rrule.explain(Config(), foo, 1.0)) == "\n".join(
        [
            f"rrule(Config, {__name__}.foo, float) is served by",
            WITH_CONFIG,
            "It beat, because a rule with a configuration comes before all without:",
            GENERAL,
        ]
    )


def test_a_rule_with_a_configuration_has_to_match_to_be_beaten():
    """One that takes other arguments is not listed."""
    shown = text(rrule.explain(Config(), foo, 1.0, 2.0))
    assert shown.endswith(f"It beat, because its parameters are more specific:\n{GENERAL}")


def test_nearest_candidates():
    """Where rules exist and none applies, those with the fewest misfits are shown, the best first."""
    assert text(rrule.explain(foo, "x", 2.0)) == "\n".join(
        [
            f"rrule({__name__}.foo, str, float) has no rule.",
            "The nearest are",
            OF_FLOAT,
            "        `x` is a str, the rule takes float",
            GENERAL,
            "        `x` is a str, the rule takes Number",
            WITH_CONFIG,
            (
                "        it asks for a configuration: pass your AD system's before the function, such "
                "as `ADConfig()` of `chainrules.ad`"
            ),
            "        argument 2 is a float, the rule takes str",
        ]
    )


def test_only_rules_with_a_configuration():
    """A call without a configuration is told if that is all it lacks."""

    def baz(x): ...

    @rrule.dispatch
    def baz_rrule(config: Config, f: typeof_(baz), x: float): ...

    assert rrule.explain(baz, 1.0).startswith(
        "rrule(baz, float) has no rule.\n"
        "Its rules all ask for a configuration, and the call has none:\n"
        "    baz_rrule(Config, typeof_(baz), float)  "
    )


def test_no_rule_at_all():
    """Where no rule is registered, the text says how to write one, in this mode."""

    def unheard_of(x): ...

    assert rrule.explain(unheard_of, 1.0) == (
        "rrule(unheard_of, float) has no rule.\n"
        "No rrule is registered for unheard_of. Write one with `@rrule.dispatch` and "
        "`f: typeof_(unheard_of)`, or import the package that holds it."
    )
    assert "No frule is registered for unheard_of. Write one with `@frule.dispatch`" in frule.explain(
        (None, 1.0), unheard_of, 1.0
    )


def test_no_rule_without_the_package_that_has_them(monkeypatch):
    """Of a function of NumPy or Python it is said what has to be installed."""
    asked = np.frompyfunc, textwrap.dedent
    assert not any("is not installed" in rrule.explain(f, 1.0) for f in asked)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert all("the package `chainrules`, which is not installed" in rrule.explain(f, "a") for f in asked)


def test_no_rule_for_a_functor():
    """An instance that is called is named by its class, and so is the rule to write."""

    class Functor:
        def __call__(self, x): ...

    assert "registered for an instance of Functor. Write one with `@rrule.dispatch` and `f: Functor`" in (
        rrule.explain(Functor(), 1.0)
    )


def test_did_you_mean():
    """Callees with rules whose names are near, or end alike, are suggested."""

    def distinctive_callee(x): ...

    def distinctive_cal1ee(x): ...

    @rrule.dispatch
    def rule(f: typeof_(distinctive_callee), x: float): ...

    assert rrule.explain(distinctive_cal1ee, 1.0).endswith("Did you mean distinctive_callee?")


def test_opted_out():
    """An opt-out is shown with the caller's line, and so is the rule that it takes the place of."""
    assert text(rrule.explain(bar, "x")) == "\n".join(
        [
            f"rrule({__name__}.bar, str) has no rule: it was opted out by",
            f"    opted_out({BAR}, str)  FILE:{OPT_OUT_LINE}",
            "It beat, because an opt-out comes before a rule of the same signature:",
            listed(bar_rrule_text, f"{BAR}, str"),
        ]
    )


def test_opted_out_of_a_more_general_rule():
    """The reason is that of any rule."""

    def baz(x): ...

    @rrule.dispatch
    def baz_rrule(f: typeof_(baz), x: Number): ...

    opt_out(rrule, typeof_(baz), float)
    assert "It beat, because its parameters are more specific:\n    baz_rrule(" in rrule.explain(baz, 1.0)


def test_ambiguous():
    """All rules that tie are shown, and no others."""
    call = f"rrule({__name__}.bar, float, float)"
    assert text(rrule.explain(bar, 1.0, 1.0)) == "\n".join(
        [
            f"{call} is ambiguous: none of these is more specific than the others.",
            listed(bar_rrule, f"{BAR}, float, object"),
            listed(bar_rrule_other, f"{BAR}, object, float"),
            "Add a rule for (float, float), or give one of them a higher `precedence=` in its `dispatch`.",
        ]
    )


def test_ambiguous_by_position():
    """Rules tie for a call by keyword as for the same call by position."""

    def baz(x, y): ...

    @rrule.dispatch
    def left(f: typeof_(baz), x: float, y: object): ...

    @rrule.dispatch
    def right(f: typeof_(baz), x: object, y: float): ...

    shown = rrule.explain(baz, 1.0, y=1.0)
    assert "is ambiguous" in shown
    assert shown.endswith("`y` is given to it by position.")


def test_precedence_is_named_as_the_reason():
    """A rule that wins a tie by its precedence is said to."""

    def baz(x): ...

    @rrule.dispatch
    def left(f: typeof_(baz), x: float, y: object): ...

    @rrule.dispatch(precedence=1)
    def right(f: typeof_(baz), x: object, y: float): ...

    explanation = rrule.explain(baz, 1.0, 1.0)
    assert "is served by\n    right(" in explanation
    assert "It beat, because its precedence is higher:\n    left(" in explanation


def test_frule():
    """`frule.explain` takes the tangents, too, and leaves them out of the text."""

    def baz(x): ...

    @frule.dispatch
    def baz_frule(tangents, f: typeof_(baz), x: float): ...

    assert frule.explain((None, 1.0), baz, 1.0).startswith(
        "frule(baz, float) is served by\n    baz_frule(Any, typeof_(baz), float)  "
    )


def test_methods_are_sorted():
    """`methods` lists what can match in the order of lookup: for the object, configured, most specific."""

    class Functor:
        def __call__(self, x): ...

    functor = Functor()

    @rrule.dispatch
    def of_class(f: Functor, x: float): ...

    @rrule.dispatch
    def of_object(f: typeof_(functor), x: float): ...

    @rrule.dispatch
    def configured(config: Config, f: Functor, x: object): ...

    assert [method.name for method in rrule.methods(functor)] == ["of_object", "configured", "of_class"]
    assert [method.name for method in rrule.methods(Functor())] == ["configured", "of_class"]
    names = [method.name for method in rrule.methods(foo)]
    assert names == ["foo_rrule_with_config", "foo_rrule_of_float", "foo_rrule"]


def test_a_rule_for_the_object_beat_those_for_its_class():
    """The reason is the object, not a configuration or how closely the arguments fit."""

    class Functor:
        def __call__(self, x): ...

    functor = Functor()

    @rrule.dispatch
    def of_class(f: Functor, x: float): ...

    @rrule.dispatch
    def configured(config: Config, f: Functor, x: float): ...

    @rrule.dispatch
    def of_object(f: typeof_(functor), x: object): ...

    explanation = rrule.explain(Config(), functor, 1.0)
    assert "is served by\n    of_object(" in explanation
    reason = "It beat, because a rule for the object itself comes before all for its class:\n    configured("
    assert reason in explanation
    assert explanation.count("It beat") == 1


def test_fewer_misfits_are_nearer():
    """Each argument of another type, each that is missing or too many, and a configuration count one."""

    def near(x): ...

    @rrule.dispatch
    def near_rrule_of_pairs(f: typeof_(near), x: str, y: str): ...

    @rrule.dispatch
    def near_rrule_of_float(f: typeof_(near), x: float): ...

    @rrule.dispatch
    def near_rrule_of_four(f: typeof_(near), x: int, y: int, z: int, w: int): ...

    @rrule.dispatch
    def near_rrule_configured(config: Config, f: typeof_(near), x: int, y: int): ...

    def order(*args, config=()):
        shown = rrule.explain(*config, near, *args)
        names = re.findall(r"^    (near_rrule\w+)\(", shown, re.MULTILINE)
        assert len(names) == 3  # of four
        return [name.removeprefix("near_rrule_") for name in names][:2]

    assert order("a", "b", "c") == ["of_pairs", "of_float"]  # one misfit, three
    assert order(1, 1, 1) == ["of_four", "configured"]  # one, two
    assert order(1, 1, "a", config=(Config(),)) == ["configured", "of_four"]  # one, two
    assert order(1, 1, 1, config=(Config(),)) == ["configured", "of_four"]  # one each
    assert order("a", "b", "c", "d", "e")[0] == "of_pairs"  # three


def test_a_call_by_keyword_is_explained_as_it_is_served():
    """A rule with varargs gets by position what its callee requires; one that takes the name gets that."""

    def weighted(x, weight, n=0): ...

    @rrule.dispatch
    def weighted_rrule(f: typeof_(weighted), *xs: float, n=0):
        return xs, None

    assert "`weight` is given to it by position" in rrule.explain(weighted, 1.0, weight=2.0)
    assert "`weight`, `x` are given to it by position" in rrule.explain(weighted, weight=2.0, x=1.0)
    assert "by position" not in rrule.explain(weighted, 1.0, 2.0, n=1)


def test_each_argument_of_a_rule_with_varargs_counts():
    """Those that fit are no misfits."""

    def many(*xs): ...

    @rrule.dispatch
    def many_rrule_of_three(f: typeof_(many), x: int, y: int, z: float): ...

    @rrule.dispatch
    def many_rrule_of_texts(f: typeof_(many), *xs: str): ...

    shown = rrule.explain(many, "a", "b", 2.5)  # one misfit, and two
    assert shown.index("many_rrule_of_texts") < shown.index("many_rrule_of_three")


def test_keywords_that_the_rule_does_not_take():
    """They are named; defaults that stand between them and the arguments are no arguments of the call."""

    def scaled(x, a=0, factor=2.0): ...

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: float): ...

    for x, said in ((1.0, "is served by"), ("1.0", "`x` is a str, the rule takes float")):
        text = rrule.explain(scaled, x, factor=3.0)
        assert said in text
        assert "no parameter for the keyword `factor`: give it `*, factor=2.0`, or `**options`" in text
        assert "the call has" not in text
