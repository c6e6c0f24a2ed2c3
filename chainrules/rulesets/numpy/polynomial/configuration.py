"""How polynomials are printed: without derivative."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.polynomial.set_default_printstyle)
