"""Shortcuts."""

import os
import subprocess
import sys

import pytest

from chainrules_core import rrule, shortcuts, shortened_by, typeof_
from chainrules_core.dispatch.rule_location import place_of_rule

PROGRAM = """
from chainrules_core import shortened_by, shortcuts

@shortened_by(lambda x: "short")
def f(x):
    return "long"

print(f(1), sum(function.__module__ == "__main__" for function, _ in shortcuts()))
"""


ARE_ON = os.environ.get("CHAINRULES_SHORTCUTS") != "0"


def of_floats(*args, **kwargs):
    """Answers where all arguments are floats."""
    are_floats = all(type(x) is float for x in (*args, *kwargs.values()))
    return "short" if are_floats else None


def one(x):
    """Of one argument."""
    return "long"


def two(x, y):
    """Of two."""
    return "long"


def three(x, y, z):
    """Of three."""
    return "long"


def four(a, b, c, d):
    """Of four."""
    return "long"


def with_named(x, **named):
    """With any arguments by keyword."""
    return f"long {len(named)}"


def with_default(x, y=1.0):
    """With a default."""
    return f"long {y}"


def with_keyword(x, *, y=1.0):
    """With an argument by keyword only."""
    return f"long {y}"


def with_rest(*xs, **named):
    """With any arguments."""
    return f"long {len(xs)} {len(named)}"


@pytest.mark.parametrize(
    ("function", "args", "kwargs", "expected"),
    [
        (one, (1,), {}, "long"),
        (one, (1.0,), {}, "short"),
        (two, (1, 1), {}, "long"),
        (two, (1.0, 1.0), {}, "short"),
        (three, (1, 1, 1), {}, "long"),
        (three, (1.0, 1.0, 1.0), {}, "short"),
        (four, (1, 1, 1, 1), {}, "long"),
        (four, (1.0, 1.0, 1.0, 1.0), {}, "short"),
        (with_named, (1,), {"a": 1}, "long 1"),
        (with_named, (1.0,), {"a": 1.0}, "short"),
        (with_default, (1,), {}, "long 1.0"),
        (with_default, (1.0,), {}, "short"),
        (with_keyword, (1,), {"y": 2}, "long 2"),
        (with_keyword, (1.0,), {"y": 2.0}, "short"),
        (with_rest, (1, 2), {"a": 1}, "long 2 1"),
        (with_rest, (1.0, 2.0), {"a": 1.0}, "short"),
    ],
)
def test_the_function_answers_what_its_shortcut_declines(function, args, kwargs, expected):
    """Calls that a shortcut declines are answered by its function, whatever its signature."""
    answer = shortened_by(of_floats)(function)(*args, **kwargs)

    assert answer == (expected if ARE_ON else function(*args, **kwargs))


@pytest.mark.skipif(not ARE_ON, reason="functions stay what they are")
@pytest.mark.parametrize("function", [one, two, three, four])
def test_arguments_are_not_packed(function):
    """Functions of a few positional arguments are shortened by functions of as many."""
    shortened = shortened_by(of_floats)(function)

    assert shortened.__code__.co_argcount == function.__code__.co_argcount


def test_both_are_listed():
    """`shortcuts` lists every function with what shortens it."""
    shortened_by(of_floats)(one)

    assert (one, of_floats) in shortcuts()


def test_a_rule_is_registered_with_its_own_signature_and_place():
    """A rule that is shortened is found by its annotations, and stands where it is written."""

    def f(x):
        return x

    @shortened_by(of_floats)
    def f_rrule(f: typeof_(f), x: str):
        return x, None

    rrule.dispatch(f_rrule)
    (method,) = rrule.methods(f)

    assert rrule(f, 1.0) is None
    assert rrule(f, "x") == ("x", None)
    assert place_of_rule(method.function)[0] == __file__
    assert method.name == "f_rrule"


@pytest.mark.parametrize(("setting", "printed"), [("0", "long 1"), ("1", "short 1")])
def test_the_environment_turns_them_off(setting, printed, monkeypatch):
    """With ``CHAINRULES_SHORTCUTS=0`` functions answer all calls themselves; both are still listed."""
    monkeypatch.setenv("CHAINRULES_SHORTCUTS", setting)
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert run.stdout.split("\n")[0] == printed
