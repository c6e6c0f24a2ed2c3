"""Arguments whose memory a program may reuse: their arrays are nobody's once it is called."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.looks import warns_never
from chainrules.ad.recording.recorded import inputs_of
from chainrules.ad.recording.reuse import ufunc_of
from chainrules.ad.recording.signature import is_named_tuple, is_record, leaves_of, with_fields
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step
from chainrules.ad.values.plain_values import WRITEABLE

Donated = bool | tuple[int, ...]
"""Whether all arguments are donated, or the positions of those that are."""


class SpentError(BaseException):
    """A program failed once it had written into an argument, so that the function itself cannot run any more.

    The cause is the error.
    """


class _NoWayBack:
    """The block of a program in which arguments are written into."""

    def __enter__(self) -> None: ...

    def __exit__(self, cls: object, error: BaseException | None, place: object) -> None:
        if isinstance(error, Exception):
            raise SpentError from error


NO_WAY_BACK = _NoWayBack()


def donated_leaves(args: tuple[Any, ...], kwargs: dict[str, Any], donate: Donated) -> list[bool]:
    """For each number and array in the arguments, whether its memory may be reused."""
    flags: list[bool] = []
    for i, x in enumerate((*args, *kwargs.values())):
        leaves: list[Any] = []
        leaves_of(x, leaves)
        flags += [donate is True or (donate is not False and i < len(args) and i in donate)] * len(leaves)
    return flags


def own_memory(args: tuple[Any, ...], kwargs: dict[str, Any], donate: Donated) -> Any:
    """The arguments with copies of the donated arrays that share their memory, or are locked."""
    arrays = [x for x in arrays_in((args, kwargs)) if type(x) is np.ndarray and x.base is not None]

    made: dict[int, Any] = {}  # an array that is given twice stays one

    def own(x: Any) -> Any:
        cls = type(x)
        if cls is tuple or cls is list:
            return cls([own(part) for part in x])
        if cls is dict:
            return {key: own(part) for key, part in x.items()}
        if is_record(x):
            return with_fields(cls, own(vars(x)))
        if is_named_tuple(cls):
            return cls(*map(own, x))
        if cls is not np.ndarray:
            return x
        is_shared = x.base is not None or any(np.may_share_memory(x, y) for y in arrays)
        if is_shared or not x.flags.num & WRITEABLE:
            made[id(x)] = made[id(x)] if id(x) in made else x.copy("K")
        return made.get(id(x), x)

    if donate is True:
        return own(args), own(kwargs)
    return tuple(own(x) if donate and i in donate else x for i, x in enumerate(args)), kwargs


def copies(leaves: list[Any]) -> list[Any]:
    """Arguments that a program may write into, where the caller still needs them."""
    return [x.copy("K") if type(x) is np.ndarray else x for x in leaves]


def arrays_in(x: Any) -> Iterator[Any]:
    """The arrays in arguments or a result, recorded ones among them."""
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, tuple | list | dict):
        for part in x.values() if isinstance(x, dict) else x:
            yield from arrays_in(part)
    elif is_record(x):
        yield from arrays_in(vars(x))


def first_to_write(steps: dict[int, Step]) -> int:
    """The number of the first step from which on nothing decides any more, and only arithmetic follows.

    What was written into is lost to the function itself, to which a program does not go back any more then.
    Nor does it read arrays from outside there, which may be views of an argument.
    """
    first = max(steps, default=0) + 1
    for i in reversed(steps):
        step = steps[i]
        is_arithmetic = (
            step.kind == "operation"
            and isinstance(step.value, np.ndarray | np.generic)
            and step.value.dtype.kind in "fc"
            and (ufunc_of(step) is not None or warns_never(step))
        )
        if not is_arithmetic or any(x._slot.root().kind == "captured" for x in inputs_of(step)):
            break
        first = i
    return first


def free_arguments(inputs: list[Any], donated: list[bool]) -> frozenset[Slot]:
    """The slots of the arrays in arguments whose memory may be reused."""
    pairs = list(zip(inputs, donated, strict=True))
    kept = {x._slot for x, is_donated in pairs if not is_donated}
    return frozenset(
        x._slot
        for x, is_donated in pairs
        if is_donated and isinstance(x._plain, np.ndarray) and x._slot not in kept
    )
