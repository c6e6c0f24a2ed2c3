"""Assignments that may call a method go through hooks, in Python's order."""

import ast
import textwrap

import pytest

from chainrules.ad.syntax.stores import Stores


def rewritten(source):
    """The body of a function, rewritten, with the hooks' names as functions."""
    function = f"def f():\n{textwrap.indent(source, '    ')}"
    lines = ast.unparse(Stores().visit(ast.parse(function))).splitlines()[1:]
    text = textwrap.dedent("\n".join(lines)).strip()
    return text.replace("'<chainrules.ad: ", "_").replace(">'(", "(").replace("<chainrules.ad: ", "<")


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
        ("a = b.c = d", "<0> = d\na = <0>\n_set attribute(<0>, b, 'c')\ndel <0>"),
        (
            "a, *b[i] = c",
            "<0>, *<1> = _iter(c)\na = <0>\n_set item(<1>, b, i)\ndel <0>, <1>",
        ),
        (
            "a, (b.c, d) = e",
            """\
<0>, <1> = _iter(e)
a = <0>
<2>, <3> = _iter(<1>)
_set attribute(<2>, b, 'c')
d = <3>
del <2>, <3>
del <0>, <1>""",
        ),
        ("[a, *b] = c", "[a, *b] = _iter(c)"),
        ("[a.b, c] = d", "[<0>, <1>] = _iter(d)\n_set attribute(<0>, a, 'b')\nc = <1>\ndel <0>, <1>"),
        ("[a.b, c] = [d, e]", "[<0>, <1>] = [d, e]\n_set attribute(<0>, a, 'b')\nc = <1>\ndel <0>, <1>"),
        (
            "a = [b.c, d] = e",
            """\
<0> = e
a = <0>
[<1>, <2>] = _iter(<0>)
_set attribute(<1>, b, 'c')
d = <2>
del <1>, <2>
del <0>""",
        ),
        ("a += b", "a = _iadd(a, b)"),
        ("a |= b", "a = _ior_(a, b)"),
        ("a.b -= c", "_isub attribute(a, 'b', c)"),
        ("a.b[i] *= c", "_imul item(_attribute(a, 'b'), i, c)"),
        ("a[i] += f()", "_set item(_iadd(_getitem(a, i), f()), a, i)"),
        ("a[i] += b * c", "_set item(_iadd(_getitem(a, i), _mul(b, c)), a, i)"),
        ("a[1] += f()", "_set item(_iadd(_getitem(a, 1), f()), a, 1)"),
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
        ("for a[i] in b:\n    c", "for <0> in _iter(b):\n    _set item(<0>, a, i)\n    del <0>\n    c"),
        (
            "with a as b.c, d as e, f as g[i]:\n    h",
            """\
with _with(a) as <1>:
    _set attribute(<1>, b, 'c')
    del <1>
    with _with(d) as e, _with(f) as <0>:
        _set item(<0>, g, i)
        del <0>
        h""",
        ),
        ("[a for b.c in d if e]", "[a for <0> in _iter(d) if _set attribute(<0>, b, 'c') is None if e]"),
        (
            "[a for a, (*b.c, e) in d]",
            "[a for a, (*<0>, e) in _iter(d) if _set attribute(<0>, b, 'c') is None]",
        ),
        ("@a.b\ndef f():\n    pass", "@_call(_attribute(a, 'b'))\ndef f():\n    pass"),
        ("@a\nclass A:\n    pass", "@_call(a)\nclass A:\n    pass"),
        (
            "a.b.c += f()",
            "<0> = _attribute(a, 'b')\n_set attribute(_iadd(_attribute(<0>, 'c'), f()), <0>, 'c')\ndel <0>",
        ),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook, or by several statements."""
    assert rewritten(source) == expected


@pytest.mark.parametrize(
    "source", ["class A:\n    a[i] = b.c = 1\n    a, b[i] = c\n    a[i] += f()\n    c: d = e", "del a.b"]
)
def test_left_alone(source):
    """What would need variables in the body of a class, where they would be attributes."""
    assert rewritten(source) == ast.unparse(ast.parse(source))


def test_modules():
    """Outside of functions nothing is differentiated."""
    assert ast.unparse(Stores().visit(ast.parse("a.b = a[i] = c; a += b"))) == "a.b = a[i] = c\na += b"
