"""What rules are checked for whose arguments or results are several arrays, in lists and tuples."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule


def check_several(f, *args, **fkwargs):
    """Check both modes of a call in both precisions, and the derivatives of the pullback."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, order=2)
    singles = tuple(map(_in_single_precision, args))
    test_frule(f, *singles, fkwargs=fkwargs)
    test_rrule(f, *singles, fkwargs=fkwargs, mode="fast")


def _in_single_precision(x):
    if isinstance(x, list | tuple):
        return type(x)(map(_in_single_precision, x))
    if not isinstance(x, np.ndarray) or x.dtype not in (float, complex):
        return x
    return x.astype(np.float32 if x.dtype == float else np.complex64)
