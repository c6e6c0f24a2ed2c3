# ruff: noqa: D103 - stand-ins document nothing
"""Of two rules that are written for the same calls one stays, and one warning says so."""

import importlib
import re
import subprocess
import sys
import warnings

import pytest

from chainrules_core import (
    RuleRedefinitionWarning,
    derivatives_given_output,
    frule,
    non_differentiable,
    opt_out,
    register_ruleset,
    rrule,
    scalar_rule,
    typeof_,
)
from chainrules_core.dispatch.redefinitions import warned_of_once
from tests.chainrules_core.dispatch.made_up_rulesets import rules_for, target

SCALAR_RULE = """
    import sys
    from chainrules_core import scalar_rule
    scalar_rule(sys.modules[{module!r}].f, lambda y, x: 2.0)
"""
NON_DIFFERENTIABLE = """
    import sys
    from chainrules_core import non_differentiable
    non_differentiable(sys.modules[{module!r}].f)
"""
OPT_OUT = """
    import sys
    from chainrules_core import opt_out, rrule, typeof_
    opt_out(rrule, typeof_(sys.modules[{module!r}].f), float)
"""


@pytest.fixture(params=["named for its callees", "for anything"])
def ruleset_for(request, monkeypatch, package):
    """From the source of a ruleset, a function that it has rules for and that nobody has looked up."""

    def make(source):
        module = target(monkeypatch)
        module.f = lambda x: 3.0 * x
        module.f.__module__, module.f.__qualname__ = module.__name__, "f"
        callees = ["f"] if request.param == "named for its callees" else None
        register_ruleset(module.__name__, package(source.format(module=module.__name__)), callees)
        return module.f

    return make


def line_here():
    return sys._getframe(1).f_lineno


def test_a_ruleset_never_replaces_what_a_program_registered(ruleset_for):
    """All rules of a `scalar_rule` stay when a ruleset comes; one warning at its line says so."""
    f = ruleset_for(SCALAR_RULE)
    line = line_here() + 1
    scalar_rule(f, lambda y, x: 5.0)
    with pytest.warns(RuleRedefinitionWarning) as caught:
        assert rrule(f, 1.0)[1](1.0)[1] == 5.0
    assert [(w.filename, w.lineno) for w in caught] == [(__file__, line)]
    assert re.search(r"ruleset_test_\d+\.py:4\).*So do the frule and", str(caught[0].message))
    assert frule((None, 1.0), f, 1.0)[1] == derivatives_given_output(3.0, f, 1.0)[0][0] == 5.0
    assert len(rrule.methods(f)) == 1


def test_a_ruleset_that_a_program_imports_replaces_nothing_either(monkeypatch, package):
    """So it is where the program imports the ruleset itself, and not the first lookup."""
    module = target(monkeypatch)
    ruleset = package(SCALAR_RULE.format(module=module.__name__))
    register_ruleset(module.__name__, ruleset)
    scalar_rule(module.f, lambda y, x: 5.0)
    with pytest.warns(RuleRedefinitionWarning):
        importlib.import_module(ruleset)
    assert frule((None, 1.0), module.f, 1.0)[1] == rrule(module.f, 1.0)[1](1.0)[1] == 5.0
    assert [method.ruleset for method in rrule.methods(module.f)] == [None]


def test_a_rule_of_numpy_is_redefined_before_it_is_loaded():
    """The engine uses the rule of the program, for numbers and arrays, in both modes."""
    program = """if True:
        import numpy as np
        from chainrules.ad import grad, jvp
        from chainrules_core import scalar_rule

        scalar_rule(np.arctan, lambda y, x: 100.0)
        assert grad(lambda x: np.arctan(x))(1.5) == 100.0
        assert grad(lambda x: np.sum(np.arctan(x)))(np.ones(2)).tolist() == [100.0, 100.0]
        assert jvp(np.arctan, (1.5,), (1.0,))[1] == 100.0
    """
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stderr
    assert re.findall(r"^\S+: RuleRedefinitionWarning", told, re.MULTILINE) == [
        "<string>:6: RuleRedefinitionWarning"
    ]


