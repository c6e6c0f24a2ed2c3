"""What stands at a place of a program, as messages speak of it."""

import linecache
import sys
from unittest import mock

import numpy as np
import pytest

from chainrules.ad.syntax import program_text
from chainrules.ad.syntax.program_text import expression_in, is_only_looked_at
from chainrules.ad.values import memory


@pytest.mark.parametrize(
    ("text", "kind", "name", "parts"),
    [
        ("a", "name", "a", []),
        ("a.b.c", "attribute", "c", ["a.b"]),
        ("a.b[i]", "item", None, ["a.b", "i"]),
        ("f.g(x, [y])", "call", None, ["f.g"]),
        ("'%s' % a", "remainder", None, []),
        ("2.5", "constant", 2.5, []),
        ("a + b", "", None, []),
        ("a[i] += x", "item", None, ["a", "i"]),
    ],
)
def test_expressions(text, kind, name, parts):
    """Its kind, its name and its parts; of an augmented assignment, those of its target."""
    found = expression_in(text)
    assert (found.kind, found.name, [part.text for part in found.parts]) == (kind, name, parts)


def test_calls():
    """How a rule would be called, and whether a list is given."""
    found = expression_in("f.g(x, [y], k=1)")
    assert (found.by_rule, found.has_list) == ("call(f.g, x, [y], k=1)", True)
    assert not expression_in("f(x)").has_list


@pytest.mark.parametrize("text", ["return a", "a = b", "for", ""])
def test_other_statements(text):
    """They are no expressions."""
    assert expression_in(text) is None or text == ""


LOOKED_AT = [
    "print(f())",
    "print('a', -f() + 1.0, [f()])",
    "log.info('%s', f())",
    "'%s'.format(f())",
    "a = f'{f():.2f}'",
    "a = f() < 1.0",
    "a = table[f()]",
    "a = table.get(f())",
    "f()",
    "sorted([1], key=lambda x: -f())",
    "a = len({f() for _ in [1]})",
    "a = np.isclose(f(), 1.0)",
    "if f(): pass",
    "while not f() and False: pass",
    "assert f() is None",
    "a = f(); print(a); table[a]",
    "a = [f(), 1.0]; print(a)",
]

USED = [
    "return f()",
    "return 2.0 * f() + 1.0",
    "a = f(); return a",
    "a = f(); print(a); b = a",
    "a = b = f()",
    "self.a = f()",
    "items.append(f())",
    "a = f()[()]",
    "a = f().real",
    "a = sum(f() for _ in range(1))",
    "a = (lambda: f())()",
    "return f()" + " + 1" * 1_500,
    "if True: return f()",
    "a = {1: f()}",
]


def answers_in(statement):
    """What is found out of each call of `f` in a statement of a function."""
    answers = []

    def f():
        answers.append(is_only_looked_at(sys._getframe(1)))
        return np.float64()

    source = f"def g():\n    {statement}\n"
    filename = f"<{statement}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    names = {
        "f": f,
        "np": np,
        "self": mock.MagicMock(),
        "log": mock.MagicMock(),
        "table": mock.MagicMock(),
        "items": [],
    }
    exec(compile(source, filename, "exec"), names)  # noqa: S102 - the function here
    try:
        names["g"]()
    except AssertionError:
        pass
    finally:
        del linecache.cache[filename]
    return answers


@pytest.mark.parametrize("statement", LOOKED_AT)
def test_looked_at(statement):
    """It is shown, decided or looked up by."""
    assert set(answers_in(statement)) == {True}


@pytest.mark.parametrize("statement", USED)
def test_used(statement):
    """It may become a part of the result."""
    assert answers_in(statement) == [False]


def test_without_text():
    """Nothing is known."""
    names = {"answer": lambda: is_only_looked_at(sys._getframe(1))}
    exec(compile("a = answer()", "nowhere.py", "exec"), names)  # noqa: S102 - the code here
    assert names["a"] is False
    code = compile("a = answer()", "nowhere.py", "exec").replace(co_linetable=b"")
    exec(code, names)  # noqa: S102 - as above
    assert names["a"] is False


def test_text_that_was_edited():
    """It need not be Python."""
    linecache.cache["edited.py"] = 1, None, ["a = (\n"], "edited.py"
    names = {"answer": lambda: is_only_looked_at(sys._getframe(1))}
    exec(compile("a = answer()", "edited.py", "exec"), names)  # noqa: S102 - the code here
    assert names["a"] is False


def test_a_place_is_looked_up_once(monkeypatch):
    """To find a position takes longer than all the rest of a call, as in a loop that rounds."""
    frame = sys._getframe()
    place = mock.Mock(f_code=compile("f()", "no file", "eval"), f_lasti=frame.f_lasti)
    positions = mock.Mock(return_value=(1, 1, 0, 3))
    monkeypatch.setattr(program_text, "position_of", positions)
    monkeypatch.setattr(program_text, "_known", {})
    monkeypatch.setattr(memory, "MOST", 1)
    answers = [is_only_looked_at(place) for _ in range(3)]
    assert len(set(answers)) == positions.call_count == 1
    another = mock.Mock(f_code=compile("g()", "no file", "eval"), f_lasti=0)
    is_only_looked_at(another)
    assert len(program_text._known) == 1
