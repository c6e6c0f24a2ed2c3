"""Code objects are recognised by what they are: what is not what its source says runs as it is."""

import gc
import importlib
import linecache
import math
import sys
import textwrap
import threading
import weakref
from collections.abc import MutableMapping

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.syntax import twins
from chainrules.ad.syntax.twins import is_twin, twin_of
from tests.chainrules.ad.interception.ruled_callables import cube

SINE = """
import math

def f(x):
    return math.sin(x)
"""


def executed(text, filename, **scope):
    """The names that a text defines."""
    names = {"__name__": "somewhere", **scope}
    exec(compile(textwrap.dedent(text), filename, "exec"), names)  # noqa: S102 - what is tested
    return names


def in_linecache(text, filename):
    """Let `linecache` know a text, as notebooks and doctest do."""
    text = textwrap.dedent(text)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)


def test_a_twin_is_its_own():
    """What a twin defines is rewritten already, and is not rewritten twice."""

    def f(x):
        return lambda: math.sin(x)

    twin = entered(f)

    assert twin.__code__ is not f.__code__
    assert twin_of(f.__code__, {}) is twin.__code__
    assert is_twin(twin.__code__)
    assert entered(twin) is twin
    assert is_twin(twin(1.0).__code__)
    assert not is_twin(f(1.0).__code__)


def test_the_function_is_left_alone():
    """The twin is another function, with the belongings of the first one."""

    def f(x, y=2.0, *, z: float = 3.0):
        """Say something."""
        return x * y * z

    f.note = "mine"
    code = f.__code__
    twin = entered(f)

    assert f.__code__ is code
    assert (twin.__name__, twin.__qualname__, twin.__doc__) == (f.__name__, f.__qualname__, f.__doc__)
    assert (twin.__defaults__, twin.__kwdefaults__, twin.note) == ((2.0,), {"z": 3.0}, "mine")


def test_a_file_is_compiled_in_the_ways_that_are_needed(monkeypatch):
    """As pytest rewrites it, which takes long, when a function is met that is not what the text says."""
    monkeypatch.setattr(twins, "_files", {})

    def plain(x):
        return math.sin(x)

    def checked(x):
        assert x > 0.0, "positive"
        return math.sin(x)

    for function, ways in ((plain, 1), (checked, 2)):
        assert twin_of(function.__code__, globals()) is not None
        assert len(twins._files[__file__][1]) == ways


def test_functions_with_assertions_in_modules_of_tests():
    """pytest rewrites assertions in this module; the functions are recognised all the same."""

    def f(x):
        assert x > 0.0, "positive"
        assert math.sin(x) == math.sin(x)
        return math.sin(x)

    def g(x):
        return math.sin(x)

    assert grad(f)(1.0) == grad(g)(1.0) == math.cos(1.0)
    with pytest.raises(AssertionError, match="positive"):
        grad(f)(-1.0)


def test_text_that_is_executed():
    """Without its source a function runs as it is, and says so where that matters; with it, as any other."""
    without = executed(SINE, "<text without source>")["f"]
    with pytest.raises(TypeError, match="become a float"):
        grad(without)(1.0)

    in_linecache(SINE, "<text with source>")
    assert grad(executed(SINE, "<text with source>")["f"])(1.0) == math.cos(1.0)


def test_a_cell_that_is_run_again():
    """Notebooks give each version of a cell its own name; a name that is used again is looked at anew."""
    in_linecache(SINE, "<cell 1>")
    first = executed(SINE, "<cell 1>")["f"]
    assert grad(first)(1.0) == math.cos(1.0)

    changed = SINE.replace("math.sin(x)", "math.cos(x)")
    in_linecache(changed, "<cell 1>")
    second = executed(changed, "<cell 1>")["f"]

    assert grad(second)(1.0) == -math.sin(1.0)
    assert grad(first)(1.0) == math.cos(1.0)


def test_a_source_that_is_not_what_runs(tmp_path):
    """A file that was edited after it was imported is not what runs: values are those of the running code."""
    path = tmp_path / "edited.py"
    path.write_text(SINE)
    scope = executed(SINE, str(path))
    path.write_text(SINE.replace("math.sin(x)", "math.cos(x)"))
    linecache.checkcache()

    with pytest.raises(TypeError, match="become a float"):
        grad(scope["f"])(1.0)

    constant = "def f(x):\n    return 2.0 * x\n"
    path.write_text(constant.replace("2.0", "3.0"))
    assert grad(executed(constant, str(path))["f"])(1.0) == 2.0


