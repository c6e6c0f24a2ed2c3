"""The classes of values that shortcuts look for."""

from typing import Any

import numpy as np

# Of arrays, and of sums and products of arrays of floats: those whose instances have a dtype.
HAVE_DTYPES: frozenset[Any] = frozenset({np.ndarray, np.float64})
