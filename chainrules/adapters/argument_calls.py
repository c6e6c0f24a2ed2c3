"""Calls with tensors among their positional arguments, and nowhere else: nearly all calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chainrules.adapters.flat_functions import FlatCall
from chainrules.adapters.holes import holds_nothing


@dataclass(eq=False)
class ArgumentCall(FlatCall):
    """As the `FlatCall` that it is; but tensors are put in their places without a search.

    Attributes
    ----------
    places
        The position of each tensor among the arguments.
    """

    places: Sequence[int]

    def _filled(self, arrays: Sequence[Any]) -> Any:
        args = list(self.args)
        for place, array in zip(self.places, arrays, strict=True):
            args[place] = array
        return self.f, tuple(args), self.kwargs

    def _parts(self, x_bars: tuple[Any, ...], wanted: Sequence[int]) -> list[Any]:
        return [x_bars[1 + self.places[number]] for number in wanted]


def argument_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], is_tensor: Callable[[Any], bool]
) -> tuple[list[Any], ArgumentCall] | None:
    """The tensors in a call, and the call; `None` if something in it may hold tensors, or hides them."""
    if not holds_nothing(f) or (
        kwargs and any(is_tensor(x) or not holds_nothing(x) for x in kwargs.values())
    ):
        return None
    tensors: list[Any] = []
    places: list[int] = []
    rest: list[Any] = []
    for place, x in enumerate(args):
        if is_tensor(x):
            tensors.append(x)
            places.append(place)
            rest.append(None)
        elif holds_nothing(x):
            rest.append(x)
        else:
            return None
    holes = {1: {place: number for number, place in enumerate(places)}}
    return tensors, ArgumentCall(f, tuple(rest), kwargs, holes, places)
