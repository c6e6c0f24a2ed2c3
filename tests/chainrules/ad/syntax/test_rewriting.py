"""All rewriting in one walk; annotations stay as they are."""

import linecache
import re
import warnings

import numpy as np
import pytest

from chainrules.ad import explain_calls, grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.interception.choosing.switch import interception
from chainrules.ad.syntax.twins import is_twin
from tests.chainrules.ad.interception.random_statements import program
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


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
    for _ in range(4):  # objects that are noted down are deleted, and note that down
        scope["log"].clear()
    scope["G"] = 1.0
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
