"""Taking tensors out of a value, and putting other things in their places.

They are found in tuples, lists, dicts, objects with attributes, closures, partials and bound methods. The
*holes* of a value say where they were: a number for a tensor itself, which is its place in a list of all; for
a value with parts, a dict from field names, positions or keys to the holes of its parts; `None` where there
is no tensor.
"""

import types
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import numpy as np

from chainrules.ad.modes.nodes import component
from chainrules.ad.values.repeated_instances import repeated_instance
from chainrules.ad.values.structures import has_parts, parts_of, spelled, tangent_from_parts, with_parts
from chainrules.adapters.errors import AdapterError
from chainrules_core import NO_TANGENT, ZERO_TANGENT, AbstractZero, hiding_place

Holes = int | dict[Any, Any] | None
IsTensor = Callable[[Any], bool]

# Instances of these very classes hold nothing. Most arguments are of these, and not searched.
_LEAVES = {
    *(bool, int, float, complex, str, bytes, type(None), np.float64, np.dtype, slice),
    *(np.ufunc, type(np.sum), types.BuiltinFunctionType),
}


_HIDDEN_TENSOR = (
    "A tensor is held by {place}, where it is not found. Give it as an argument, or in a tuple, list, dict "
    "or dataclass."
)


def find_holes(x: Any, is_tensor: IsTensor, tensors: list[Any], hidden: str = _HIDDEN_TENSOR) -> Holes:
    """Where the tensors are in a value; they are appended to the list.

    Parameters
    ----------
    x
        The value.
    is_tensor
        Whether something is a tensor; it is not looked into then.
    tensors
        The list.
    hidden
        What to say of a tensor that `x` hides, with ``{place}`` for where it does.

    Raises
    ------
    AdapterError
        If a value holds tensors where they are not found, such as a deque; or holds tensors, and itself; or
        holds an object with tensors twice.
    """
    number = len(tensors)
    search = _Search(is_tensor, tensors)
    holes = search.holes_of(x, ())
    if search.met_others:  # nearly never: the values are tensors, numbers, arrays, and tuples of these
        place = hiding_place(x, is_tensor, beside_fields=True)
        if place is not None:
            raise AdapterError(hidden.format(place=place))
        repeated = repeated_instance(x, is_tensor) if len(tensors) > number else None
        if repeated is not None:
            raise AdapterError(
                f"Tensors are held by {repeated}: a gradient has one place for each. Hold the object once."
            )
    return holes


class _Search:
    """A search for tensors in a value."""

    def __init__(self, is_tensor: IsTensor, tensors: list[Any]) -> None:
        self.is_tensor = is_tensor
        self.tensors = tensors
        self.met_others = False
        self.in_cycles: set[int] = set()

    def holes_of(self, x: Any, holders: tuple[int, ...]) -> Holes:
        if self.is_tensor(x):
            self.tensors.append(x)
            return len(self.tensors) - 1
        if holds_nothing(x):
            return None
        cls = x.__class__
        if cls is tuple or cls is list or cls is dict:
            parts = x.items() if cls is dict else enumerate(x)
        else:
            self.met_others = True
            if not has_parts(x):
                return None
            parts = parts_of(x).items()
        if id(x) in holders:
            self.in_cycles.update(holders[holders.index(id(x)) :])
            return None
        return self._holes_of_parts(x, parts, (*holders, id(x)))

    def _holes_of_parts(self, x: Any, parts: Any, holders: tuple[int, ...]) -> Holes:
        found = {}
        for key, part in parts:
            holes = self.holes_of(part, holders)
            if holes is not None:
                found[key] = holes
        if not found:
            return None
        if id(x) in self.in_cycles:
            raise AdapterError(
                f"A {type(x).__name__} holds itself, and tensors, as its `{spelled(x, _first_path(found))}`: "
                "nothing can be put in their places. Give the tensors as arguments."
            )
        return found


def holds_nothing(x: Any) -> bool:
    """Whether a value is seen at once to have no parts, as numbers, arrays and most functions are."""
    cls = x.__class__
    if cls in _LEAVES:
        return True
    if cls is np.ndarray:
        return not x.dtype.hasobject
    return cls is types.FunctionType and not (
        x.__closure__ or x.__defaults__ or x.__kwdefaults__ or x.__dict__
    )


def _first_path(holes: Holes) -> tuple[Any, ...]:
    if not isinstance(holes, dict):
        return ()
    key = next(iter(holes))
    return (key, *_first_path(holes[key]))


def filled(x: Any, holes: Holes, values: Sequence[Any]) -> Any:
    """A value like `x`, with other things in its holes."""
    if holes is None:
        return x
    if isinstance(holes, int):
        return values[holes]
    cls = x.__class__
    if cls is tuple or cls is list:  # as below, in a fourth of the time
        items = list(x)
        for place, inner in holes.items():
            items[place] = values[inner] if inner.__class__ is int else filled(items[place], inner, values)
        return items if cls is list else tuple(items)
    parts = dict(parts_of(x))
    for key, inner in holes.items():
        parts[key] = filled(parts[key], inner, values)
    return with_parts(x, parts)


def components(x_bar: Any, holes: Holes, wanted: Container[int]) -> Iterator[tuple[int, Any]]:
    """The parts of a tangent, structural or in the containers of its primal, that belong to wanted holes.

    Each with its place in the list of tensors. They may be thunks.
    """
    if isinstance(holes, int):
        if holes in wanted:
            yield holes, x_bar
    elif holes is not None:
        for key, inner in holes.items():
            if not isinstance(inner, int) or inner in wanted:
                yield from components(component(x_bar, (key,)), inner, wanted)


def structural_tangent(x: Any, holes: Holes, tangents: Sequence[Any]) -> Any:
    """The tangent of `x` that has the given ones in its holes, and no tangent elsewhere."""
    if holes is None:
        return NO_TANGENT
    if isinstance(holes, int):
        return tangents[holes]
    parts = parts_of(x)
    found = {key: structural_tangent(parts[key], inner, tangents) for key, inner in holes.items()}
    if all(isinstance(tangent, AbstractZero) for tangent in found.values()):
        return ZERO_TANGENT
    return tangent_from_parts(type(x), len(parts), found)
