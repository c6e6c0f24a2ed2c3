"""Rules for items of arrays, tuples, lists and dicts, and for joining and repeating sequences."""

import operator

import numpy as np

from chainrules.makers.rearrangements import ALL, moved, moved_back
from chainrules.operations.scatter import scattering_thunk
from chainrules.shortcuts.operator.items import item_of_plain
from chainrules.values.iterables import dict_tangent
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    shortened_by,
    typeof_,
    unbroadcast,
)

# --- getitem of an array -----------------------------------------------------------------------------------


@frule.dispatch
def getitem_frule(tangents, f: typeof_(operator.getitem), x: ArrayOperand, index):
    return x[index], tangents[1][index]


@rrule.dispatch
@shortened_by(item_of_plain)
def getitem_rrule(f: typeof_(operator.getitem), x: ArrayOperand, index):
    y = x[index]
    like_x = primal_of(x)

    def getitem_pullback(y_bar):
        y_bar = unbroadcast(y, y_bar)
        return NO_TANGENT, scattering_thunk(y_bar, like_x, index), NO_TANGENT

    return y, getitem_pullback


# --- getitem of one of NumPy's numbers: `x[()]`, `x[...]`, `x[None]` ----------------------------------------


@frule.dispatch
def getitem_of_number_frule(tangents, f: typeof_(operator.getitem), x: np.number, index):
    y = operator.getitem(x, index)  # type: ignore[call-overload]  # NumPy does not say so of its numbers
    return y, ProjectTo(y)(np.broadcast_to(tangents[1], np.shape(primal_of(y))))


@rrule.dispatch
def getitem_of_number_rrule(f: typeof_(operator.getitem), x: np.number, index):
    project = ProjectTo(x)

    def getitem_pullback(y_bar):
        return NO_TANGENT, project(np.sum(y_bar)), NO_TANGENT

    return operator.getitem(x, index), getitem_pullback  # type: ignore[call-overload]  # likewise


# --- getitem of a container --------------------------------------------------------------------------------


@frule.dispatch
def getitem_of_sequence_frule(tangents, f: typeof_(operator.getitem), xs: tuple | list, index):
    return moved(tangents, operator.getitem, (xs, index), {})


@rrule.dispatch
def getitem_of_sequence_rrule(f: typeof_(operator.getitem), xs: tuple | list, index):
    return moved_back(operator.getitem, (xs, index), {})


@frule.dispatch
def getitem_of_dict_frule(tangents, f: typeof_(operator.getitem), xs: dict, key):
    return xs[key], tangents[1][key]


@rrule.dispatch
def getitem_of_dict_rrule(f: typeof_(operator.getitem), xs: dict, key):
    y = xs[key]
    project = ProjectTo(y)

    def getitem_pullback(y_bar):
        return NO_TANGENT, dict_tangent(type(xs), {key: project(y_bar)}), NO_TANGENT

    return y, getitem_pullback


non_differentiable(operator.getitem, str | bytes | range, object)

# --- Sequences joined and repeated -------------------------------------------------------------------------


def join(xs, ys):
    return xs + ys


def repeat(xs, n):
    return xs * n


@frule.dispatch
def join_frule(
    tangents, f: typeof_(operator.concat) | typeof_(operator.add), xs: tuple | list, ys: tuple | list
):
    return moved(tangents, join, (xs, ys), {}, ALL)


@rrule.dispatch
def join_rrule(f: typeof_(operator.concat) | typeof_(operator.add), xs: tuple | list, ys: tuple | list):
    return moved_back(join, (xs, ys), {}, ALL)


@frule.dispatch
def repeat_frule(tangents, f: typeof_(operator.mul), xs: tuple | list, n: int):
    return moved(tangents, repeat, (xs, n), {})


@rrule.dispatch
def repeat_rrule(f: typeof_(operator.mul), xs: tuple | list, n: int):
    return moved_back(repeat, (xs, n), {})


# --- The union of dicts ------------------------------------------------------------------------------------


@frule.dispatch
def union_frule(tangents, f: typeof_(operator.or_), xs: dict, ys: dict):
    _, xs_dot, ys_dot = tangents
    both = xs | ys
    return both, dict_tangent(type(both), {key: (ys_dot if key in ys else xs_dot)[key] for key in both})


@rrule.dispatch
def union_rrule(f: typeof_(operator.or_), xs: dict, ys: dict):
    both = xs | ys

    def union_pullback(both_bar):
        both_bar = ProjectTo(both)(both_bar)
        xs_bar = dict_tangent(type(xs), {key: both_bar[key] for key in xs if key not in ys})
        return NO_TANGENT, xs_bar, dict_tangent(type(ys), {key: both_bar[key] for key in ys})

    return both, union_pullback


# --- Functions without a derivative ------------------------------------------------------------------------

non_differentiable(operator.contains, operator.countOf, operator.indexOf, operator.length_hint)
