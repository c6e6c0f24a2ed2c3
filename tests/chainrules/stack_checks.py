"""What functions of matrices are checked for: they take stacks, whose matrices are the last two axes."""

import numpy as np


def check_stacks(f, *args):
    """Check that a function gives for stacks of matrices, or of vectors, what it gives for each of them."""
    alone, stacked = f(*args), f(*map(_stack, args))
    if not isinstance(alone, tuple):
        alone, stacked = (alone,), (stacked,)
    for one, several in zip(alone, stacked, strict=True):
        np.testing.assert_allclose(several, _stack(one), rtol=1e-12, atol=1e-13)


def _stack(x):
    """An array twice, in a stack with three axes: no axis has the same number from both ends."""
    return np.stack(([[x]], [[x]]))
