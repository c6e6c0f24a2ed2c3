"""Where rewritten code may keep an operand in a variable of its own."""

import ast
import re

import pytest

from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.syntax.guarded_stores import GuardedStores
from chainrules.ad.syntax.rewriting import Rewriting


def has_variables(source):
    """Whether the rewritten source keeps operands in variables."""
    tree = GuardedStores(source).visit(Rewriting().visit(ast.parse(source)))
    return "<chainrules.ad: operand" in ast.unparse(tree)


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    return g() + h()",
        "async def f():\n    return g() + h()",
        "f = lambda: g() + h()",
        "class A:\n    def f(self):\n        return g() + h()",
        "def f():\n    return [a for a in b], g() + h()",
        "def f():\n    return g() + h()\ndef g():\n    locals()",
        "def f():\n    a += g()",
    ],
)
def test_functions(source):
    """In the bodies of functions."""
    assert has_variables(source)


@pytest.mark.parametrize(
    "source",
    [
        "x = g() + h()",
        "class A:\n    x = g() + h()",
        "def f():\n    class A:\n        x = g() + h()",
        "def f():\n    return [g() + h() for a in b]",
        "def f():\n    return (g() + h() for a in b)",
        "def f():\n    return {a: (lambda: g() + h()) for a in b}",
        "def f(a=g() + h()):\n    return a",
        "@g(h() + i())\ndef f():\n    pass",
        "def f():\n    locals()\n    return g() + h()",
        "def f():\n    sys._getframe(1)\n    return g() + h()",
    ],
)
def test_elsewhere(source):
    """Not where a variable would be an attribute, a global name or that of others, or could be seen."""
    assert not has_variables(source)


def test_names_of_variables():
    """They are numbered from 1 in each statement, so that a function has few."""
    source = "def f():\n    a = g() + h()\n    b = g() * h() + i()\nc = lambda: g() + h()"
    tree = GuardedStores(source).visit(Rewriting().visit(ast.parse(source)))
    found = [
        sorted(set(re.findall(r"operand (-?\d+)", ast.unparse(part))))
        for part in (*tree.body[0].body, tree.body[1])
    ]
    assert found == [["1", "2"], ["1", "2", "3", "4"], ["1", "2"]]


def test_classes_in_functions():
    """Their attributes are those that the program wrote."""

    def program(x):
        class A:
            """A class."""

            y = float(str(x)) + float("1")
            z = tuple([float(str(i)) + y_ for i, y_ in enumerate([x])])

        return sorted(name for name in vars(A) if "chainrules" in name), A.y, A.z

    assert intercepted(program)(1.0) == program(1.0) == ([], 2.0, (1.0,))


def test_nodes_that_a_tree_holds_twice():
    """They become the same at both places: some versions of pytest make such trees of assertions."""
    source = "def f(a, b):\n    first = a if g() else b\n    second = b\n    return first, second\n"
    tree = Rewriting().visit(ast.parse(source))
    first, second, _ = tree.body[0].body
    second.value = first.value

    first, second, _ = GuardedStores(source).visit(tree).body[0].body
    assert "operand" in ast.unparse(first.value)
    assert ast.dump(second.value) == ast.dump(first.value)
