"""Generating index arrays: integers, which have no derivatives."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.diag_indices, np.diag_indices_from, np.mask_indices, np.indices)
non_differentiable(np.tril_indices, np.tril_indices_from, np.triu_indices, np.triu_indices_from)
non_differentiable(np.ravel_multi_index, np.unravel_index)
non_differentiable(np.ndindex)
