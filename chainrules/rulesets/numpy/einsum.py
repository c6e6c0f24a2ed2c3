"""Rules for Einstein sums.

An Einstein sum is linear in each operand, and the cotangent of an operand is another Einstein sum: see
`chainrules.formulas.arrays.einstein_sums`.
"""

import numpy as np

from chainrules.formulas.arrays.einstein_sums import is_large, pullback_of_einsum
from chainrules.shortcuts.numpy.einsum import einsum_of_plain
from chainrules.values.reductions import read_reduction
from chainrules.values.several_arrays import shapes_of
from chainrules.values.subscripts import read_subscripts
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    frule,
    non_differentiable,
    rrule,
    shortened_by,
    sum_tangents,
    typeof_,
)

non_differentiable(np.einsum_path)


@frule.dispatch
def einsum_frule(tangents, f: typeof_(np.einsum), *arguments, **named):
    _refuse_writing(**named)
    y = np.einsum(*arguments, **named)
    terms = []
    for place in read_subscripts(arguments).places:
        x_dot = tangents[1 + place]
        if not isinstance(x_dot, AbstractZero):
            moved = (*arguments[:place], x_dot, *arguments[place + 1 :])
            terms.append(np.einsum(*moved, **named))
    return y, sum_tangents(y, terms or [NO_TANGENT])


@rrule.dispatch
@shortened_by(einsum_of_plain)
def einsum_rrule(f: typeof_(np.einsum), *arguments, **named):
    _refuse_writing(**named)
    subscripts = read_subscripts(arguments)
    # A path that was given is one for the result; its cotangents have their own.
    optimize = bool(named.get("optimize", False)) or is_large(
        subscripts, shapes_of(arguments[place] for place in subscripts.places)
    )
    y = np.einsum(*arguments, **{"optimize": optimize, **named})
    return y, pullback_of_einsum(arguments, subscripts, optimize)


def _refuse_writing(out=None, dtype=None, **_) -> None:
    read_reduction("np.einsum", 0.0, dtype=dtype, out=out)
