"""Notes beside errors."""

import datetime as dt
import decimal
import struct
import traceback

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.watching.hints import add_hints, note_shapes


def notes_of(error, *args):
    """What is noted beside an error of a function with these arguments."""
    add_hints(error, args)
    return getattr(error, "__notes__", [])


@pytest.mark.parametrize(
    ("error", "args"),
    [
        (TypeError("unsupported operand type(s) for +: 'int' and 'list'"), (1.0, [], ["a"], [1, 2])),
        (TypeError("something else"), ([1.0],)),
        (TypeError("f() missing 1 required positional argument: 'y'"), (1.0,)),
        (ValueError("something else"), (1.0,)),
        (AttributeError("'TracedValue' object has no attribute 'shpae'"), (1.0,)),
        (ValueError("mine: TracedValue(2.0, reverse, level 1)"), (1.0,)),
        (AttributeError("'Model' object has no attribute 'grad'"), (1.0,)),
    ],
)
def test_other_errors_stay_as_they_are(error, args):
    """Where nothing is known there is no note."""
    assert notes_of(error, *args) == []


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (
            AttributeError("'TracedValue' object has no attribute 'detach'"),
            r"Write `chainrules.ad.stop_gradient(x)`.",
        ),
        (
            AttributeError("'TracedValue' object has no attribute 'clone'. Did you mean: 'clip'?"),
            "Write `x.copy()`.",
        ),
        (
            TypeError(
                "Argument 'TracedValue(array([1.]))' of type <class 'TracedValue'> is not a valid JAX type."
            ),
            "`chainrules.adapters.from_jax(f)` makes one a function over NumPy, with rules.",
        ),
        (
            TypeError("expected Tensor as element 0, but got TracedValue"),
            "`chainrules.adapters.from_torch(f)` makes one a function over NumPy, with rules.",
        ),
        (TypeError("f() missing 1 required positional argument: 'x'"), "the same call, `vjp(f, x)`."),
        (
            ValueError("The truth value of an array with more than one element is ambiguous."),
            "`np.where(condition, a, b)`.",
        ),
    ],
)
def test_what_to_write_instead(error, note):
    """It stands at the end of the note."""
    (found,) = notes_of(error)
    assert found.endswith(note)


def test_functions_called_without_arguments():
    """Only an error about arguments is one of these."""
    assert notes_of(TypeError("something else")) == []


@pytest.mark.parametrize(
    "message",
    [
        'can only concatenate list (not "float") to list',
        "bad operand type for unary -: 'tuple'",
        "can't multiply sequence by non-int of type 'float'",
    ],
)
def test_lists_are_named(message):
    """Each argument that is a list or a tuple of numbers, traced or not."""
    error = TypeError(message)

    notes = notes_of(error, 1.0, [1.0, np.float32(2.0)], (1j, 2.0))

    assert [note[:24] for note in notes] == ["Argument 1 is a list of ", "Argument 2 is a tuple of"]


def test_causes_are_said():
    """NumPy hides why an element could not be written."""
    error = ValueError("setting an array element with a sequence.")
    error.__cause__ = TypeError("the cause")

    assert notes_of(error) == ["the cause"]


@pytest.mark.parametrize(
    "use",
    [
        lambda x: dt.timedelta(seconds=x),
        decimal.Decimal,
        lambda x: struct.pack("d", x),
        memoryview,
    ],
)
def test_what_takes_plain_values_only(use):
    """An error of somebody who does not know traced values is told what they are, and the way out."""
    with pytest.raises((TypeError, ValueError, struct.error)) as caught:
        grad(lambda x: (use(x), x)[1])(2.0)
    assert "`chainrules_core.primal_of(x)`" in "".join(traceback.format_exception_only(caught.value))


def test_hints_are_given_once():
    """The differentiations around the one that failed do not repeat them."""
    with pytest.raises(TypeError) as caught:
        grad(grad(lambda x: dt.timedelta(x) and x))(2.0)
    assert len(caught.value.__notes__) == 1


def test_causes_that_code_in_c_hides():
    """Some of it does not look whether a function of Python has raised."""
    error = SystemError("<built-in function sub> returned a result with an exception set")
    error.__cause__ = TypeError("the cause")

    assert notes_of(error) == ["the cause"]


def test_errors_pass_through():
    """The error is the program's own, with its traceback."""
    with pytest.raises(ValueError, match="mine") as caught:
        grad(lambda x: (_ for _ in ()).throw(ValueError("mine")))(1.0)
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize(
    ("given", "primal", "note"),
    [
        (np.ones(2), np.ones(3), "This is the tangent: it has shape (2,), the argument (3,)."),
        (1.0, np.ones(3), "This is the tangent: it has shape (), the argument (3,)."),
        ([1.0], np.ones(1), "This is the tangent: give an array, `np.array(...)`, and not a list."),
        ((1.0,), np.ones(1), "This is the tangent: give an array, `np.array(...)`, and not a tuple."),
        ([1.0, 2.0], 1.0, "This is the tangent."),
        ("a", np.ones(1), "This is the tangent."),
        (1.0, 2, "This is the tangent."),
    ],
)
def test_shapes(given, primal, note):
    """They are said where they differ."""
    error = ValueError()
    note_shapes(error, "tangent", given, "argument", primal)
    assert error.__notes__ == [note]
