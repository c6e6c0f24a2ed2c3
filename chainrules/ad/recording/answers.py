"""What a call that is made again answers: its numbers and arrays, and what it says beside them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.regular import rebuilt
from chainrules.ad.recording.structured_results import result_with
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.structures import parts_of, with_parts
from chainrules_core import StructuralTangent, unthunk

NUMBERS = (bool, int, float, complex, np.generic)


def evaluated(y: Any) -> Any:
    """An answer with the values of its thunks, and plain arrays in it."""
    y = unthunk(y)
    if type(y) in TRACED and y._trace.is_constant:
        return plain_array(y)
    is_inside = isinstance(y, dict | tuple | list | StructuralTangent)
    return with_leaves(y, evaluated) if is_inside else y


def described(y: Any, leaves: list[Any]) -> str:
    """What an answer says, but for the numbers and arrays in it, which are appended to the leaves."""
    cls = type(y)
    if isinstance(y, np.ndarray):
        leaves.append(y)
        return f"{cls.__name__}[{y.dtype.str}, {y.shape}]"
    if isinstance(y, NUMBERS):
        leaves.append(y)
        return cls.__name__
    parts = _items(y)
    if parts is None:
        return repr(y) if isinstance(y, str | None.__class__) else f"{cls.__module__}.{cls.__qualname__}"
    return f"{cls.__name__}({', '.join(f'{key}={described(part, leaves)}' for key, part in parts)})"


def _items(y: Any) -> Iterator[tuple[Any, Any]] | None:
    """The parts of an answer, by their names or places; `None` if it has none."""
    if isinstance(y, dict):
        return iter(y.items())
    if isinstance(y, tuple | list):
        return enumerate(y)
    return iter(parts_of(y).items()) if isinstance(y, StructuralTangent) else None


def with_leaves(y: Any, leaf: Callable[[Any], Any]) -> Any:
    """An answer with others in the places of what has no parts."""
    if isinstance(y, dict):
        return result_with(type(y), {key: with_leaves(part, leaf) for key, part in y.items()})
    if isinstance(y, tuple | list):
        return rebuilt(type(y), [with_leaves(part, leaf) for part in y])
    if not isinstance(y, StructuralTangent):
        return leaf(y)
    return with_parts(y, {key: with_leaves(part, leaf) for key, part in parts_of(y).items()})
