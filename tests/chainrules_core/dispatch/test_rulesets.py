"""Rulesets that load by themselves, when what they are for is in use."""

import gc
import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

import chainrules_core.dispatch.rulesets as rulesets_module
from chainrules_core import ProjectTo, RulesetImportWarning, frule, register_ruleset, rrule, typeof_
from tests.chainrules_core.dispatch.made_up_rulesets import number, rules_for, target


def test_loads_when_the_target_is_imported(monkeypatch, package):
    """A ruleset is imported by the first lookup after its target was, and not before."""
    name = f"ruleset_target_{next(number)}"
    ruleset = package(rules_for(name))
    register_ruleset(name, ruleset)
    assert rrule(lambda x: x, 1.0) is None
    assert ruleset not in sys.modules
    module = target(monkeypatch, name)
    assert rrule(module.f, 1.0) == "found"
    assert ruleset in sys.modules


@pytest.mark.parametrize("look", [lambda f: rrule.explain(f, 1.0), rrule.methods, lambda _: rrule.callees()])
def test_looking_loads_too(monkeypatch, package, look):
    """`explain`, `methods` and `callees` know the rules that a lookup would find."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset)
    look(module.f)
    assert ruleset in sys.modules


def test_is_executed_once(monkeypatch, package):
    """However often it is named and looked for, a ruleset is executed once."""
    module = target(monkeypatch)
    module.count = 0
    ruleset = package(f"import sys; sys.modules[{module.__name__!r}].count += 1")
    for _ in range(3):
        register_ruleset(module.__name__, ruleset)
        rrule(module.f, 1.0)
    assert module.count == 1


def test_ruleset_named_after_a_lookup_takes_effect(monkeypatch, package):
    """An answer, and that there was none, is forgotten when a ruleset is named."""
    module = target(monkeypatch)
    assert rrule(module.f, 1.0) is None
    register_ruleset(module.__name__, package(rules_for(module.__name__, "object", "general")))
    assert rrule(module.f, 1.0) == "general"
    assert rrule(module.f, 1.0) == "general"
    register_ruleset(module.__name__, package(rules_for(module.__name__, "float", "better")))
    assert rrule(module.f, 1.0) == "better"


def test_more_rules_for_a_callee_that_has_some(monkeypatch, package):
    """A callee with a rule of its own gets more from a ruleset whose target is imported later."""
    module = target(monkeypatch)

    @rrule.dispatch
    def f_rrule(f: typeof_(module.f), x: str):
        return "str"

    name = f"ruleset_target_{next(number)}"
    register_ruleset(name, package(rules_for(module.__name__)))
    assert rrule(module.f, "x") == "str"
    target(monkeypatch, name)
    assert rrule(module.f, 1.0) == "found"


def test_rulesets_that_name_others(monkeypatch, package):
    """A ruleset may name further ones, which load at once if their targets are imported."""
    module = target(monkeypatch)
    inner = package(rules_for(module.__name__))
    outer = package(
        f"from chainrules_core import register_ruleset; register_ruleset({module.__name__!r}, {inner!r})"
    )
    register_ruleset(module.__name__, outer)
    assert rrule(module.f, 1.0) == "found"


def test_ruleset_that_looks_up_rules(monkeypatch, package):
    """A ruleset may look rules up while it is imported, and still be reported if it fails."""
    module = target(monkeypatch)
    ruleset = package(
        rules_for(module.__name__) + "\n        assert rrule(f, 1.0) == 'found'\n        raise KeyError"
    )
    register_ruleset(module.__name__, ruleset)
    with pytest.warns(RulesetImportWarning, match=ruleset):
        assert rrule(module.f, 1.0) == "found"


@pytest.mark.parametrize("was_enabled", [True, False])
def test_garbage_is_collected_as_before(monkeypatch, package, was_enabled):
    """A ruleset is imported without collections, and whether it fails or not, they go on as they did."""
    module = target(monkeypatch)
    seen = package(f"import gc, sys; sys.modules[{module.__name__!r}].seen = gc.isenabled()")
    failing = package("raise ValueError")
    register_ruleset(module.__name__, seen)
    register_ruleset(module.__name__, failing)
    (gc.enable if was_enabled else gc.disable)()
    try:
        with pytest.warns(RulesetImportWarning, match=failing):
            rrule(module.f, 1.0)
        assert (module.seen, gc.isenabled()) == (False, was_enabled)
    finally:
        gc.enable()


def test_rules_of_others():
    """Those that stand in the files of a package are its own, whoever imported them."""

    def f(x): ...

    @rrule.dispatch
    def here(f: typeof_(f), x: float): ...

    assert [method.function for method in rrule.methods_of_others(f, "chainrules")] == [here]
    assert rrule.methods_of_others(f, "tests") == frule.methods_of_others(f, "chainrules") == []
    assert rrule.methods_of_others(np.exp, "chainrules") == []


def test_rulesets_of_others(monkeypatch, package):
    """They are imported, and those of a package are not, for who asks about the others."""
    module = target(monkeypatch)
    module.f.__module__ = module.__name__
    ruleset = package(rules_for(module.__name__))
    register_ruleset(module.__name__, ruleset, [module.f.__qualname__])
    assert rrule.methods_of_others(module.f, ruleset) == []
    assert ruleset not in sys.modules
    (method,) = rrule.methods_of_others(module.f, "chainrules")
    assert (method.ruleset, method.stands_in(ruleset), method.stands_in("chainrules")) == (
        ruleset,
        True,
        False,
    )


def test_failure_is_reported_once_by_name(monkeypatch, package, recwarn):
    """A ruleset that cannot be imported is reported once, and others load all the same."""
    module = target(monkeypatch)
    broken = package("raise KeyError('the reason')")
    missing = "ruleset_that_is_not_there"
    register_ruleset(module.__name__, broken)
    register_ruleset(module.__name__, missing)
    register_ruleset(module.__name__, package(rules_for(module.__name__)))
    monkeypatch.setattr("warnings.filters", [])  # the default: show everything
    for _ in range(3):
        assert rrule(module.f, 1.0) == "found"
        assert rrule(lambda x: x, 1.0) is None
    warned = [warning for warning in recwarn if warning.category is RulesetImportWarning]
    messages = [str(warning.message) for warning in warned]
    assert len(messages) == 2
    places = [Path(warning.filename).name for warning in warned]
    assert places == [f"{broken}.py", "rule_function.py"], "the import that failed, or who asked"
    assert f"{broken!r} for {module.__name__!r} could not be imported" in messages[0]
    assert "KeyError: 'the reason'" in messages[0]
    assert f"{missing!r}" in messages[1]
    assert "ModuleNotFoundError" in messages[1]


def test_failure_is_shown_by_default():
    """Python does not hide the warning, as it hides import warnings."""
    program = "from chainrules_core import *; register_ruleset('sys', 'no_such_ruleset'); rrule(vars, 1.0)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert "RulesetImportWarning: The ruleset 'no_such_ruleset' for 'sys'" in result.stderr


def test_failure_that_is_an_error_does_not_stop_others(monkeypatch, package):
    """Where warnings are errors, the lookup raises after all rulesets have been loaded."""
    module = target(monkeypatch)
    register_ruleset(module.__name__, package("raise KeyError"))
    register_ruleset(module.__name__, package(rules_for(module.__name__)))
    with pytest.raises(RulesetImportWarning):
        rrule(module.f, 1.0)
    assert rrule(module.f, 1.0) == "found"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, RecursionError, MemoryError])
def test_interrupted_import_is_tried_again(monkeypatch, package, interruption):
    """A ruleset is not lost if the user interrupts it, or the stack or the memory ends."""
    module = target(monkeypatch)
    module.interrupt = True
    source = f"import sys\nif sys.modules[{module.__name__!r}].interrupt: raise {interruption.__name__}\n"
    register_ruleset(module.__name__, package(source + textwrap.dedent(rules_for(module.__name__))))
    with pytest.raises(interruption):
        rrule(module.f, 1.0)
    module.interrupt = False
    assert rrule(module.f, 1.0) == "found"


def test_waits_until_the_target_is_imported_completely(monkeypatch, package):
    """A lookup during the import of the target does not load its ruleset too early."""
    name = package(
        """
        from chainrules_core import rrule
        assert rrule(vars, 1.0) is None
        def f(x): ...
        """
    )
    register_ruleset(name, package(rules_for(name)))
    __import__(name)
    assert rrule(sys.modules[name].f, 1.0) == "found"


def test_two_threads_meet_a_callee_at_once(monkeypatch, package):
    """A thread that comes while another imports a ruleset waits for it, and finds the rules."""
    module = target(monkeypatch)
    module.sleep = lambda: time.sleep(0.1)
    ruleset = package(f"import sys; sys.modules[{module.__name__!r}].sleep()" + rules_for(module.__name__))
    source = sys.path[0] + f"/{ruleset}.py"
    with open(source, "w") as file:  # noqa: PTH123 - short
        file.write(f"import sys\nsys.modules[{module.__name__!r}].sleep()\n")
        file.write(textwrap.dedent(rules_for(module.__name__)))
    register_ruleset(module.__name__, ruleset)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: rrule(module.f, 1.0), range(4)))
    assert answers == ["found"] * 4


def test_functions_that_are_called_with_their_target(monkeypatch, package):
    """Rules that are alike for several targets are registered for each, once, and when it is in use."""
    first, second = target(monkeypatch), target(monkeypatch)
    ruleset = package("""
        import sys, time
        from chainrules_core import rrule, typeof_
        called = []

        def register(target):
            time.sleep(0.05)
            called.append(target)
            f = sys.modules[target].f

            @rrule.dispatch
            def f_rrule(f: typeof_(f), x: float):
                return target
    """)
    for module in (first, second):
        register_ruleset(module.__name__, f"{ruleset}:register")
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: rrule(first.f, 1.0), range(4)))
    assert answers == [first.__name__] * 4
    assert rrule(second.f, 1.0) == second.__name__
    assert sorted(sys.modules[ruleset].called) == sorted([first.__name__, second.__name__])
    (method,) = rrule.methods(first.f)
    assert method.stands_in(ruleset.partition(":")[0])


def test_failure_of_such_a_function(monkeypatch, package):
    """It is reported, as that of an import is."""
    module = target(monkeypatch)
    register_ruleset(module.__name__, f"{package('def register(target): raise ValueError')}:register")
    with pytest.warns(RulesetImportWarning, match="register"):
        assert rrule(module.f, 1.0) is None


def test_failure_is_reported_once_by_threads(monkeypatch, package, recwarn):
    """Of several threads that meet a broken ruleset one reports it."""
    module = target(monkeypatch)
    module.sleep = lambda: time.sleep(0.05)
    broken = package(f"import sys; sys.modules[{module.__name__!r}].sleep(); raise KeyError")
    register_ruleset(module.__name__, broken)
    monkeypatch.setattr("warnings.filters", [])
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: rrule(module.f, 1.0), range(4))) == [None] * 4
    assert sum(broken in str(warning.message) for warning in recwarn) == 1


def test_entry_points(monkeypatch, package):
    """An entry point's name is the target and its value the ruleset; they are read once."""
    module = target(monkeypatch)
    ruleset = package(rules_for(module.__name__))
    reads = []

    def entry_points(group):
        reads.append(group)
        return [(module.__name__, ruleset)]

    monkeypatch.setattr(rulesets_module, "entry_points", entry_points)
    monkeypatch.setattr(rulesets_module, "_entry_points_are_read", False)
    assert rrule(module.f, 1.0) == "found"
    rrule(lambda x: x, 1.0)
    assert reads == ["chainrules.rulesets"]


