"""Rules for the methods of arrays, called by their names in the class: by the rules of NumPy's functions.

Attributes are no functions: ``getattr(x, "T")`` has rules of its own. A change in place cannot be
differentiated.
"""

import operator
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.makers.aliases import alias_rule, method_rule
from chainrules.makers.linear_rules import linear_rule
from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules.makers.versions import present
from chainrules.operations.casting import astype
from chainrules.values.operands import ArrayOperand
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, ProjectTo, frule, non_differentiable, rrule, typeof_

# --- Methods that take their arguments as the function of the same name does ------------------------

for name in (
    *("all", "any", "argmax", "argmin", "argpartition", "argsort", "nonzero", "searchsorted"),
    *("conj", "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "max", "mean"),
    *("min", "prod", "ravel", "repeat", "round", "squeeze", "std", "sum", "swapaxes", "take", "trace", "var"),
):
    alias_rule(getattr(np.ndarray, name), getattr(np, name))
alias_rule(np.ndarray.astype, astype)


@frule.dispatch
def flatten_frule(tangents: Any, f: typeof_(np.ndarray.flatten), x: ArrayOperand, *order: Any, **named: Any):
    y, y_dot = frule.unchecked(tangents, np.ravel, x, *order, **named)
    return y.copy(), y_dot  # the method always copies


@rrule.dispatch
def flatten_rrule(f: typeof_(np.ndarray.flatten), x: ArrayOperand, *order: Any, **named: Any):
    y, pullback = rrule.unchecked(np.ravel, x, *order, **named)
    return y.copy(), pullback


# --- Methods that take them in another way ----------------------------------------------------------


def _one_or_several(*lengths: Any) -> tuple[Any, ...]:
    """A shape may be given as one argument or as several."""
    return lengths if len(lengths) == 1 else (lengths,)


def _axes_argument(*axes: Any) -> tuple[Any, ...]:
    return _one_or_several(*axes) if axes else ()


# A method may be given the lower bound alone, which the function refuses.


@frule.dispatch
def clip_frule(tangents: Any, f: typeof_(np.ndarray.clip), x: ArrayOperand, *bounds: Any, **named: Any):
    dots = (*tangents, NO_TANGENT) if len(bounds) == 1 else tangents
    return frule.unchecked(dots, np.clip, x, *_both_bounds(bounds, named), **named)


@rrule.dispatch
def clip_rrule(f: typeof_(np.ndarray.clip), x: ArrayOperand, *bounds: Any, **named: Any):
    y, pullback = rrule.unchecked(np.clip, x, *_both_bounds(bounds, named), **named)
    return y, lambda y_bar: pullback(y_bar)[: 2 + len(bounds)]


def _both_bounds(bounds: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """The bounds by position, if there is one: beside it, the function takes none by keyword."""
    return (*bounds, named.pop("max", None)) if len(bounds) == 1 else bounds


@frule.dispatch
def compress_frule(
    tangents: Any,
    f: typeof_(np.ndarray.compress),
    x: ArrayOperand,
    condition: Any,
    *options: Any,
    **named: Any,
):
    f_dot, x_dot, condition_dot, *dots = tangents
    return frule.unchecked((f_dot, condition_dot, x_dot, *dots), np.compress, condition, x, *options, **named)


@rrule.dispatch
def compress_rrule(
    f: typeof_(np.ndarray.compress), x: ArrayOperand, condition: Any, *options: Any, **named: Any
):
    y, pullback = rrule.unchecked(np.compress, condition, x, *options, **named)

    def compress_pullback(y_bar):
        f_bar, condition_bar, x_bar, *bars = pullback(y_bar)
        return f_bar, x_bar, condition_bar, *bars

    return y, compress_pullback


method_rule(np.ndarray.reshape, np.reshape, _one_or_several)
method_rule(np.ndarray.transpose, np.transpose, _axes_argument)

# The choices may be given as one sequence or as several arguments.


@frule.dispatch
def choose_frule(tangents: Any, f: typeof_(np.ndarray.choose), index: Any, *choices: Any, **named: Any):
    dots = tangents[2:]
    xs, dots = (choices[0], dots[0]) if len(choices) == 1 else (choices, dots)
    return frule.unchecked((NO_TANGENT, NO_TANGENT, dots), np.choose, index, xs, **named)


@rrule.dispatch
def choose_rrule(f: typeof_(np.ndarray.choose), index: Any, *choices: Any, **named: Any):
    xs = choices[0] if len(choices) == 1 else list(choices)
    y, pullback = rrule.unchecked(np.choose, index, xs, **named)

    def choose_pullback(y_bar):
        bars = pullback(y_bar)[2]
        return NO_TANGENT, NO_TANGENT, *((bars,) if len(choices) == 1 else bars)

    return y, choose_pullback


# --- Methods that give numbers ----------------------------------------------------------------------


def _item_back(y_bar: Any, shape: tuple[int, ...], *index: Any) -> Any:
    return returned(y_bar, shape, places_in(shape).item(*index))


linear_rule(np.ndarray.item, _item_back)
alias_rule(np.ndarray.__getitem__, operator.getitem)


@frule.dispatch
def tolist_frule(tangents: Any, f: typeof_(np.ndarray.tolist), x: ArrayOperand):
    return x.tolist(), ProjectTo(x.tolist())(tangents[1])


@rrule.dispatch
def tolist_rrule(f: typeof_(np.ndarray.tolist), x: ArrayOperand):
    y = x.tolist()
    project = ProjectTo(x)

    def tolist_pullback(y_bar):
        return NO_TANGENT, project(tangent_as_array(y, y_bar))

    return y, tolist_pullback


# --- Methods that give bytes -------------------------------------------------------------------------

non_differentiable(np.ndarray.dump, np.ndarray.dumps, np.ndarray.tobytes, np.ndarray.tofile)
non_differentiable(*present(np.ndarray, "tostring"))  # until NumPy 2.2

# --- Methods that work in place ---------------------------------------------------------------------

refuse_mutation(np.ndarray.fill, object, "Write `np.full_like(x, value)`.")
refuse_mutation(np.ndarray.put, object, "Build a new array, with `np.where` for one.")
refuse_mutation(np.ndarray.sort, object, "Write `np.sort(x)`.")
refuse_mutation(np.ndarray.partition, object, "Write `np.partition(x, kth)`.")
refuse_mutation(np.ndarray.resize, object, "Write `np.resize(x, shape)`, which is another function.")
refuse_mutation(np.ndarray.__setitem__, object, "Build a new array, with `np.where` for one.")
