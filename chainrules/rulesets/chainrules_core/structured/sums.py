"""The forward rule for sums of structured arrays.

In reverse, the rule for all arrays serves: it repeats the cotangent by a view, from which the projection
takes the elements that the matrix stores.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import read_reduction
from chainrules_core import frule, typeof_
from chainrules_core.structured import StructuredArray


@frule.dispatch
def sum_frule(tangents: Any, f: typeof_(np.sum), A: StructuredArray, *options: Any, **named: Any):
    read_reduction("np.sum", A, *options, **named)
    return np.sum(A, *options, **named), np.sum(tangents[1], *options, **named)
