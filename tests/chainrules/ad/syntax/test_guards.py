"""Numbers and text are computed with as the program says, past the hooks; all else as without the tests."""

import ast
import linecache
import re
import warnings
import weakref

import numpy as np
import pytest

from chainrules.ad import explain_calls, grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.interception.choosing.switch import interception
from chainrules.ad.syntax.guarded_stores import GuardedStores
from chainrules.ad.syntax.rewriting import Rewriting
from chainrules.ad.syntax.twins import is_twin
from tests.chainrules.ad.interception.random_statements import program


def rewritten(expression):
    """An expression in a function, with the constants' names as functions."""
    source = f"def f():\n    return {expression}"
    tree = GuardedStores(source).visit(Rewriting().visit(ast.parse(source)))
    return readable(ast.unparse(tree.body[0].body[0].value))


def readable(text):
    """The text with short names in the place of placeholders."""
    text = re.sub(r"'<chainrules.ad: ([^>]*)>'", lambda found: "_" + found[1].replace(" ", "_"), text)
    return re.sub(r"<chainrules.ad: operand (\d)>", r"v\1", text)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a + 1", "a + 1 if _type(a) in _plain else _add(a, 1)"),
        ("a * b", "a * b if _type(a) in _plain and _type(b) in _plain else _mul(a, b)"),
        ("-a * a < 2", "-a * a < 2 if _type(a) in _plain else _lt(_mul(_neg(a), a), 2)"),
        ("a[0]", "a[0] if _type(a) in _indexed_or_dict else _getitem(a, 0)"),
        ("a[1:]", "a[1:] if _type(a) in _indexed else _getitem(a, _slice(1, None, None))"),
        ("a.b", "a.b if _type(a) in _to_read_b else _attribute(a, 'b', _to_read_b)"),
        ("a in b", "a in b if _type(a) in _plain and _type(b) in _containers else _in(a, b)"),
        ("a in {1, 2}", "a in {1, 2} if _type(a) in _plain else _in(a, {1, 2})"),
        ("a in [1, 2]", "a in [1, 2] if _type(a) in _plain else _in(a, [1, 2])"),
        ("a in (1, b)", "_in(a, (1, b))"),
        ("a in b[:]", "_in(a, b[:] if _type(b) in _indexed else _getitem(b, _slice(None, None, None)))"),
        ("1 in a", "1 in a if _type(a) in _containers else _in(1, a)"),
        ("1 in (1,)", "_in(1, (1,))"),
        (
            "f() in a",
            """\
v1 in a if _type((v1 := _call(f)())) in _plain and _type(a) in _containers else \
_in(v1, a, (v1 := None))""",
        ),
        (
            "f()[0]",
            """\
v1[(v1 := None) or 0] if _type((v1 := _call(f)())) in _indexed_or_dict else \
_getitem(v1, 0, (v1 := None))""",
        ),
        (
            "f()[i]",
            """\
v1[(v1 := None) or i] if _type((v1 := _call(f)())) in _indexed else \
_getitem(v1, i, (v1 := None))""",
        ),
        ("f()[()]", "_getitem(_call(f)(), ())"),
        ("1 if a else 2", "1 if (a if _type(a) in _plain else _truth(a)) else 2"),
        ("1 if -a else 2", "1 if (-a if _type(a) in _plain else _truth(_neg(a))) else 2"),
        ("1 if a + 1 else 2", "1 if (a + 1 if _type(a) in _plain else _truth(_add(a, 1))) else 2"),
        (
            "1 if f() else 2",
            "1 if (v1 if _type((v1 := _call(f)())) in _plain else _truth(v1, (v1 := None))) else 2",
        ),
        ("[f() in a for b in (1, 2)]", "[_in(_call(f)(), a) for b in (1, 2)]"),
        ("[f()[0] for b in (1, 2)]", "[_getitem(_call(f)(), 0) for b in (1, 2)]"),
        ("[1 for b in (1, 2) if f()]", "[1 for b in (1, 2) if _truth(_call(f)())]"),
        ("len(a)", "len(a) if _type(a) in _sized and len is _len else _call(len)(a)"),
        ("1 + 2", "1 + 2"),
        ("[a + c for c in a]", None),
    ],
)
def test_rewritten(expression, expected):
    """What was written, where the very classes of all operands say so; the hook otherwise."""
    text = rewritten(expression)
    if expected is None:
        assert ":=" not in text  # a variable of a comprehension would be that of the function around it
    else:
        assert text == expected


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


class Held:
    """An object that others may refer to."""

    def __init__(self):
        self.items = [1.0, 2.0]

    def __mul__(self, other):
        return 3.0 * other

    __rmul__ = __mul__


def test_operands_are_not_kept():
    """Who is evaluated in an expression is gone after it."""

    def program(x):
        references = []

        def made():
            one = Held()
            references.append(weakref.ref(one))
            return one

        y = made() * x + made().items[0]
        y += len(made().items) * made()
        made().items.append(made())
        return y, [reference() for reference in references]

    expected = program(2.0)
    assert expected == (13.0, [None] * 6)
    for _ in range(3):
        assert intercepted(program)(2.0) == expected


def test_variables_that_programs_see():
    """A function that looks at its variables sees its own."""

    def program(x):
        y = float(str(x)) + float("1")
        return sorted(locals()), y

    assert intercepted(program)(2.0) == program(2.0) == (["x", "y"], 3.0)


def test_names_that_a_value_assigns_to():
    """An augmented assignment reads its name first."""
    total = 1.0

    def add():
        nonlocal total
        total = 10.0
        return 2.0

    def program():
        nonlocal total
        total += add()
        x = 1.0
        x += (x := 5.0) + 1.0
        return total, x

    expected = program()
    total = 1.0
    assert intercepted(program)() == expected == (3.0, 7.0)


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
