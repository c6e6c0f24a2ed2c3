"""Functions that ask for the shape and type of a value: none is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.shape, np.ndim, np.size, np.result_type, np.broadcast_shapes, np.iterable)
