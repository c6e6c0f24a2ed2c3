"""Arrays that belong to somebody: results to the caller, arguments to whoever passed them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.traced.places_in_memory import is_same_memory
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import untraced
from chainrules.ad.traced.views import snapshot
from chainrules.ad.values.repeated_instances import is_instance, is_operator
from chainrules.ad.values.structures import has_parts, holds, parts_of, with_parts
from chainrules.ad.writing.fillable import CONSTANTS
from chainrules_core import describe_callee
from chainrules_core.speed import ORDINARY_CLASSES


def take_copies(x: Any) -> None:
    """Let traced arrays in an argument be copies: the caller may write into its own before the pullback."""

    def take(part: Any) -> bool:
        if part.__class__ is TracedValue:
            value = part._value
            if value.__class__ is np.ndarray and value.flags.writeable:
                part._value = value.copy(order="K")
        return False

    holds(x, take)


def check_arguments_stayed(inputs: Sequence[Any], given: Sequence[Any], trace: Any) -> None:
    """Raise if a function wrote into arrays that it was given in the places of others, while it ran.

    Lists and dicts that the function captures may grow and shrink at their ends: the caller's do so too.

    Parameters
    ----------
    inputs
        The function, and its arguments.
    given
        What was called, and with what: arrays in the inputs, in containers and captured variables too, are
        replaced by traced or read-only ones.
    trace
        The differentiation that ran.

    Raises
    ------
    TypeError
        If it did: whoever called it by a rule, `checkpoint` or `map`, would not see it.
    """
    f, *args = inputs
    given_f, *given_args = given
    have_stayed = all(
        _has_stayed(x, given_x, trace, may_grow=False) for x, given_x in zip(args, given_args, strict=True)
    )
    if not have_stayed or not _has_stayed(f, given_f, trace, may_grow=True):
        raise TypeError(
            f"{describe_callee(f)} was called by a rule, and wrote into its argument or an array that it "
            "captured, which the caller would not see. Let it return a copy that it wrote into, `x.copy()`."
        )
    _hand_on_collected(f, given_f)


def _has_stayed(x: Any, given: Any, trace: Any, may_grow: bool) -> bool:
    if given is x:
        return True
    if isinstance(given, TracedValue):
        value = given._value if given._trace is trace else given
        if isinstance(x, TracedValue) and not isinstance(value, TracedValue):
            return x._trace.is_constant and is_same_memory(x._value, value)  # `x` now writes into a copy
        return value is x or (isinstance(x, TracedValue) and value._value is x._value)
    if isinstance(x, np.ndarray):
        return is_same_memory(x, given)  # a read-only view of it
    if type(x) is not type(given) or not has_parts(x):
        return False
    if trace is not None and (is_instance(x) or is_operator(type(x))):
        # What was assigned to the attributes of an instance its caller sees. An operator is a value; what its
        # products assign, such as how many they are, is of no use to others.
        return True
    parts, given_parts = parts_of(x), parts_of(given)
    if parts.keys() != given_parts.keys() and not (may_grow and isinstance(x, list | dict)):
        return False
    kept = parts.keys() & given_parts.keys()
    return all(_has_stayed(parts[key], given_parts[key], trace, may_grow) for key in kept)


def _hand_on_collected(x: Any, given: Any) -> None:
    """Let lists and dicts of the caller hold what a function put into those in their places, and no more."""
    if given is x or type(x) is not type(given) or not has_parts(x) or is_instance(x):
        return
    parts, given_parts = dict(parts_of(x)), parts_of(given)
    for key, part in parts.items():
        if key in given_parts:
            _hand_on_collected(part, given_parts[key])
    if isinstance(x, list):
        x[len(given) :] = given[len(x) :]
    elif isinstance(x, dict):
        for key in parts.keys() - given_parts.keys():
            del x[key]
        x.update({key: part for key, part in given_parts.items() if key not in parts})


def call_without_writing(
    runner: Callable[[Any], Callable[..., Any]],
    f: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
) -> Any:
    """Call ``runner(f)`` with values that pullbacks may keep.

    Raises
    ------
    TypeError, ValueError
        If it writes into one of its arguments: a `ValueError` of NumPy for an array, which is read-only.
    """
    given_f, *given = (_read_only(x) for x in (f, *args))
    try:
        y = runner(given_f)(*given, **kwargs)
    except ValueError as error:
        if "read-only" in str(error):
            error.add_note(
                f"{describe_callee(f)} is called again when its derivative is taken, and its arguments "
                "and the arrays that it captures are read-only until then. Let it write into a copy, "
                "`x.copy()`."
            )
        raise
    check_arguments_stayed((f, *args), (given_f, *given), trace=None)
    return untraced(y, CONSTANTS)[0]


def _read_only(x: Any, holders: tuple[int, ...] = ()) -> Any:
    """`x` with arrays that cannot be written into, in its containers and captured variables too."""
    if x.__class__ is np.ndarray:
        x = x.view()
        x.flags.writeable = False
        return x
    if isinstance(x, TracedValue):
        return snapshot(x)
    if x.__class__ in ORDINARY_CLASSES or not has_parts(x) or id(x) in holders or is_instance(x):
        return x  # what is assigned to attributes of an instance has to be seen
    parts = parts_of(x)
    given = {key: _read_only(part, (*holders, id(x))) for key, part in parts.items()}
    return with_parts(x, given) if any(given[key] is not part for key, part in parts.items()) else x
