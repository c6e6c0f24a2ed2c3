"""SciPy's sparse arrays and matrices: their classes, and the methods of one name in all of them."""

from collections.abc import Callable
from typing import Any

import scipy.sparse
from scipy.sparse import sparray, spmatrix

# The annotation of sparse arguments. Neither class is a subclass of `AbstractArray`, so that a rule takes a
# precedence to be more specific than one for arrays of all kinds.
Sparse = sparray | spmatrix

CLASSES: tuple[type[Any], ...] = tuple(
    getattr(scipy.sparse, f"{name}_{kind}")
    for name in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
    for kind in ("array", "matrix")
)


def methods(name: str) -> list[Callable[..., Any]]:
    """The functions that are called `name` in SciPy's classes, each once."""
    return list(dict.fromkeys(getattr(cls, name) for cls in CLASSES if hasattr(cls, name)))
