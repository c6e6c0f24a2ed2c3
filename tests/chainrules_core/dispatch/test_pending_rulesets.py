"""Rulesets that name their callees: they are imported for these alone."""

import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chainrules.ad import vjp
from chainrules_core import ProjectTo, on_new_rule, register_ruleset, rrule, typeof_
from chainrules_core.dispatch.pending_rulesets import Ruleset, all_pending, pending_for, strike_out
from tests.chainrules_core.dispatch.made_up_rulesets import number, rules_for, target


def test_loads_when_one_of_its_callees_is_looked_up(monkeypatch, package):
    """A ruleset that names its callees is imported for these alone."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, [f"{module.__name__}:{module.f.__qualname__}"])
    module.f.__module__ = module.__name__
    assert rrule(lambda x: x, 1.0) is None
    assert ruleset not in sys.modules
    assert rrule(module.f, 1.0) == "found"


@pytest.mark.parametrize("look", [rrule.methods, lambda f: rrule.explain(f, 1.0), rrule.find])
def test_looking_at_a_callee_loads_its_rules(monkeypatch, package, look):
    """Whatever asks about a callee knows the rules that a lookup would find."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, [module.f.__qualname__])
    module.f.__module__ = module.__name__
    look(module.f)
    assert ruleset in sys.modules


@pytest.mark.parametrize(
    "look", [rrule.methods, rrule.callees, lambda: on_new_rule(lambda *_: None).remove()]
)
def test_looking_at_all_rules_loads_all(monkeypatch, package, look):
    """Whatever asks about all rules is told those too whose callees were never looked up."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, [module.f.__qualname__])
    look()
    assert ruleset in sys.modules


def test_names_are_several():
    """One text in place of the names of callees is refused: its letters would be taken for names."""
    with pytest.raises(TypeError, match="a list of names"):
        register_ruleset("math", "some.module", "sin")


def test_hooks_hear_of_rules_of_later_targets(monkeypatch, package):
    """A hook is told the rules of a target that is imported after it, at the next lookup of anything."""
    name = f"ruleset_target_{next(number)}"
    register_ruleset(name, package(rules_for(name)), ["f"])
    told = []
    handle = on_new_rule(lambda _, method: told.append(method))
    told.clear()
    module = target(monkeypatch, name)
    rrule(lambda x: x, 1.0)
    handle.remove()
    assert [member.type_parameter for method in told for member in method.members] == [module.f]


def test_callees_of_other_packages_with_the_same_name(monkeypatch, package):
    """A function that says that it is of another package asks for nothing; one that does not say asks."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, ["f"])

    def f(x): ...

    f.__qualname__, f.__module__ = "f", "elsewhere"
    assert rrule(f, 1.0) is None
    assert ruleset not in sys.modules
    f.__module__ = None
    assert rrule(f, 1.0) is None
    assert ruleset in sys.modules


def test_callee_that_no_ruleset_named(monkeypatch, package):
    """A function of the target's package that is not among the names is looked for in all its rulesets."""
    module = target(monkeypatch)
    module.f.__module__ = f"{module.__name__}.private"
    register_ruleset(module.__name__, package(rules_for(module.__name__)), ["an_older_name"])
    assert rrule(module.f, 1.0) == "found"


CLASS_RULES = """
    import sys
    from chainrules_core import rrule
    Foo = sys.modules[{module!r}].Foo

    @rrule.dispatch
    def foo_rrule(f: {callee}, x: float):
        return "found"
"""


@pytest.mark.parametrize(
    ("callee", "name", "call"),
    [("Foo", "Foo()", lambda cls: cls()), ("type[Foo]", "type[Foo]", lambda cls: cls)],
)
def test_rules_of_classes(monkeypatch, package, callee, name, call):
    """Rules for the instances and the constructors of a class load for those of its subclasses."""
    module = target(monkeypatch)
    module.Foo = type("Foo", (), {"__call__": lambda self, x: x})
    ruleset = package(CLASS_RULES.format(module=module.__name__, callee=callee))
    register_ruleset(module.__name__, ruleset, [name])
    assert rrule(call(type("Bar", (module.Foo,), {})), 1.0) == "found"


FOREIGN_RULES = """
    import sys
    from chainrules_core import rrule, typeof_
    module = sys.modules[{module!r}]

    @rrule.dispatch
    def f_rrule(f: typeof_(module.f), x: module.Foo):
        return "found"
"""


