"""Functions that ask for the form of sparse matrices, or choose a solver: nothing has a derivative."""

import scipy.sparse.linalg

from chainrules.makers.versions import present
from chainrules_core import non_differentiable

for _function in present(scipy.sparse.linalg, "is_sptriangular", "spbandwidth", "use_solver"):
    non_differentiable(_function)
