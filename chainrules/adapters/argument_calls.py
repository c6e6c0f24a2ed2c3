"""Calls with tensors among their positional arguments, and nowhere else: nearly all calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.values.plain_values import FLOATS
from chainrules.adapters.closures import bound_closure
from chainrules.adapters.constants import is_constant
from chainrules.adapters.flat_functions import (
    FlatCall,
    Outcome,
    Pullback,
    projected,
    rule_answer,
    wrong_cotangents,
)
from chainrules_core import ProjectTo


@dataclass(eq=False)
class ArgumentCall(FlatCall):
    """As the `FlatCall` that it is, and quicker: nothing is searched for tensors.

    Small operations of a framework take no longer than the search would.

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
        return self._callee(), tuple(args), self.kwargs

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> tuple[Outcome, Pullback]:
        """As of any call; at once, where a rule has returned one floating-point number or array."""
        f, args, kwargs = self._filled(arrays)
        answer = rule_answer(f, args, kwargs)
        if answer.__class__ is not tuple or len(answer) != 2:
            return super().pull(arrays, wanted)
        y, rule_pullback = answer
        if y.__class__ not in FLOATS and (y.__class__ is not np.ndarray or y.dtype.kind not in "fc"):
            return self.pulled_by_rule(answer, f, args, arrays, wanted)
        projections = [(1 + self.places[number], ProjectTo(arrays[number])) for number in wanted]

        def pullback(y_bars: Sequence[Any]) -> list[Any]:
            x_bars = rule_pullback(y_bars[0])
            if not isinstance(x_bars, tuple | list) or len(x_bars) != 1 + len(args):
                raise wrong_cotangents(f, args, x_bars)
            return [projected(project, x_bars[place]) for place, project in projections]

        return Outcome([y], None, 0), pullback


def argument_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], is_tensor: Callable[[Any], bool]
) -> tuple[list[Any], ArgumentCall] | None:
    """The tensors in a call of a function without any, and the call; `None` if others may be elsewhere."""
    if kwargs and not all(map(is_constant, kwargs.values())):
        return None
    tensors: list[Any] = []
    places: list[int] = []
    rest: list[Any] = []
    for place, x in enumerate(args):
        if is_tensor(x):
            tensors.append(x)
            places.append(place)
            rest.append(None)
        elif is_constant(x):
            rest.append(x)
        else:
            return None
    holes = {1: {place: number for number, place in enumerate(places)}} if places else {}
    return tensors, ArgumentCall(f, tuple(rest), kwargs, holes, places, closure=bound_closure(f))
