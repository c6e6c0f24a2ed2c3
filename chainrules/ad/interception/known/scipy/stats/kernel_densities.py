"""Kernel density estimates, whose kernels are summed by compiled code.

The constructor is followed, and so are the integrals. The density of an estimate that holds traced values, or
at traced points, is the sum in NumPy's functions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules.numerics.kernel_densities import log_kernel_density


def _by_sums(of_log: Callable[[Any], Any]) -> Callable[[Any], Callable[..., Any]]:
    def wrapped(method: Any) -> Callable[..., Any]:
        followed = entered_if_traced(method)

        def call(self: Any, points: Any) -> Any:
            if not any(map(is_traced, (points, self.dataset, self.weights, self.cho_cov))):
                return followed(self, points)
            x = np.atleast_2d(points) if is_traced(points) else np.atleast_2d(np.asarray(points))
            if len(x) != self.d and len(x) == 1 and x.shape[1] == self.d:
                x = np.reshape(x, (self.d, 1))
            if len(x) != self.d:
                raise ValueError(f"points have dimension {len(x)}, dataset has dimension {self.d}")
            return of_log(log_kernel_density(x, self.dataset, self.weights, self.cho_cov))

        return call

    return wrapped


_OWNER = "scipy.stats._kde.gaussian_kde"
fact(f"{_OWNER}.evaluate", f"{_OWNER}.pdf", wrapped=_by_sums(np.exp))
fact(f"{_OWNER}.logpdf", wrapped=_by_sums(lambda y: y))
