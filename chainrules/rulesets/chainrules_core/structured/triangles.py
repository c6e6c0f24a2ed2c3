"""The reverse rule for the triangles of structured arrays, which may be structures of another kind.

Forwards, the rule for all arrays serves.
"""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, ProjectTo, primal_of, rrule, to_natural, typeof_
from chainrules_core.structured import StructuredArray


def _triangle_rule(primal: Any) -> None:
    @rrule.dispatch
    def triangle_rrule(f: typeof_(primal), A: StructuredArray, *options: int, **named: int):
        y, project = primal(A, *options, **named), ProjectTo(A)

        def triangle_pullback(y_bar):
            y_bar = to_natural(primal_of(y), y_bar)
            A_bar = project(primal(y_bar, *options, **named))
            return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

        return y, triangle_pullback


_triangle_rule(np.tril)
_triangle_rule(np.triu)