def test_foreign_callees_load_for_arguments_of_uncommon_classes(monkeypatch, package):
    """Rules that need an argument of a class of their own load when a foreign callee gets an uncommon one."""
    module = target(monkeypatch)
    module.Foo = type("Foo", (), {})
    ruleset = package(FOREIGN_RULES.format(module=module.__name__))
    register_ruleset(module.__name__, ruleset, [], [module.f.__qualname__])
    assert rrule(module.f, 1.0) is None
    assert rrule(module.f, np.ones(2)) is None
    assert ruleset not in sys.modules
    assert rrule(module.f, module.Foo()) == "found"


def test_foreign_callees_load_for_what_traced_values_carry(monkeypatch, package):
    """The class of the value that a carrier carries decides which rules load."""
    module = target(monkeypatch)
    module.Foo = type("Foo", (), {})
    ruleset = package(FOREIGN_RULES.format(module=module.__name__))
    register_ruleset(module.__name__, ruleset, [], [module.f.__qualname__])
    seen = []

    def look(x):
        seen.append(rrule(module.f, x))
        return 1.0

    vjp(look, 1.0)
    assert (seen, ruleset in sys.modules) == ([None], False)


def test_answers_do_not_outlive_the_rules_that_are_better(monkeypatch, package):
    """That an uncommon argument loads more rules of a callee changes no answer for others, and hides none."""
    module = target(monkeypatch)
    module.Foo = type("Foo", (), {})

    @rrule.dispatch
    def f_rrule(f: typeof_(module.f), x: object):
        return "general"

    ruleset = package(FOREIGN_RULES.format(module=module.__name__))
    register_ruleset(module.__name__, ruleset, [], [module.f.__qualname__])
    assert [rrule(module.f, x) for x in (1.0, module.Foo(), 1.0)] == ["general", "found", "general"]


def test_failure_is_reported_once_for_all_callees(monkeypatch, package, recwarn):
    """A broken ruleset is reported at the first of its callees, and not again at the next."""
    module = target(monkeypatch)
    module.g = lambda x: x
    module.f.__module__ = module.g.__module__ = module.__name__
    broken = package("raise KeyError")
    register_ruleset(module.__name__, broken, [module.f.__qualname__, module.g.__qualname__])
    monkeypatch.setattr("warnings.filters", [])
    assert [rrule(f, 1.0) for f in (module.f, module.g, module.f)] == [None, None, None]
    assert sum(broken in str(warning.message) for warning in recwarn) == 1


def test_threads_wait_for_the_rules_of_a_callee(monkeypatch, package):
    """A thread that asks about a callee while another imports its rules waits for them."""
    module = target(monkeypatch)
    module.f.__module__ = module.__name__
    source = "import time\ntime.sleep(0.1)\n" + textwrap.dedent(rules_for(module.__name__))
    register_ruleset(module.__name__, package(source), [module.f.__qualname__])
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: rrule(module.f, 1.0), range(4))) == ["found"] * 4


def test_projectors_do_not_wait_for_callees(monkeypatch, package):
    """A ruleset that names its callees holds no projectors, so that `ProjectTo` leaves it alone."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, [module.f.__qualname__])
    ProjectTo(type("Matrix", (), {})())
    assert ruleset not in sys.modules


@pytest.mark.parametrize("names", [("math", sys), (sys, "ruleset"), (b"math", b"ruleset")])
def test_target_and_ruleset_are_both_text(names):
    """One of two is not enough."""
    with pytest.raises(TypeError, match="as strings"):
        register_ruleset(*names)


def test_the_package_of_a_callee():
    """It is that of the target, unless the name says another; callees of third packages are others."""

    def callee(x): ...

    def modules_for(name, module):
        callee.__qualname__, callee.__module__ = name, module
        return [ruleset.module for ruleset in pending_for(callee)]

    ruleset = Ruleset("absent.target", "absent.ruleset", ("own_callee", "elsewhere:foreign_callee"))
    register_ruleset(*ruleset[:3])
    try:
        assert modules_for("own_callee", "absent.anything") == ["absent.ruleset"]
        assert modules_for("own_callee", "elsewhere") == []
        assert modules_for("foreign_callee", "elsewhere.anything") == ["absent.ruleset"]
        assert modules_for("foreign_callee", "third") == []
        assert modules_for("own_callee", None) == modules_for("foreign_callee", None) == ["absent.ruleset"]
    finally:
        (pending,) = all_pending_of("absent.target")
        assert [strike_out(pending), strike_out(pending)] == [True, False]
    assert modules_for("own_callee", "absent.anything") == []


def all_pending_of(target_name):
    """The rulesets for a target that are pending."""
    return [ruleset for ruleset in all_pending() if ruleset.target == target_name]
