"""How close is close enough, by the precision that a computation was done in."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_testutils.leaves import precision_of

# Relative and absolute at once: functions under test are expected to be of scale one.
TOLERANCES = {
    np.dtype(np.float64): 1e-9,
    np.dtype(np.float32): 1e-4,
    np.dtype(np.float16): 1e-2,
}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Two values are close if they differ by at most `atol`, or at most `rtol` times the larger of them."""

    rtol: float
    atol: float

    def allows(self, x: Any, y: Any) -> Any:
        """Whether two numbers, or the elements of two arrays, are close; an array is measured by its largest."""
        scale = max(_largest(x), _largest(y))
        with np.errstate(invalid="ignore"):
            return (x == y) | (np.abs(x - y) <= max(self.atol, self.rtol * scale))


def _largest(x: Any) -> float:
    magnitudes = np.abs(x)
    return float(np.max(magnitudes, initial=0.0, where=np.isfinite(magnitudes)))


def tolerance_for(xs: Any, rtol: float | None, atol: float | None) -> Tolerance:
    """What was asked for; where nothing was, what the lowest precision among `xs` allows."""
    default = TOLERANCES[precision_of(xs)]
    return Tolerance(default if rtol is None else rtol, default if atol is None else atol)