def test_a_module_that_is_reloaded(tmp_path, monkeypatch):
    """After an edit and a reload the new function is recognised."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "module_that_is_reloaded.py"
    path.write_text(SINE)
    module = importlib.import_module(path.stem)
    assert grad(module.f)(1.0) == math.cos(1.0)

    path.write_text(SINE.replace("math.sin(x)", "math.cos(2.0 * x)"))
    importlib.reload(module)

    assert grad(module.f)(1.0) == -2.0 * math.sin(2.0)


def test_code_that_is_assigned():
    """A function whose code or defaults are replaced is looked at anew."""

    def f(x, k=1.0):
        return math.sin(k * x)

    def g(x, k=1.0):
        return math.cos(k * x)

    def differentiated(x):
        return f(x)

    assert grad(differentiated)(1.0) == math.cos(1.0)
    f.__code__ = g.__code__
    assert grad(differentiated)(1.0) == -math.sin(1.0)
    f.__defaults__ = (2.0,)
    assert grad(differentiated)(1.0) == -2.0 * math.sin(2.0)


def test_source_that_is_no_python():
    """Text that cannot be compiled is nobody's source."""
    in_linecache("this is no Python", "<template>")
    f = executed("def f(x):\n    return 2.0 * x\n", "<template>")["f"]

    assert entered(f) is None
    assert grad(f)(1.0) == 2.0


def test_closures_leave_nothing_behind():
    """Closures are made and thrown away, and with them what they hold."""

    class Held:
        pass

    held = []

    def differentiated(x):
        thing = Held()
        held.append(weakref.ref(thing))
        return (lambda y: math.sin(y) if thing else y)(x)

    grad(differentiated)(1.0)
    known = len(twins._met)
    for _ in range(50):
        grad(differentiated)(1.0)
    gc.collect()

    assert len(twins._met) <= known
    assert all(thing() is None for thing in held)


def test_executed_text_leaves_nothing_behind():
    """Code objects are remembered weakly."""
    known = len(twins._met)
    for _ in range(20):
        grad(executed("def f(x):\n    return 2.0 * x\n", "<text without source>")["f"])(1.0)
    gc.collect()

    # The last few functions are remembered until there are many.
    assert len(twins._met) - known <= 20


def test_threads_that_come_together(tmp_path):
    """A file is compiled once, whoever meets it first."""
    path = tmp_path / "threads.py"
    path.write_text(
        "import math\n" + "".join(f"def f{k}(x):\n    return math.sin({k} * x)\n" for k in range(50))
    )
    scope = executed(path.read_text(), str(path))
    barrier, gradients = threading.Barrier(4), []

    def differentiate():
        barrier.wait()
        gradients.append([grad(scope[f"f{k}"])(1.0) for k in range(50)])

    threads = [threading.Thread(target=differentiate) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for found in gradients:
        np.testing.assert_allclose(found, [k * math.cos(k) for k in range(50)])
    assert len(gradients) == 4


def test_a_file_is_compiled_once(monkeypatch):
    """For all of its functions; and again where its text is another."""
    compiled = []

    def code_pairs(source, filename, prepare):
        compiled.append(filename)
        return pairs(source, filename, prepare)

    pairs = twins.code_pairs
    monkeypatch.setattr(twins, "code_pairs", code_pairs)
    text = SINE + "\ndef g(x):\n    return math.cos(x)\n"
    in_linecache(text, "<compiled once>")
    scope = executed(text, "<compiled once>")
    assert entered(scope["f"]) is not None
    in_linecache(text, "<compiled once>")  # another list of the same lines
    assert entered(scope["g"]) is not None
    assert compiled == ["<compiled once>"]
    in_linecache(SINE, "<compiled once>")
    assert entered(executed(SINE, "<compiled once>")["f"]) is not None
    assert len(compiled) == 2


class Parameters(MutableMapping):
    """A mapping, most of whose methods are those of a module of Python that is frozen."""

    def __init__(self, **items):
        self._items = {}
        self.update(items)

    def __getitem__(self, name):
        return cube(self._items[name])

    def __setitem__(self, name, value):
        self._items[name] = value

    def __delitem__(self, name):
        del self._items[name]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


def test_frozen_modules_have_a_file():
    """So that their functions are entered, and the methods of the user's that they call."""

    def program(x):
        parameters = Parameters(a=x)
        return sum(parameters.values()) + parameters.get("a") + parameters.pop("a")

    assert grad(program)(1.0) == 900.0
