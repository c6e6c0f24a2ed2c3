"""Rules for random choices among elements, and for their order.

The elements of the result are elements of the array: their tangents go where they go, and their cotangents go
back. Drawing from the places of the elements instead of the elements tells which ones were picked.
"""

from numbers import Integral
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.values.operands import ArrayOperand, refuse_out
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    define,
    non_differentiable,
    not_implemented,
    primal_of,
    typeof_,
)

CHOICE = (
    "which elements are picked jumps with their probabilities; the derivative of the mean is another "
    "thing: use a score function, or a continuous relaxation"
)


def _selection_rules(primal: Any, owner: type) -> None:
    """Define the rules of a method that picks elements of an array; numbers stand for ranges of integers."""
    non_differentiable(primal, owner, Integral, varargs=object)

    def picked(rng, x, options, named):
        refuse_out(f"{owner.__name__}.{primal.__name__}", named.get("out"))
        places = primal(rng, _places_in_memory(primal_of(x)), *options, **named)
        return _elements(x, places), places

    def selection_frule(tangents, f: typeof_(primal), rng: owner, x: ArrayOperand, *options, **named):
        x_dot = tangents[2]
        y, places = picked(rng, x, options, named)
        return y, x_dot if isinstance(x_dot, AbstractZero) else _elements(x_dot, places)

    def selection_rrule(f: typeof_(primal), rng: owner, x: ArrayOperand, *options, **named):
        y, places = picked(rng, x, options, named)
        project, shape = ProjectTo(x), shape_of(x)

        def selection_pullback(y_bar):
            x_bar = project(returned(y_bar, shape, places))
            return NO_TANGENT, NO_TANGENT, x_bar, *map(_option_bar, options)

        return y, selection_pullback

    define(selection_frule, selection_rrule)


def _places_in_memory(x: Any) -> Any:
    """The places of the elements of an array, in its layout in memory, which `permuted` follows."""
    places = np.empty_like(x, dtype=np.intp)
    places[...] = places_in(x.shape)
    return places


def _elements(x: Any, places: Any) -> Any:
    return np.reshape(x, (-1,))[places]


def _option_bar(option: Any) -> Any:
    """The probabilities of elements are the only option that is an array."""
    return not_implemented(CHOICE) if isinstance(primal_of(option), np.ndarray | list) else NO_TANGENT


_selection_rules(np.random.Generator.choice, np.random.Generator)
_selection_rules(np.random.Generator.permutation, np.random.Generator)
_selection_rules(np.random.Generator.permuted, np.random.Generator)
_selection_rules(np.random.RandomState.choice, np.random.RandomState)
_selection_rules(np.random.RandomState.permutation, np.random.RandomState)
