"""The rank of matrices, which is constant between jumps."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.linalg.matrix_rank)
