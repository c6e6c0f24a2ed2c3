# ruff: noqa: D103 - stand-ins have nothing to document
"""The parameters of a function, read from its code or by `inspect`."""

import functools
import inspect

import plum
import pytest

from chainrules_core.dispatch.parameters import positional_parameters
from chainrules_core.dispatch.rule_location import made_at


def nothing(): ...
def one(x): ...
def annotated(x: int, y: "text", z=3): ...  # noqa: F821 - the point
def only_positions(x: int, /, y): ...
def with_rest(x: int, *rest: str): ...
def with_plain_rest(x, *rest): ...
def only_keyword(x, *, y: int): ...
def rest_and_keyword(x, *rest: str, y: int): ...
def named(x: int, **named: str): ...


def with_locals(x):
    y = x
    return y + y


def signed(f):
    """The same function, but `inspect` has to find its signature."""

    @functools.wraps(f)
    def wrapper(*args, **kwargs): ...

    return wrapper


@pytest.mark.parametrize(
    "f",
    [
        nothing,
        one,
        annotated,
        only_positions,
        with_rest,
        with_plain_rest,
        only_keyword,
        rest_and_keyword,
        named,
        with_locals,
    ],
)
def test_code_says_what_inspect_says(f):
    """Reading the code of a plain function gives what its signature says."""
    assert positional_parameters(f, "none") == positional_parameters(signed(f), "none")


@pytest.mark.parametrize(
    ("f", "parameters"),
    [
        (annotated, (("x", "y", "z"), [int, "text", None], plum.Missing, False)),
        (with_rest, (("x",), [int], str, False)),
        (with_plain_rest, (("x",), [None], None, False)),
        (rest_and_keyword, (("x",), [None], str, True)),
        (named, (("x",), [int], plum.Missing, True)),
    ],
)
def test_parts(f, parameters):
    """Names, annotations (strings as they are), that of ``*args``, and whether keywords reach others."""
    assert positional_parameters(f, None) == parameters


def test_signature_of_ones_own_is_believed():
    """A function may say what its signature is, and what `made_at` writes into it changes nothing."""

    def generic(*args): ...

    made_at(generic, ("file.py", 1))
    assert positional_parameters(generic, None) == ((), [], None, False)
    generic.__signature__ = inspect.signature(annotated)
    assert positional_parameters(generic, None)[0] == ("x", "y", "z")


def test_other_callables():
    """What is no plain function is left to `inspect`."""
    assert positional_parameters(functools.partial(annotated, 1), None)[0] == ("y", "z")
    with pytest.raises(ValueError, match="no signature"):
        positional_parameters(type, None)


def test_a_wrapper_with_a_signature_of_its_own():
    """What it says of itself counts, and not what the function that it wraps says."""

    @functools.wraps(annotated)
    def wrapper(*args): ...

    wrapper.__signature__ = inspect.signature(with_rest)
    assert positional_parameters(wrapper, None) == (("x",), [int], str, False)
