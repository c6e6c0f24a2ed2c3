"""Functions that stand for NumPy's, which have rules, and call code in C; SciPy brings others along."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.array_api_compat import solving
from chainrules.ad.values.facts import fact

_PATHS = ("array_api_compat.numpy.linalg", "sklearn.externals.array_api_compat.numpy.linalg")


def _decomposing(eig: Any) -> Callable[..., Any]:
    """The function for the place of `eig`, which is NumPy's, and complex for all matrices."""

    def call(x: Any, /) -> Any:
        y = np.linalg.eig(x)
        return type(y)(*map(_complex, y))

    return entered_if_traced(eig, call)


def _finding_values(eigvals: Any) -> Callable[..., Any]:
    """The same for `eigvals`."""

    def call(x: Any, /) -> Any:
        return _complex(np.linalg.eigvals(x))

    return entered_if_traced(eigvals, call)


def _complex(x: Any) -> Any:
    return x.astype(np.result_type(x.dtype, np.complex64), copy=False)


fact(*(f"{path}.solve" for path in _PATHS), wrapped=solving)
fact(*(f"{path}.eig" for path in _PATHS), wrapped=_decomposing)
fact(*(f"{path}.eigvals" for path in _PATHS), wrapped=_finding_values)
