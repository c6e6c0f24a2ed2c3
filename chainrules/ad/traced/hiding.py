"""Errors for arguments and results that hold numbers or traced values where the engine does not look."""

import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import is_differentiable, is_traced_by, without_ended
from chainrules.ad.values.kinds_of_arrays import plain_form
from chainrules.ad.values.plain_values import FLOATS, SEQUENCES
from chainrules.ad.values.repeated_instances import is_instance, repeated_instance
from chainrules.ad.values.structures import has_parts, parts_of, within
from chainrules_core import HidingPlace, describe_callee, hiding_place, is_bare_iterator

# Values of these classes hide nothing.
_IN_THE_OPEN = TRACED | FLOATS | {int, complex, bool, str, type(None)}


def check_nothing_hidden(y: Any, trace: Any) -> None:
    """Raise if a result holds traced values where nobody looks for them, or is an iterator.

    Raises
    ------
    TypeError
        If it does: the derivative by them would be lost.
    """
    if is_differentiable(y) or not _may_hide(y, beside_fields=True):
        return
    iterator = iterator_in(y)
    if iterator is not None:
        raise TypeError(
            f"A function that is differentiated returned a {type(iterator).__name__}, whose items would be "
            "computed after its differentiation, without their derivatives. Write `list(...)` around it."
        )

    def is_traced_here(x: Any) -> bool:
        return isinstance(x, TracedValue) and is_traced_by(without_ended(x, trace), trace)

    place = hiding_place(y, is_traced_here, beside_fields=True)
    if place is not None:
        raise TypeError(
            f"A function that is differentiated returned {_whose(place)} depends on the arguments: the "
            "derivative would be lost. Return a tuple, list, dict or dataclass."
        )


def check_argument_hides_nothing(f: Callable[..., Any], x: Any, place: int) -> None:
    """Raise if an argument to differentiate by holds numbers that would have no derivative, in silence.

    Raises
    ------
    TypeError
        If it does.
    """
    if _may_hide(x):
        check_hides_nothing(f"{describe_callee(f)} cannot be differentiated by argument {place}", x)


def check_hides_nothing(what_cannot_be_done: str, x: Any) -> None:
    """Raise if `x` holds numbers where nobody looks for them, or an instance of an ordinary class twice.

    Raises
    ------
    TypeError
        If it does.
    """
    refuse_repeated_instances(what_cannot_be_done, x)
    iterator = iterator_in(x)
    if iterator is not None:
        raise TypeError(
            f"{what_cannot_be_done}, which is or holds a {type(iterator).__name__}: it can be gone through "
            "once only. Write `list(...)` around it."
        )
    hidden = hidden_numbers(x)
    if hidden is not None:
        plain = plain_form(x)
        mend = "Give them in a tuple, list, dict or dataclass" if plain is None else f"Write `{plain}`"
        raise TypeError(
            f"{what_cannot_be_done}: numbers in it are held by {hidden}, where derivatives are not looked "
            f"for. {mend}; or, if they are constants, let the function close over them, "
            "`lambda x: f(constants, x)`."
        )


def refuse_repeated_instances(what_cannot_be_done: str, x: Any) -> None:
    """Raise if an argument holds an instance of an ordinary class twice, or one that holds itself.

    Raises
    ------
    TypeError
        If it does, and the instance holds numbers.
    """
    repeated = repeated_instance(x, is_differentiable) if _may_hide(x) else None
    if repeated is not None:
        raise TypeError(
            f"{what_cannot_be_done}, {repeated}. A tangent has one place for each place of its primal. Hold "
            "the instance at one of them; or let the function close over what is constant, "
            "`lambda x: f(constant, x)`."
        )


def hidden_numbers(x: Any) -> HidingPlace | None:
    """Where `x` holds real or complex numbers or arrays that have no derivative; `None` if it hides none."""
    return hiding_place(x, is_differentiable) if _may_hide(x) else None


def check_recomputed_hides_nothing(f: Callable[..., Any], y: Any) -> None:
    """Raise if what a checkpointed function returned holds numbers where nobody looks for them.

    Raises
    ------
    TypeError
        If it does: nobody knows whether they depend on the arguments, as they were computed untraced.
    """
    place = (
        hiding_place(y, is_differentiable, beside_fields=True) if _may_hide(y, beside_fields=True) else None
    )
    if place is not None:
        raise TypeError(
            f"checkpoint({describe_callee(f)}) returned {_whose(place)} is or holds a number, by which the "
            "derivative would be lost. Return a tuple, list, dict or dataclass."
        )


def _may_hide(x: Any, beside_fields: bool = False, holders: tuple[int, ...] = ()) -> bool:
    """Whether something in `x` may hide others, as far as its class tells: of most values nothing may.

    Parameters
    ----------
    x
        Any value.
    beside_fields
        As of `hiding_place`.
    holders
        The numbers (`id`) of the values with parts that hold this one.
    """
    cls = x.__class__
    if cls is np.ndarray:
        return bool(x.dtype.hasobject)
    if cls in _IN_THE_OPEN:
        return False
    parts = _parts_in_the_open(x, beside_fields)
    if parts is None:
        return True
    if _IN_THE_OPEN.issuperset(map(type, parts)):
        return False
    if id(x) in holders:
        return True
    holders = *holders, id(x)
    return any(_may_hide(part, beside_fields, holders) for part in parts)


def _parts_in_the_open(x: Any, beside_fields: bool) -> Iterable[Any] | None:
    """The values in `x` that anybody finds, if it holds no others, as far as its class tells; else `None`."""
    cls = x.__class__
    if cls is dict:
        return x.values()  # type: ignore[no-any-return]  # the class has just been looked at
    if cls in SEQUENCES:
        return x  # type: ignore[no-any-return]  # likewise
    if beside_fields:
        return None
    if is_differentiable(x) or (cls is types.FunctionType and x.__closure__ is None):
        return ()
    # Of a bound method, the function is looked into as well, and it is none of the parts. An instance of an
    # ordinary class may be held twice.
    is_open = has_parts(x) and cls is not types.MethodType and not is_instance(x)
    return parts_of(x).values() if is_open else None


def iterator_in(x: Any, holders: tuple[int, ...] = ()) -> Any:
    """A bare iterator that `x` is, or that its parts hold; `None` if there is none.

    Raises
    ------
    TypeError
        If `x` holds itself.
    """
    cls = x.__class__
    if cls is dict:
        parts = x.values()
    elif cls in SEQUENCES:
        parts = x
    elif is_differentiable(x):
        return None
    elif has_parts(x):
        if id(x) in holders and is_instance(x):
            return None
        parts = parts_of(x).values()
    else:
        return x if is_bare_iterator(x) else None
    holders = within(x, holders)
    for part in parts:
        iterator = iterator_in(part, holders)
        if iterator is not None:
            return iterator
    return None


def _whose(place: HidingPlace) -> str:
    part = "an item of which" if place.attribute is None else f"whose attribute {place.attribute!r}"
    return f"a {type(place.holder).__name__}, {part}"
