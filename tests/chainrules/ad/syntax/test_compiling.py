"""Rewritten code is the user's own to whoever looks at it: tracebacks, warnings, debuggers, coverage."""

import __future__

import bdb
import inspect
import io
import linecache
import pdb  # noqa: T100 - what is tested
import re
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest

from chainrules.ad import explain_calls, grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.interception.choosing.switch import interception
from chainrules.ad.syntax import compiling
from chainrules.ad.syntax.compiling import code_pairs, preparations
from chainrules.ad.syntax.twins import is_twin
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.interception.random_statements import program
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


def failing(x):
    """A function that fails."""
    return np.sum(x) + np.zeros(2) @ np.zeros(3)


def warning(x):
    """A function that warns of its caller."""
    warnings.warn("mind the step", stacklevel=2)
    return x


def test_tracebacks():
    """They show the user's own file, line and place in the line, and none of the engine's frames between."""
    here = inspect.currentframe()

    def outer(x):
        return failing(x) * 2.0

    with pytest.raises(ValueError, match="mismatch") as caught:
        grad(outer)(1.0)

    frames = traceback.extract_tb(caught.value.__traceback__)
    own = [frame for frame in frames if frame.filename == here.f_code.co_filename]
    assert [frame.name for frame in own][1:] == ["outer", "failing"]
    assert own[1].line == "return failing(x) * 2.0"
    assert frames.index(own[2]) == frames.index(own[1]) + 1
    assert own[1].colno is not None
    assert own[1].line.startswith("return failing(x)")


def test_warnings():
    """A stack level counts the user's frames alone."""

    def outer(x):
        return warning(x)

    line = outer.__code__.co_firstlineno + 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        grad(outer)(1.0)
        outer(1.0)

    assert [(w.filename, w.lineno) for w in caught] == [(__file__, line)] * 2


def test_inspection():
    """The source, the caller's frame and its variables are those of the user's code."""
    seen = {}

    def outer(x):
        y = 2.0 * x
        frame = sys._getframe()
        seen.update(names=set(locals()), source=inspect.getsource(frame), line=frame.f_lineno)
        seen.update(caller=inspect.stack()[0].function, evaluated=eval("float(3)"))
        return y

    grad(outer)(1.0)

    assert seen["names"] == {"x", "y", "frame", "seen"}
    assert seen["source"] == inspect.getsource(outer)
    assert seen["line"] == outer.__code__.co_firstlineno + 3
    assert (seen["caller"], seen["evaluated"]) == ("outer", 3.0)
    assert inspect.getsource(entered(failing)) == inspect.getsource(failing)
    assert inspect.signature(entered(failing)) == inspect.signature(failing)


def test_a_debugger():
    """It stops at the user's lines, and shows them."""

    def outer(x):
        y = 2.0 * x
        return y

    shown = io.StringIO()
    debugger = pdb.Pdb(
        stdin=io.StringIO("next\nnext\nprint(type(y).__name__)\nlist\ncontinue\n"), stdout=shown
    )
    debugger.set_break(__file__, outer.__code__.co_firstlineno + 1)
    before = sys.gettrace()  # coverage's, if it is measured
    try:
        debugger.runcall(grad(outer), 1.0)
    except bdb.BdbQuit:
        pytest.fail("the debugger ended")
    finally:
        debugger.clear_all_breaks()
        sys.settrace(before)

    assert "return y" in shown.getvalue()
    assert "TracedValue" in shown.getvalue()


def test_coverage(tmp_path):
    """The lines of a differentiated program are covered as they are where it is called."""
    program = tmp_path / "program.py"
    program.write_text(
        "import math\n"
        "from chainrules.ad import grad\n"
        "def helper(x):\n"
        "    if x > 0.0:\n"
        "        return math.sin(x)\n"
        "    return math.cos(x)\n"
        "def f(x):\n"
        "    total = 0.0\n"
        "    for k in range(3):\n"
        "        total = total + helper(k * x + 1.0)\n"
        "    return total\n"
        "print(grad(f)(1.0))\n"
    )
    pytest.importorskip("coverage")
    measured = (
        "import coverage, runpy\n"
        "import chainrules.ad\n"  # before: to trace its import takes long
        "counting = coverage.Coverage(data_file=None, config_file=False, branch=True, include=%r)\n"
        "with counting.collect():\n"
        "    runpy.run_path(%r, run_name='__main__')\n"
        "counting.report(show_missing=True)\n"
    )
    # In a process of its own: another coverage may be counting here.
    command = [sys.executable, "-c", measured % ([str(program)], str(program))]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    line = next(line for line in shown.splitlines() if "program.py" in line)
    assert line.split()[-1] == "6"


