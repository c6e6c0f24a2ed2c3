"""Functions that answer with truth values: none is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.all, np.any, np.isfinite, np.isinf, np.isnan, np.isnat, np.isneginf, np.isposinf)
non_differentiable(np.iscomplex, np.iscomplexobj, np.isreal, np.isrealobj, np.isfortran, np.isscalar)
non_differentiable(np.logical_and, np.logical_or, np.logical_not, np.logical_xor)
non_differentiable(np.allclose, np.isclose, np.array_equal, np.array_equiv)
non_differentiable(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