def test_a_program_replaces_what_a_ruleset_registered(ruleset_for):
    """The same holds where the rule of the program comes after the ruleset."""
    f = ruleset_for(SCALAR_RULE)
    assert rrule(f, 1.0)[1](1.0)[1] == 2.0
    line = line_here() + 2
    with pytest.warns(RuleRedefinitionWarning) as caught:
        scalar_rule(f, lambda y, x: 5.0)
    assert [(w.filename, w.lineno) for w in caught] == [(__file__, line)]
    assert rrule(f, 1.0)[1](1.0)[1] == frule((None, 1.0), f, 1.0)[1] == 5.0


@pytest.mark.filterwarnings("ignore::chainrules_core.RuleRedefinitionWarning")
def test_declarations_stay_too(ruleset_for):
    """So it is where calls are declared as non-differentiable, by either."""
    f = ruleset_for(NON_DIFFERENTIABLE)
    line = line_here() + 1
    non_differentiable(f)
    rrule(f, 1.0)
    (method,) = rrule.methods(f)
    assert method.location.endswith(f"test_redefinitions.py:{line}")


@pytest.mark.filterwarnings("ignore::chainrules_core.RuleRedefinitionWarning")
@pytest.mark.parametrize("looked_up", [False, True])
def test_opt_outs(ruleset_for, looked_up):
    """The opt-out of a program wins, and its rule beats the opt-out of a ruleset, whichever comes first."""
    module = "{module}"
    f, g = ruleset_for(rules_for(module).replace("'{module}'", "{module!r}")), ruleset_for(OPT_OUT)
    if looked_up:
        assert (rrule(f, 1.0), rrule(g, 1.0)) == ("found", None)
    opt_out(rrule, typeof_(f), float)

    @rrule.dispatch
    def g_rrule(f: typeof_(g), x: float):
        return "of the program"

    assert (rrule(f, 1.0), rrule(g, 1.0)) == (None, "of the program")


def test_of_two_rulesets_the_one_that_is_there_stays(monkeypatch, package):
    """A ruleset that may have rules for anything, as those of entry points, is loaded before those named."""
    module = target(monkeypatch)
    module.f.__module__ = module.__name__
    for answer, callees in (("named", [module.f.__qualname__]), ("for anything", None)):
        register_ruleset(module.__name__, package(rules_for(module.__name__, answer=answer)), callees)
    with pytest.warns(RuleRedefinitionWarning, match="f_rrule"):
        assert rrule(module.f, 1.0) == "for anything"


def test_a_ruleset_that_redefines_its_own_rule(monkeypatch, package):
    """The later one stays, as in any other file."""
    module = target(monkeypatch)
    source = rules_for(module.__name__, answer="first") + rules_for(module.__name__, answer="second")
    register_ruleset(module.__name__, package(source))
    with pytest.warns(RuleRedefinitionWarning, match=r"redefines `f_rrule` \(.*ruleset_test_\d+\.py:6\)"):
        assert rrule(module.f, 1.0) == "second"


def test_a_warning_that_is_an_error_does_not_stop_the_ruleset(ruleset_for):
    """All rules of the ruleset are there then, and the next lookup finds them."""
    module = "{module}"
    other = rules_for(module, annotation="int", answer="other")
    f = ruleset_for((rules_for(module) + other).replace("'{module}'", "{module!r}"))

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return "mine"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuleRedefinitionWarning):
            rrule(f, 1.0)
    assert (rrule(f, 1.0), rrule(f, 1)) == ("mine", "other")


def test_one_warning_for_each_function():
    """One line may define the rules of several functions: they are warned of by themselves."""

    def first(x): ...
    def second(x): ...

    def define():
        with warned_of_once:
            for f in (first, second):
                scalar_rule(f, lambda y, x: 1.0)

    define()
    with pytest.warns(RuleRedefinitionWarning) as caught:
        define()
    assert [re.findall("first|second", str(warning.message))[0] for warning in caught] == ["first", "second"]