@pytest.mark.skipif(not entry_points(group="chainrules.rulesets"), reason="none is installed")
def test_installed_rulesets_load_by_themselves():
    """A program imports the package that its rules are for, and not the rules."""
    program = "import numpy as np; from chainrules_core import rrule; print(rrule(np.sin, 0.0) is not None)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "True\n"


@pytest.mark.parametrize("arguments", [(sys, "ruleset"), ("sys", sys)])
def test_names_are_strings(arguments):
    """Modules themselves are refused: naming one would have imported it."""
    with pytest.raises(TypeError, match=r"register_ruleset\(.*\): both are the dotted names of modules"):
        register_ruleset(*arguments)


def test_projectors_load_with_the_rules(monkeypatch, package):
    """A ruleset may hold projectors too: `ProjectTo` finds them without a rule having been looked up."""
    module = target(monkeypatch)
    module.Matrix = type("Matrix", (), {})
    ruleset = package(f"""
        import sys
        from chainrules_core import ProjectTo
        Matrix = sys.modules[{module.__name__!r}].Matrix

        @ProjectTo.dispatch
        def project_matrix(x: Matrix):
            return ProjectTo(1.0)
    """)
    register_ruleset(module.__name__, ruleset)

    assert ProjectTo(module.Matrix())(2.0 + 1.0j) == 2.0
