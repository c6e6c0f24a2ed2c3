"""Modules that exist for one test: targets with a function `f`, and rulesets for it."""

import itertools
import sys
import types

number = itertools.count()


def target(monkeypatch, name=None):
    """A module that is imported, with a function `f`."""
    module = types.ModuleType(name or f"ruleset_target_{next(number)}")

    def f(x): ...

    module.f = f
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def rules_for(module, annotation="float", answer="found"):
    """The source of a ruleset for the function of a module."""
    return f"""
        import sys
        from chainrules_core import rrule, typeof_
        f = sys.modules[{module!r}].f

        @rrule.dispatch
        def f_rrule(f: typeof_(f), x: {annotation}):
            return {answer!r}
    """
