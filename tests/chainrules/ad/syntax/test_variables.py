"""Where rewritten code may keep an operand in a variable of its own, and for how long."""

import re
import weakref

import pytest

from chainrules.ad.interception.choosing.choosing import choose as intercepted
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


def has_variables(source):
    """Whether the rewritten source keeps operands in variables."""
    return " := " in rewritten_text(source, is_guarded=True)


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
    lines = rewritten_text(source, is_guarded=True).splitlines()[1:]
    assert [sorted(set(re.findall(r"<(\d)>", line))) for line in lines] == [
        ["1", "2"],
        list("1234"),
        ["1", "2"],
    ]


def test_classes_in_functions():
    """Their attributes are those that the program wrote."""

    def program(x):
        class A:
            """A class."""

            y = float(str(x)) + float("1")
            z = tuple([float(str(i)) + y_ for i, y_ in enumerate([x])])

        return sorted(name for name in vars(A) if "chainrules" in name), A.y, A.z

    assert intercepted(program)(1.0) == program(1.0) == ([], 2.0, (1.0,))


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


def test_last_use():
    """The operands are cleared after the last of them was read, and before the hook is called."""
    text = rewritten_text("def f():\n    g() + h()", is_guarded=True)
    assert text.endswith("else _add(<1>, (<2>, (<2> := (<1> := None)))[0])")
