"""What calls a method without saying so goes through a hook of its own; what cannot stays as it is."""

import ast

import pytest

from chainrules.ad.syntax.implicit_calls import (
    ImplicitCalls,
    is_method_of_super,
    mark_method_of_super,
)


def rewritten(source):
    """The text, rewritten, with the hooks' names as functions."""
    text = ast.unparse(ImplicitCalls().visit(ast.parse(source)))
    return text.replace("'<chainrules.ad: ", "_").replace(">'(", "(")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a + b", "_add(a, b)"),
        ("a @ b ** c", "_matmul(a, _pow(b, c))"),
        ("-a * ~b", "_mul(_neg(a), _invert(b))"),
        ("'%s' % a", "_mod('%s', a)"),
        ("a < b", "_lt(a, b)"),
        ("a in b", "_in(a, b)"),
        ("a not in b", "_not in(a, b)"),
        ("a.b", "_attribute(a, 'b')"),
        ("a.b.c", "_attribute(_attribute(a, 'b'), 'c')"),
        ("a[i]", "_getitem(a, i)"),
        ("a[i, 2]", "_getitem(a, (i, 2))"),
        ("a[1:]", "_getitem(a, _slice(1, None, None))"),
        ("a[:, i:j:k]", "_getitem(a, (_slice(None, None, None), _slice(i, j, k)))"),
        ("a[*i]", "_getitem(a, (*_iter(i),))"),
        ("a.__b", "_attribute(a, '__b')"),
        (
            "class __A:\n    a.__b, a.__b__",
            "class __A:\n    (_attribute(a, '_A__b'), _attribute(a, '__b__'))",
        ),
        ("class A(a.__b):\n    pass", "class A(_attribute(a, '__b')):\n    pass"),
        ("class _:\n    a.__b", "class _:\n    _attribute(a, '__b')"),
        ("super().b", "_attribute(super(), 'b')"),
        ("import a\ndef f(a):\n    a.b", "import a\n\ndef f(a):\n    _attribute(a, 'b')"),
        ("import a\nfor a in b:\n    a.b", "import a\nfor a in _iter(b):\n    _attribute(a, 'b')"),
        ("f(*a, **b)", "f(*_iter(a), **b)"),
        ("*a, b = c", "*a, b = c"),
        ("def f():\n    yield from a", "def f():\n    yield from _iter(a)"),
        ("a << b | c >> d & e ^ f", "_or_(_lshift(a, b), _xor(_and_(_rshift(c, d), e), f))"),
        ("for a in b:\n    pass", "for a in _iter(b):\n    pass"),
        ("[a for a in b]", "[a for a in _iter(b)]"),
        ("with a as b, c:\n    pass", "with _with(a) as b, _with(c):\n    pass"),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook."""
    assert rewritten(source) == expected


@pytest.mark.parametrize(
    ("source", "is_marked"),
    [("super().f", True), ("super().f.g", False), ("f().g", False), ("f()().g", False), ("f", False)],
)
def test_methods_of_super(source, is_marked):
    """They are told apart where they are called."""
    node = ast.parse(source, mode="eval").body
    mark_method_of_super(node)
    assert is_method_of_super(node) is is_marked


@pytest.mark.parametrize(
    "source",
    [
        "1 + 2",
        "-1",
        "not a",
        "1 << 2",
        "a is b",
        "a < b < c",
        "f'{a}' + b",
        "'a' in b",
        "a.b = c",
        "a[i] = c",
        "a += b",
        "a.b += c",
        "del a[i], a.b",
        "import a.b as c\nc.d",
        "import a.b\na.d",
        "for a in [1, 2]:\n    pass",
        "for a in (1, 2):\n    pass",
        "for a in 'ab':\n    pass",
        "async def f():\n    return [a async for a in b]",
    ],
)
def test_left_alone(source):
    """Constants, names of modules, what is written into, and what evaluates its parts in its own order."""
    assert rewritten(source) == ast.unparse(ast.parse(source))
