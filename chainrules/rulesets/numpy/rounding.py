"""Rounding: constant between jumps, so that derivatives are zero."""

import numpy as np

from chainrules.makers.versions import present
from chainrules_core import non_differentiable

non_differentiable(np.round, np.around, np.rint, np.floor, np.ceil, np.trunc)
non_differentiable(*present(np, "fix"))  # deprecated in NumPy 2.5
