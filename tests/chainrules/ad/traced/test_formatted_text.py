"""Text that was made of traced values is text, and no number again."""

import copy
import enum
import pathlib
import pickle
import sys
import types

import pytest

from chainrules.ad import grad, interception, jvp, value_and_grad
from chainrules.ad.traced.formatted_text import FormattedText, text_of_parts
from chainrules_core import primal_of
from tests.chainrules.ad.while_traced import while_traced

PARTS_OF_TEXT = {
    "a sum": lambda s: "x = " + s,
    "a sum on the right": lambda s: s + " m",
    "a character": lambda s: s[0],
    "characters one by one": lambda s: next(iter(s)),
    "a word": lambda s: s.split(".")[0],
    "a part": lambda s: s.partition(".")[-1],
    "other text": lambda s: s.strip().replace(".", "0").zfill(9),
    "what is made of text": lambda s: f"{s}",
    "a format": lambda s: "%s" % s,  # noqa: UP031 - what is tested
    "a copy": lambda s: copy.deepcopy(copy.copy(s)),
}


@pytest.mark.parametrize("part", PARTS_OF_TEXT.values(), ids=PARTS_OF_TEXT)
@pytest.mark.parametrize("is_intercepted", [True, False])
def test_what_is_made_of_the_text(part, is_intercepted):
    """It is such text too, and equal to the plain text."""

    def seen(x):
        text = f"{x:.3f}"
        return part(text), part(text.plain())

    with interception(is_intercepted):
        made, plain = while_traced(2.5, seen)
    assert type(made) is FormattedText
    assert (made, hash(made), repr(made)) == (plain, hash(plain), repr(plain))


def test_both_lines_are_named():
    """Where the number is read, and where the text was made."""

    def f(x):
        text = f"{x:.6f}"
        return float(text) * x

    for differentiate in (grad(f), lambda x: jvp(f, (x,), (1.0,))):
        with pytest.raises(TypeError, match="read from text") as caught:
            differentiate(2.5)
        line = f.__code__.co_firstlineno
        assert f"{__file__}:{line + 2}, in `float(text)`" in str(caught.value)
        assert f"made of a traced value at {__file__}:{line + 1}," in str(caught.value)


def test_without_interception():
    """Text knows itself that it is no number."""
    with interception(False), pytest.raises(TypeError, match="read from text"):
        grad(lambda x: int(f"{x:.0f}") * x)(2.5)


def test_who_catches_the_error_is_told_later():
    """The program would go another way than without differentiation."""

    def f(x):
        try:
            return float(f"{x:.3f}") * x
        except TypeError:
            return x

    with pytest.raises(TypeError, match="read from text"):
        grad(f)(2.5)


def test_libraries_that_try():
    """One that prints a table asks whether text is a number: it is not, and nothing is lost by that."""
    names = {"__name__": "library"}
    source = """
def is_number(s):
    try:
        return bool(float(s))
    except ValueError:
        return False
"""
    exec(compile(source, "/site-packages/library.py", "exec"), names)  # noqa: S102 - the function here

    assert grad(lambda x: x if names["is_number"](f"{x:.3f}") else 2.0 * x)(2.5) == 2.0


def test_afterwards_it_is_a_number():
    """Nothing is lost once the differentiation has ended, and neither by text of a plain value."""
    (_, text), _ = value_and_grad(lambda x: (x, f"{x:.2f}"), has_aux=True)(2.5)

    assert (float(text), int(text[0]), float(text + "1")) == (2.5, 2, 2.501)
    assert type(pickle.loads(pickle.dumps(text))) is str
    assert grad(lambda x: float(f"{primal_of(x):.1f}") * x)(2.5) == 2.5


def test_text_in_the_place_of_text():
    """It is a key, a name, and what a string is compared and put together with."""
    table = {"2.5": 3.0}

    def f(x):
        text = f"{x}" if x < 0 else str(x)
        holder = types.SimpleNamespace()
        setattr(holder, text, x)
        assert isinstance(text, str)
        assert text.__class__ is type(text) is str
        assert (text, len(text), text.isascii()) == ("2.5", 3, True)
        assert str(pathlib.Path("a") / text) == f"a/{sys.intern(text)}"
        return table[text] * getattr(holder, "2.5") + text.count(".")

    assert grad(f)(2.5) == 3.0
    assert grad(lambda x: enum.Enum("E", {f"a{x:.0f}": x}).a2.value)(2.5) == 1.0
    with pytest.raises(TypeError):
        1 + while_traced(2.5, str)


def test_text_that_outlives_an_inner_differentiation():
    """It is made of a value of the one around it too, where that is so."""

    def f(x, made):
        kept = []
        grad(lambda y: kept.append(f"{made(x, y):.2f}") or y)(2.0)
        return float(kept[0]) * x

    assert grad(f)(2.5, lambda x, y: y) == 2.0
    with pytest.raises(TypeError, match="read from text"):
        grad(f)(2.5, lambda x, y: x * y)


def test_messages_call_it_text():
    """Nobody has to know of the class."""
    with pytest.raises(TypeError, match="not a str"):
        grad(lambda x: f"{x:.1f}")(2.5)


def test_of_parts():
    """Without such a part text is what it was."""
    assert type(text_of_parts("ab", ["a", "b"])) is str