def test_annotations_stay_as_they_are():
    """They may be text that others evaluate."""
    source = (
        "from __future__ import annotations\n"
        "def f(x: list[g(1)], y: h.i = 2.0) -> k[0](2):\n"
        "    z: l(1) = x\n"
        "    async def a(b: c(d)) -> e(f): pass\n"
        "    return a\n"
    )
    scope = {}
    code = dict(code_pairs(source, "<annotated>", lambda tree: None))
    exec(next(iter(code.values())), scope)  # noqa: S102 - the rewritten module

    assert scope["f"].__annotations__ == {"x": "list[g(1)]", "y": "h.i", "return": "k[0](2)"}
    assert scope["f"](1.0).__annotations__ == {"b": "c(d)", "return": "e(f)"}


def test_twins_have_the_shape_of_the_code():
    """Each code object has its own, by position."""
    source = "def f(x):\n    return [g(y) for y in x], (lambda: h(x)), (lambda: i(x))\n"

    for code, twin in code_pairs(source, "<shape>", lambda tree: None):
        assert code.co_qualname == twin.co_qualname
        assert code.co_firstlineno == twin.co_firstlineno
        assert code.co_varnames == twin.co_varnames


def test_ways_of_compiling():
    """What pytest rewrote is rewritten as it does; anything else is compiled as it is."""
    assert len(list(preparations("", "nowhere", {}))) == 1
    assert len(list(preparations("", "<nowhere>", {}))) == 2
    assert len(list(preparations("", __file__, globals()))) == 2


def test_code_that_never_runs():
    """Python leaves out the code objects that stand there, and their neighbours are found all the same."""
    source = (
        "def f(x):\n"
        "    if 0:\n"
        "        for y in [g(z) for z in x]:\n"
        "            pass\n"
        "    return lambda: h(x)\n"
    )
    names = [code.co_qualname for code, _ in code_pairs(source, "<never>", lambda tree: None)]
    assert names[:2] == ["<module>", "f"]
    assert "f.<locals>.<lambda>" in names


@pytest.mark.parametrize("missing", ["left", "right"])
def test_code_that_only_one_has(missing):
    """It has no twin, and the others are found by their places."""
    whole = compile("a = lambda: 1\nb = lambda: 2\nc = lambda: 3", "<whole>", "exec")
    part = compile("a = lambda: 1\n\nc = lambda: 3", "<part>", "exec")
    pairs = compiling._pairs(part, whole) if missing == "left" else compiling._pairs(whole, part)
    places = [(code.co_firstlineno, twin.co_firstlineno) for code, twin in pairs]
    assert places == [(1, 1), (1, 1), (3, 3)]


def test_libraries_have_no_tests_in_front_of_hooks():
    """They are entered only with something traced, for which the tests would fail."""

    def is_guarded(filename):
        source = "def f(a):\n    return a + 1"
        return any(type in twin.co_consts for _, twin in code_pairs(source, filename, lambda tree: None))

    assert is_guarded("<program>")
    assert not is_guarded("<frozen library>")


def with_terms(n):
    """A module with a sum of so many terms, and a function that needs its rule."""
    terms = " + ".join(f"{k}.5 * x ** {k % 5}" for k in range(n))
    text = f"import math\n\ndef total(x):\n    return {terms}\n\ndef f(x):\n    return math.sin(x)\n"
    name, scope = f"<sum of {n} terms>", {}
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), scope)  # noqa: S102 - as programs that write programs do
    return scope["total"], scope["f"]


def test_long_sums():
    """As programs write them, they are nested as deeply as they are long; the limit is the same again."""
    limit = sys.getrecursionlimit()
    total, f = with_terms(500)
    slope = sum((k + 0.5) * (k % 5) * 1.1 ** (k % 5 - 1) for k in range(500))

    assert grad(total)(1.1) == pytest.approx(slope)
    assert grad(f)(1.1) == pytest.approx(np.cos(1.1))
    assert sys.getrecursionlimit() == limit


def test_products_in_sums():
    """Where tests of numbers nest too deeply, there are none: the whole module has its twin."""
    terms = " + ".join(f"x[0] * x[1] * {k}.5 * (y * x[2])" for k in range(400))
    text = f"import math\n\ndef f(x):\n    y = math.sin(x[0])\n    return {terms}\n"
    linecache.cache["<products>"] = len(text), None, text.splitlines(keepends=True), "<products>"
    scope = {}
    exec(compile(text, "<products>", "exec"), scope)  # noqa: S102 - as above
    f, x = scope["f"], np.array([0.3, 0.7, 1.1])

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python 3.13 compiles expressions nested as deeply")
def test_too_long_sums():
    """The error says what to do."""
    total, _ = with_terms(2_500)
    with pytest.raises(RecursionError, match="Divide it into several statements"):
        grad(total)(1.1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("g(a + b)", "_call(g)(_add(a, b))"),
        ("x: g(1) = h", "x: g(1) = h"),
        (
            "match g(x):\n    case a.b | C.D(e=-1) | {a.b: f} if h.i:\n        pass",
            """match _call(g)(x):
    case a.b | C.D(e=-1) | {a.b: f} if _attribute(h, 'i'):
        pass""",
        ),
        ("x: a[1]", "x: a[1]"),
        (
            "def f(x: a[1]=b[2]) -> c[3]:\n    pass",
            "def f(x: a[1]=_getitem(b, 2)) -> c[3]:\n    pass",
        ),
        ("async def f(x: a[1]) -> c[3]:\n    pass", "async def f(x: a[1]) -> c[3]:\n    pass"),
    ],
)
def test_rewriting(source, expected):
    """Defaults are evaluated, annotations are perhaps read."""
    assert rewritten_text(source) == expected


