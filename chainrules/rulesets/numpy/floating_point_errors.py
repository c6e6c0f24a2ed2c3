"""Floating point error handling: settings, which have no derivatives."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.seterr, np.geterr, np.seterrcall, np.geterrcall)
non_differentiable(np.errstate)
