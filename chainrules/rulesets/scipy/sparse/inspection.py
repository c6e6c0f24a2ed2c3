"""Functions that make constant sparse arrays, or ask for their class: nothing varies with a derivative."""

import scipy.sparse

from chainrules.makers.versions import present
from chainrules_core import non_differentiable

for _function in present(
    scipy.sparse,
    *("eye", "eye_array", "identity", "rand", "random", "random_array"),
    *("get_index_dtype", "safely_cast_index_arrays", "issparse", "isspmatrix"),
    *(f"isspmatrix_{_format}" for _format in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")),
):
    non_differentiable(_function)
