"""Notes that errors of Python and NumPy get on their way out of a function that is differentiated."""

import re
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from chainrules.ad.values.kinds_of_arrays import refusal_of_framework
from chainrules.ad.values.plain_values import SEQUENCES
from chainrules_core import frule, primal_of, rrule

# What tensors and arrays of other libraries have.
_OF_OTHERS = {
    "at": "`x = x.copy(); x[i] = v` for `x = x.at[i].set(v)`, and `x[i] += v` for `.add(v)`",
    "backward": "`grad(f)(x)`: a gradient is the value of a function, and nothing is accumulated",
    "block_until_ready": "nothing: all is computed at once",
    "clone": "`x.copy()`",
    "cpu": "`x`: arrays are NumPy's",
    "detach": "`chainrules.ad.stop_gradient(x)`",
    "double": "`x.astype(np.float64)`",
    "float": "`x.astype(np.float32)`",
    "grad": "`grad(f)(x)`: a gradient is the value of a function, and nothing is accumulated",
    "numpy": "`x`, or `chainrules_core.primal_of(x)` for the plain array",
    "permute": "`np.transpose(x, axes)`",
    "requires_grad": "`grad(f, argnums)`, which says by which arguments to differentiate",
    "requires_grad_": "`grad(f, argnums)`, which says by which arguments to differentiate",
    "retain_grad": "`vjp` of the part of the program behind it",
    "unsqueeze": "`np.expand_dims(x, axis)`",
    "zero_grad": "nothing: gradients are not accumulated",
}

# The errors that there are hints for.
HINTED = (AttributeError, SystemError, TypeError, ValueError, struct.error)


def note_shapes(error: Exception, whose: str, given: Any, primal_name: str, primal: Any) -> None:
    """Note beside an error which tangent or cotangent does not fit, and its shape.

    Parameters
    ----------
    error
        What its projection raised.
    whose
        What it is, such as ``tangent of argument 0 of f``.
    given
        The tangent or cotangent.
    primal_name, primal
        What it should fit.
    """
    note = f"This is the {whose}."
    given, primal = primal_of(given), primal_of(primal)
    if isinstance(given, list | tuple) and isinstance(primal, np.ndarray):
        note = f"{note[:-1]}: give an array, `np.array(...)`, and not a {type(given).__name__}."
    elif (
        isinstance(given, _WITH_SHAPES)
        and isinstance(primal, _WITH_SHAPES)
        and np.shape(given) != np.shape(primal)
    ):
        note = f"{note[:-1]}: it has shape {np.shape(given)}, the {primal_name} {np.shape(primal)}."
    error.add_note(note)


_WITH_SHAPES = (float, complex, int, np.number, np.ndarray)


def add_hints(error: Exception, args: Sequence[Any]) -> None:
    """Note beside an error, if it may come from the differentiation, what to write instead.

    Parameters
    ----------
    error
        What the function raised.
    args
        Its arguments, traced.
    """
    message = str(error)
    for rules in (rrule, frule):
        rules.add_note(error)
    if isinstance(error, AttributeError):
        _hint_at_attribute(error, message)
    if isinstance(error, ValueError) and message.startswith("The truth value of an array"):
        _add_hint(error, "Where each element chooses, write `np.where(condition, a, b)`.")
    if isinstance(error, ValueError | SystemError) and isinstance(error.__cause__, TypeError):
        # NumPy hides why an element could not be written, `y[i] = x[i]`; code in C, why a call back failed.
        _add_hint(error, str(error.__cause__))
    elif not isinstance(error, AttributeError) and _asks_for_plain_values(error, message):
        _add_hint(error, _of_framework(message) or _PLAIN_VALUE)
    if isinstance(error, TypeError) and not args and "argument" in message:
        _add_hint(error, "The arguments go into the same call, `vjp(f, x)`.")
    if isinstance(error, TypeError) and ("list" in message or "tuple" in message or "sequence" in message):
        for place, x in enumerate(args):
            if isinstance(x, SEQUENCES) and _holds_numbers_only(x):
                _add_hint(
                    error,
                    f"Argument {place} is a {type(x).__name__} of numbers, not an array: it stays a "
                    f"{type(x).__name__} during differentiation. If an array is meant, give `np.array(...)`.",
                )


def _hint_at_attribute(error: AttributeError, message: str) -> None:
    _, is_traced, rest = message.partition("'TracedValue' object has no attribute '")
    instead = _OF_OTHERS.get(rest.partition("'")[0])
    if is_traced and instead is not None:
        _add_hint(error, f"A traced value stands for NumPy's array or number. Write {instead}.")


def _add_hint(error: Exception, hint: str) -> None:
    """Add a note, unless an inner differentiation has."""
    if hint not in getattr(error, "__notes__", ()):
        error.add_note(hint)


_PLAIN_VALUE = (
    "A traced value stands for NumPy's array or number. Where nothing but a plain one will do, as to save "
    "it, write `chainrules_core.primal_of(x)`, which has no derivative."
)

# Words of messages of frameworks whose functions, as compiled ones, were given a traced value.
_FRAMEWORKS = {"JAX": "jax", "Tensor": "torch"}


def _of_framework(message: str) -> str | None:
    """The bridge to the framework that an error is of; `None` if it is of none."""
    packages = [package for word, package in _FRAMEWORKS.items() if re.search(rf"\b{word}\b", message)]
    return refusal_of_framework(packages[0]) if packages else None


def _asks_for_plain_values(error: Exception, message: str) -> bool:
    """Whether an error is of somebody who does not know traced values."""
    is_named = re.search(r"\bTracedValue\b(?!\()", message)  # not a value that the program shows
    return is_named is not None or isinstance(error, struct.error)


def _holds_numbers_only(x: Sequence[Any]) -> bool:
    return bool(x) and all(isinstance(primal_of(item), float | complex | np.inexact) for item in x)
