"""Assignments that may call a method go through hooks, in Python's order."""

import ast

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from tests.chainrules.ad.syntax.rewritten_text import rewritten_in_function, rewritten_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b", "a = b"),
        ("a.b = c", "_set attribute(c, a, 'b')"),
        ("a.b[i, :] = c", "_set item(c, _attribute(a, 'b'), (i, _slice(None, None, None)))"),
        ("a, *b = c", "a, *b = _iter(c)"),
        ("a, b = c, d", "a, b = (c, d)"),
        ("a = b = c", "a = b = c"),
        ("a: b = c", "a = c"),
        ("a: b", "a: b"),
        ("a.b: c[d] = e", "_set attribute(e, a, 'b')"),
        ("a = b.c = d", "<1> = d\na = <1>\n_set attribute(<1>, b, 'c')\ndel <1>"),
        (
            "a, *b[i] = c",
            "<1>, *<2> = _iter(c)\na = <1>\n_set item(<2>, b, i)\ndel <1>, <2>",
        ),
        (
            "a, (b.c, d) = e",
            """\
<1>, <2> = _iter(e)
a = <1>
<3>, <4> = _iter(<2>)
_set attribute(<3>, b, 'c')
d = <4>
del <3>, <4>
del <1>, <2>""",
        ),
        ("[a, *b] = c", "[a, *b] = _iter(c)"),
        ("[a.b, c] = d", "[<1>, <2>] = _iter(d)\n_set attribute(<1>, a, 'b')\nc = <2>\ndel <1>, <2>"),
        ("[a.b, c] = [d, e]", "[<1>, <2>] = [d, e]\n_set attribute(<1>, a, 'b')\nc = <2>\ndel <1>, <2>"),
        (
            "a = [b.c, d] = e",
            """\
<1> = e
a = <1>
[<2>, <3>] = _iter(<1>)
_set attribute(<2>, b, 'c')
d = <3>
del <2>, <3>
del <1>""",
        ),
        ("a += b", "a = _iadd(a, b)"),
        ("a |= b", "a = _ior_(a, b)"),
        ("a.b -= c", "_isub attribute(a, 'b', c)"),
        ("a.b[i] *= c", "_imul item(_attribute(a, 'b'), i, c)"),
        ("a[i] += f()", "_set item(_iadd(_getitem(a, i), _call(f)()), a, i)"),
        ("a[i] += b * c", "_set item(_iadd(_getitem(a, i), _mul(b, c)), a, i)"),
        ("a[1] += f()", "_set item(_iadd(_getitem(a, 1), _call(f)()), a, 1)"),
        ("a.__b = c", "_set attribute(c, a, '__b')"),
        (
            "class _A:\n    def f(a):\n        a.__b = c\n        a.__b += a.__c",
            """\
class _A:

    def f(a):
        _set attribute(c, a, '_A__b')
        _set attribute(_iadd(_attribute(a, '_A__b'), _attribute(a, '_A__c')), a, '_A__b')""",
        ),
        (
            "class A:\n    a[i] = b\n    c += d\n    e.f += 1",
            "class A:\n    _set item(b, a, i)\n    c = _iadd(c, d)\n    _iadd attribute(e, 'f', 1)",
        ),
        ("for a in b:\n    c", "for a in _iter(b):\n    c"),
        ("for a[i] in b:\n    c", "for <1> in _iter(b):\n    _set item(<1>, a, i)\n    del <1>\n    c"),
        (
            "with a as b.c, d as e, f as g[i]:\n    h",
            """\
with _with(a) as <1>:
    _set attribute(<1>, b, 'c')
    del <1>
    with _with(d) as e, _with(f) as <2>:
        _set item(<2>, g, i)
        del <2>
        h""",
        ),
        (
            "[a for b.c in d if e]",
            "[a for <1> in _iter(d) if _set attribute(<1>, b, 'c') is None if _truth(e)]",
        ),
        (
            "[a for a, (*b.c, e) in d]",
            "[a for a, (*<1>, e) in _iter(d) if _set attribute(<1>, b, 'c') is None]",
        ),
        ("@a.b\ndef f():\n    pass", "@_call(_attribute(a, 'b'))\ndef f():\n    pass"),
        ("@a\nclass A:\n    pass", "@_call(a)\nclass A:\n    pass"),
        (
            "a.b.c += f()",
            """\
<1> = _attribute(a, 'b')
_set attribute(_iadd(_attribute(<1>, 'c'), _call(f)()), <1>, 'c')
del <1>""",
        ),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook, or by several statements."""
    assert rewritten_in_function(source) == expected


@pytest.mark.parametrize(
    "source", ["class A:\n    a[i] = b.c = 1\n    a, b[i] = c\n    a[i] += -1\n    c: d = e", "del a.b"]
)
def test_left_alone(source):
    """What would need variables in the body of a class, where they would be attributes."""
    assert rewritten_in_function(source) == ast.unparse(ast.parse(source))


def test_modules():
    """Outside of functions nothing is differentiated."""
    assert rewritten_text("a.b = a[i] = c; a += b") == "a.b = a[i] = c\na += b"


def test_a_value_that_is_more_than_a_name_is_evaluated_once_and_first():
    """It is kept in a variable that is deleted at once."""
    lines = rewritten_in_function("a.b = f()", is_guarded=True).splitlines()
    assert lines[0] == "<1> = _new call(f)()"
    assert lines[-1] == "del <1>"


@pytest.mark.parametrize("before", ["global a", "nonlocal a", "global b, \\\n        a", "b = (a := c)"])
def test_names_of_others(before):
    """What another function may assign to is read before the value is evaluated."""
    assert "\na = " in rewritten_in_function(f"{before}\na += f()", is_guarded=True)


class Counter:
    """A class that is ordinary until it is not."""

    def __init__(self):
        self.n = 0.0
        self.table = {"a": 0.0}


def test_classes_that_change_their_kind_of_values():
    """Attributes and items hold plain numbers first, and traced ones later."""

    def program(x):
        counter = Counter()
        for v in (1.0, 2, x, 3.0):
            counter.n += v * v
            counter.table["a"] += counter.n
            counter.n = counter.n * 2.0
        return counter.n + counter.table["a"]

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)


def test_setters():
    """A class with a setter, or with a method for all assignments, is asked each time."""

    class Noting:
        """Doubles what it is given."""

        def __setattr__(self, name, value):
            object.__setattr__(self, name, np.sin(value))

        @property
        def half(self):
            """Half of what was set."""
            return self.value / 2.0

    def program(x):
        noting = Noting()
        total = 0.0
        for v in (1.0, x, 2.0):
            noting.value = v
            noting.value += v
            total += noting.half
        return total

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)
