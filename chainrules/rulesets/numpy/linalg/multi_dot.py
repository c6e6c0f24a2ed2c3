"""Rules for the product of several matrices.

The cotangent of one factor is ``Lᴴ C_bar Rᴴ`` where ``L`` and ``R`` are the products of the factors on its
left and on its right; Giles 2008, section 2.2.2. Each product is again computed in the order that costs
least.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from chainrules.values.lazy_arrays import refuse_lazy_cotangent, refuse_lazy_items
from chainrules.values.named_results import tangent_of_results
from chainrules.values.operands import refuse_out
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, rrule, thunk, typeof_

if TYPE_CHECKING:
    Arrays = Any
else:
    Arrays = list | tuple


@frule.dispatch
def multi_dot_frule(tangents, f: typeof_(np.linalg.multi_dot), arrays: Arrays, **named):
    refuse_out("np.linalg.multi_dot", named.get("out"))
    refuse_lazy_items("np.linalg.multi_dot", arrays)
    y = np.linalg.multi_dot(arrays)
    arrays_dot = tangents[1]
    terms = [
        np.linalg.multi_dot([*arrays[:place], x_dot, *arrays[place + 1 :]])
        for place, x_dot in enumerate(arrays_dot)
        if not isinstance(x_dot, AbstractZero)
    ]
    return y, sum(terms[1:], terms[0]) if terms else ZeroTangent()


@rrule.dispatch
def multi_dot_rrule(f: typeof_(np.linalg.multi_dot), arrays: Arrays, **named):
    refuse_out("np.linalg.multi_dot", named.get("out"))
    refuse_lazy_items("np.linalg.multi_dot", arrays)
    matrices = [np.expand_dims(arrays[0], 0) if len(shape_of(arrays[0])) == 1 else arrays[0], *arrays[1:]]
    if len(shape_of(arrays[-1])) == 1:
        matrices[-1] = np.expand_dims(arrays[-1], 1)
    shape = shape_of(matrices[0])[:1] + shape_of(matrices[-1])[1:]

    def multi_dot_pullback(y_bar):
        refuse_lazy_cotangent("np.linalg.multi_dot", y_bar)
        Y_bar = np.reshape(y_bar, shape)
        bars = (
            thunk(_factor_cotangent, arrays[place], matrices, place, Y_bar) for place in range(len(arrays))
        )
        return NO_TANGENT, tangent_of_results(arrays, *bars)

    return np.linalg.multi_dot(arrays), multi_dot_pullback


def _factor_cotangent(x, matrices: list[Any], place: int, Y_bar):
    """The cotangent of the factor `x`."""
    left, right = ([adjoint(A) for A in part[::-1]] for part in (matrices[:place], matrices[place + 1 :]))
    return ProjectTo(x)(np.reshape(np.linalg.multi_dot([*left, Y_bar, *right]), shape_of(x)))