def outcome(f, scope):
    """What a function returned or raised, what it noted down, and a global variable."""
    scope["G"] = 1.0
    for _ in range(4):  # objects that are noted down are deleted, and note that down
        scope["log"].clear()
    logged, plain = scope["Logged"], scope["Plain"]
    arguments = {"x": 1.5, "y": 2, "z": "ab", "w": logged(3.0), "xs": [1.0, 2, logged(5)], "ys": np.ones(3)}
    arguments |= {"d": {1: 2.0, "a": 3}, "t": (1.0, 2), "o": plain(4.0), "b": logged(2), "a": "text"}
    arguments |= {"s": scope["Observing"](), "xss": [[1.0], [2.0, 3.0]]}
    try:
        answer = repr(f(**arguments))
    except Exception as error:  # noqa: BLE001 - whatever it is, the twin has to raise it too
        answer = f"{type(error).__name__}: {error}"
        error.__traceback__ = None
    del arguments
    noted = list(map(repr, scope["log"]))
    if "Error" in answer or any("Error" in entry for entry in noted):
        # An operand may be deleted later, if the next one cannot be evaluated.
        noted = [entry for entry in noted if not entry.startswith("('deleted'")]
    text = str((answer, noted, scope["G"]))
    # Addresses of objects, and the operator in a message: `+=` of numbers is `+`.
    return re.sub(r"0x[0-9a-f]+", "", text).replace("=: ", ": ")


@pytest.mark.parametrize("seed", range(120))
def test_random_statements(seed):
    """A twin returns, raises, notes down and deletes what the function does, in the same order."""
    source, name = program(seed), f"<random statements {seed}>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    scope = {"log": [], "__name__": "random_statements"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such statements are strange ones
        exec(compile(source, name, "exec"), scope)  # noqa: S102 - the program
        twin = intercepted(scope["h"])
        assert is_twin(twin.__code__)
        for _ in range(3):  # classes are remembered when they are met
            assert outcome(twin, scope) == outcome(scope["h"], scope)
    del linecache.cache[name]


def test_text_grows_in_linear_time():
    """``text += part`` is done in place by Python, where nobody else holds the text."""

    def program(n):
        text = ""
        before = 0
        copies = 0
        for _ in range(n):
            text += "abcdefghij"
            copies += id(text) != before
            before = id(text)
        return copies

    assert intercepted(program)(20_000) <= 2 * program(20_000) + 100


def test_traced_values_and_classes_with_methods_meet_their_hooks():
    """A loop over plain numbers that meets others later."""

    class Doubled(float):
        """A number of its own kind."""

        def __mul__(self, other):
            return np.sin(other) * 2.0

    def program(x):
        total = 0.0
        for v in (2.0, 3, np.float64(0.5), x, Doubled(1.0), x * 2.0):
            total += v * x
        return total

    def total(t):
        return 5.5 * t + t**2 + 2.0 * np.sin(t) + 2.0 * t**2

    step = 1e-6
    assert np.isclose(grad(program)(0.7), (total(0.7 + step) - total(0.7 - step)) / (2.0 * step))


def test_watched_calls():
    """Whoever is told of calls is told of those that need no hook."""

    def program(x):
        items = []
        items.append(len("abc") * 2.0)
        return abs(items[0]) * x

    grad(program)(1.0)
    for _ in range(2):
        names = {row.function.rpartition(".")[2] for row in explain_calls(program, 1.0).rows}
        assert {"append", "len", "abs"} <= names
        with interception(False):
            grad(program)(1.0)


def test_text_compiled_with_the_future_of_another_module():
    """SymPy writes functions in a module with ``from __future__ import annotations``, which they have too."""
    text = "def f(x):\n    return sum(array([[x, sin(x)], [1, x**2]]))\n"
    name, scope = "<written by another module>", {"array": np.array, "sin": np.sin, "sum": np.sum}
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    flags = __future__.annotations.compiler_flag
    exec(compile(text, name, "exec", flags), scope)  # noqa: S102 - as above
    assert scope["f"].__code__.co_flags & flags
    assert grad(scope["f"])(0.7) == pytest.approx(1.0 + np.cos(0.7) + 1.4)
