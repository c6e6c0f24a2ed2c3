"""Covariance matrices of SciPy's distributions of vectors, as Cholesky factors where they are traced.

SciPy decomposes them into eigenvalues and eigenvectors. The latter have no derivative where eigenvalues are
equal, as those of an identity are, although densities have one: they need no more than some `U` with ``U Uᵀ =
M⁻¹``, such as ``L⁻ᵀ`` of the Cholesky factor ``M = L Lᵀ``, and ``log det M``. As with SciPy's, only the lower
triangle of `M` is read. SciPy is not imported: the class is known by its name.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced, is_to_be_followed
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.tracing import innermost_trace, is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _in_place_of_init(init: Any) -> Callable[..., Any]:
    def initialize(self: Any, M: Any, *args: Any, **kwargs: Any) -> None:
        init(self, primal_of(M), *args, **kwargs)
        trace = innermost_trace((M,))
        if trace is None or trace.is_constant:
            return
        n = len(self._M)
        if self.rank < n:
            raise np.linalg.LinAlgError(
                f"The covariance matrix has rank {self.rank} of {n}: the density on the subspace that it "
                "spans has no derivative by the matrix. Add a multiple of the identity, or differentiate by "
                "the mean and the points alone."
            )
        factor = np.linalg.cholesky(M)
        self._M, self.U = M, np.linalg.inv(factor).T
        self.log_pdet = 2.0 * np.sum(np.log(np.diagonal(factor)))

    return initialize


def _of_frozen(method: Any) -> Callable[..., Any]:
    """A method of a frozen distribution: where its parameters are traced, that of the distribution itself."""
    otherwise = ruled(method, entered_if_traced(method))
    name = method.__name__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        covariance = self.cov_object
        if type(covariance).__name__ == "CovViaPSD" and is_traced((self.mean, covariance.covariance)):
            unfrozen = getattr(type(self._dist), name)
            options = {} if name == "entropy" else {"allow_singular": self.allow_singular}
            parameters = {"mean": self.mean, "cov": covariance.covariance, **options}
            return ruled(unfrozen, entered_if_traced(unfrozen))(self._dist, *args, **kwargs, **parameters)
        if is_to_be_followed(covariance):
            return (entered(method) or method)(self, *args, **kwargs)
        return otherwise(self, *args, **kwargs)

    return call


fact("scipy.stats._multivariate._PSD.__init__", wrapped=_in_place_of_init)
fact(
    *(
        f"scipy.stats._multivariate.multivariate_normal_frozen.{name}"
        for name in ("logpdf", "pdf", "cdf", "logcdf", "entropy")
    ),
    wrapped=_of_frozen,
)
