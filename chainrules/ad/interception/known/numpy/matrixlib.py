"""NumPy's matrices."""

import numpy as np

from chainrules.ad.values.facts import fact

_INSTEAD = "NumPy's matrices have no derivative: write arrays, `np.asarray(M)`, and `@` for their product."

fact("numpy.matrixlib", refused=_INSTEAD)
fact(np.matrix, refused_values=_INSTEAD)
fact(np.bmat, refused="It makes one of NumPy's matrices, which have no derivative: write `np.block`.")
