"""One walk through a module, which leaves the module as it is."""

import ast

import pytest

from chainrules.ad.syntax.compiling import rewritten
from chainrules.ad.syntax.walk import Walk, copied

SOURCE = """
import math
@decorated
class A(B, k=c()):
    def f(self, a, b=c[0]):
        first = a.x if g() + b[0] else -b
        self.__y[a:] += [math.sin(v) * w for v, w.z in b if not v]
        with a() as b.c, d as (e, f):
            match a:
                case float() if e.f:
                    return f"{a}{b!s:{c}}", lambda *args: args[0] < 1 < b
        async for k in b:
            x: int = yield await k(*b, out=a)
"""


@pytest.mark.parametrize("is_guarded", [False, True])
def test_the_tree_stays_as_it_is(is_guarded):
    """It may be rewritten again."""
    tree = ast.parse(SOURCE)
    before = ast.dump(tree, include_attributes=True)
    once = ast.dump(rewritten(tree, is_guarded), include_attributes=True)
    assert ast.dump(tree, include_attributes=True) == before
    assert ast.dump(rewritten(tree, is_guarded), include_attributes=True) == once != before


def test_nodes_that_a_tree_holds_twice():
    """They become the same at both places: some versions of pytest make such trees of assertions."""
    tree = ast.parse("def f(a, b):\n    first = -a if a[0] else b + g()\n    second = b\n")
    first, second = tree.body[0].body
    second.value = first.value

    first, second = rewritten(tree, is_guarded=True).body[0].body
    assert "operand" in ast.unparse(first.value)
    assert ast.dump(second.value) == ast.dump(first.value)


@pytest.mark.parametrize(
    ("owner", "name", "expected"),
    [
        ("", "__b", "__b"),
        ("A", "__b", "_A__b"),
        ("__A", "__b", "_A__b"),
        ("A", "__b__", "__b__"),
        ("_", "__b", "__b"),
    ],
)
def test_private_names(owner, name, expected):
    """They have the name of their class in front."""
    walk = Walk(ast.parse(""), False, {}, {})
    assert walk.inside(walk.mangled, name, class_name=owner) == expected
    assert walk.mangled("__b") == "__b"


def test_copies():
    """They have the same parts, and are other nodes."""
    node = ast.parse("a + b", mode="eval").body
    other = copied(node)
    other.left = other.right
    assert ast.unparse(node) == "a + b"
    assert ast.unparse(other) == "b + b"
