"""Functions that SciPy brings along to stand for NumPy's, and that call code in C: NumPy's have rules."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact


def solving(solve: Any) -> Callable[..., Any]:
    """The function for the place of `array_api_compat.numpy.linalg.solve`, which NumPy's is since 2.0."""

    def call(x1: Any, x2: Any, /) -> Any:
        return np.linalg.solve(x1, x2)

    return entered_if_traced(solve, call)


fact(
    "scipy._lib.array_api_compat.numpy.linalg.solve",
    "scipy._external.array_api_compat.numpy.linalg.solve",  # since SciPy 1.18
    wrapped=solving,
)
