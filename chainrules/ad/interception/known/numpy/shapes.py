"""Functions that return an array that somebody holds, or a view of it.

Views do not depend on the elements, so that they can be taken again of other ones.
"""

import numpy as np

from chainrules.ad.values.facts import fact

# Some are younger than the oldest NumPy that is served, and some are the same under two names.
_VIEWS = """
    array_split broadcast_to diagonal dsplit expand_dims flip fliplr flipud hsplit imag matrix_transpose
    moveaxis permute_dims ravel reshape rollaxis rot90 split swapaxes transpose unstack vsplit
"""

fact(*{getattr(np, name) for name in _VIEWS.split() if hasattr(np, name)}, returns=("a view",))
fact(*(np.atleast_1d, np.atleast_2d, np.atleast_3d), returns=("its argument", "a view"))
fact(*(np.broadcast_arrays, np.real, np.squeeze), returns=("its argument", "a view"))
fact(np.real_if_close, returns=("its argument",))
