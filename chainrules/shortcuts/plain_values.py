"""The classes of values that shortcuts look for."""

from typing import Any

import numpy as np

# The classes of arrays, and of sums and products of arrays of floats: their instances have a dtype.
HAVE_DTYPES: frozenset[Any] = frozenset({np.ndarray, np.float64})
