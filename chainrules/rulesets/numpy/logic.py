"""Functions that answer with truth values: none is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.all, np.any, np.isfinite, np.isinf, np.isnan, np.iscomplexobj, np.isrealobj)
non_differentiable(np.logical_and, np.logical_or, np.logical_not, np.logical_xor)
non_differentiable(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
