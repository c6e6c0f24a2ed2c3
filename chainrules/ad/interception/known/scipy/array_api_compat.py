"""Functions that SciPy brings along to stand for NumPy's, and that call code in C: NumPy's have rules."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def solving(solve: Any) -> Callable[..., Any]:
    """The function for the place of `array_api_compat.numpy.linalg.solve`, which NumPy's is since 2.0."""

    def call(x1: Any, x2: Any, /) -> Any:
        return np.linalg.solve(x1, x2)

    return entered_if_traced(solve, call)


def _converting(asarray: Any) -> Callable[..., Any]:
    """The function for the place of `array_api_compat.numpy.asarray`, to which an array is itself."""
    otherwise = entered_if_traced(asarray)

    def call(x: Any, /, **options: Any) -> Any:
        if x.__class__ is TracedValue and not options:
            inner = primal_of(x)
            while inner is not primal_of(inner):
                inner = primal_of(inner)
            if inner.__class__ is np.ndarray:
                return x
        return otherwise(x, **options)

    return call


fact(
    "scipy._lib.array_api_compat.numpy._aliases.asarray",
    "scipy._external.array_api_compat.numpy._aliases.asarray",  # since SciPy 1.18
    wrapped=_converting,
)
fact(
    "scipy._lib.array_api_compat.numpy.linalg.solve",
    "scipy._external.array_api_compat.numpy.linalg.solve",  # since SciPy 1.18
    wrapped=solving,
)
