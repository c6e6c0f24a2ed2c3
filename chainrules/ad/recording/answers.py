"""What an operation answers that is called whole: its containers, and the numbers and arrays in them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.structured_results import result_with
from chainrules.ad.recording.tape import itself
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.structures import parts_of, with_parts
from chainrules_core import StructuralTangent, unthunk

NUMBERS = (bool, int, float, complex, np.generic)


def evaluated(y: Any) -> Any:
    """An answer with the values of its thunks, and plain arrays in it."""
    y = _evaluated(y)
    is_inside = type(y) is list or isinstance(y, dict | tuple | StructuralTangent)
    return with_leaves(y, evaluated) if is_inside else y


def _evaluated(y: Any) -> Any:
    y = unthunk(y)
    return plain_array(y) if type(y) in TRACED and y._trace.is_constant else y


def described(y: Any, leaves: list[Any]) -> str:
    """What an answer says, but for the numbers and arrays in it, which are appended to the leaves."""
    y = _evaluated(y)
    cls = type(y)
    if isinstance(y, np.ndarray):
        leaves.append(y)
        return f"{cls.__name__}[{y.dtype.str}, {y.shape}]"
    if isinstance(y, NUMBERS):
        leaves.append(y)
        return cls.__name__
    if cls is tuple or cls is list:
        inside = ", ".join([described(part, leaves) for part in y])
        return f"({inside})" if cls is tuple else f"[{inside}]"
    parts = _items(y)
    if parts is None:
        return repr(y) if isinstance(y, str | None.__class__) else cls.__qualname__
    return f"{cls.__name__}({', '.join([f'{key}={described(part, leaves)}' for key, part in parts])})"


def _items(y: Any) -> Iterator[tuple[Any, Any]] | None:
    """The parts of an answer, by their names or places; `None` if it has none."""
    if isinstance(y, dict):
        return iter(y.items())
    if type(y) is list or isinstance(y, tuple):
        return enumerate(y)
    return iter(parts_of(y).items()) if isinstance(y, StructuralTangent) else None


def with_leaves(y: Any, leaf: Callable[[Any], Any], beside: Callable[[Any], Any] = itself) -> Any:
    """An answer with others in the places of what has no parts.

    Parameters
    ----------
    y
        The answer.
    leaf
        Gives what takes the place of a leaf.
    beside
        The same for the attributes of a tuple, such as a `LinregressResult`, which rules know nothing of.
    """
    if isinstance(y, dict):
        return result_with(type(y), {key: with_leaves(part, leaf, beside) for key, part in y.items()})
    if type(y) is list:
        return [with_leaves(part, leaf, beside) for part in y]
    if isinstance(y, tuple):
        new = tuple.__new__(type(y), [with_leaves(part, leaf, beside) for part in y])
        for name, part in getattr(y, "__dict__", {}).items():
            new.__dict__[name] = beside(part)
        return new
    if not isinstance(y, StructuralTangent):
        return leaf(y)
    return with_parts(y, {key: with_leaves(part, leaf, beside) for key, part in parts_of(y).items()})
