"""Functions that ask for the shape and type of an array: none is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.shape, np.ndim, np.size, np.result_type)
