"""Functions that write into arrays: their rules refuse, since writing leaves no trace in an array."""

import numpy as np

from chainrules.makers.mutation_refusals import refuse_mutation

_NEW_ARRAY = "Build a new array, with `np.where` for one."

refuse_mutation(
    np.copyto,
    object,
    f"{_NEW_ARRAY} `np.full` and `np.full_like` call it too: write `call(np.full_like, a, x)`, of "
    "`chainrules.ad`.",
)
refuse_mutation(np.fill_diagonal, object, "Write `np.where(np.eye(n, dtype=bool), value, x)`.")
refuse_mutation(np.place, object, _NEW_ARRAY)
refuse_mutation(np.put, object, _NEW_ARRAY)
refuse_mutation(np.put_along_axis, object, _NEW_ARRAY)
refuse_mutation(np.putmask, object, _NEW_ARRAY)
