"""Rules for samples of the multivariate normal distribution.

With standard noise `e`: ``y = mean + L e`` for a factor ``L Lᵀ = cov``. Cholesky's factor, which
``method="cholesky"`` chooses, is smooth wherever `cov` is positive definite: ``y_dot = mean_dot + L_dot e``.
The default factor is made of singular vectors, which turn arbitrarily fast where singular values come close
to each other: its derivative by `cov` is `not_implemented`.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import transposed
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    frule,
    not_implemented,
    primal_of,
    rrule,
    sum_tangents,
    thunk,
    typeof_,
    unbroadcast,
)

BY_VECTORS = (
    "the singular vectors of `cov`, which the sample is made of, are no smooth function of it; draw with "
    '`rng.multivariate_normal(mean, cov, method="cholesky")` of a `numpy.random.Generator`'
)


def _multivariate_rules(primal: Any, owner: type) -> None:
    @frule.dispatch
    def multivariate_normal_frule(
        tangents: Any,
        f: typeof_(primal),
        rng: owner,
        mean: ArrayOperand,
        cov: ArrayOperand,
        *options: Any,
        **named: Any,
    ):
        mean_dot, cov_dot = tangents[2:4]
        offset, e = _draw(primal, rng, mean, cov, options, named)
        y = mean + offset
        terms = [mean_dot]
        if not isinstance(cov_dot, AbstractZero):
            terms.append(not_implemented(BY_VECTORS) if e is None else _push_deviation(cov, cov_dot, e))
        return y, sum_tangents(y, terms)

    @rrule.dispatch
    def multivariate_normal_rrule(
        f: typeof_(primal), rng: owner, mean: ArrayOperand, cov: ArrayOperand, *options: Any, **named: Any
    ):
        offset, e = _draw(primal, rng, mean, cov, options, named)

        def multivariate_normal_pullback(y_bar):
            cov_bar = (
                not_implemented(BY_VECTORS) if e is None else thunk(lambda: _pull_deviation(cov, y_bar, e))
            )
            none = (NO_TANGENT for _ in options)
            return NO_TANGENT, NO_TANGENT, unbroadcast(mean, y_bar), cov_bar, *none

        return mean + offset, multivariate_normal_pullback


def _draw(  # noqa: PLR0913, PLR0917 - a call and its arguments
    primal: Any, rng: Any, mean: Any, cov: Any, options: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Any]:
    """The difference of a sample from the mean, and the noise that it is made of if it is smooth."""
    centre, concrete = np.zeros_like(primal_of(mean)), primal_of(cov)
    if named.get("method") != "cholesky":
        return primal(rng, centre, concrete, *options, **named), None
    size = options[0] if options else named.get("size")
    primal(rng, centre, concrete, **{**named, "size": 0})  # raises NumPy's errors, and draws nothing
    shape = () if size is None else (size,) if isinstance(size, int | np.integer) else tuple(size)
    e = rng.standard_normal((*shape, len(centre)))
    return e @ transposed(np.linalg.cholesky(cov)), e


def _push_deviation(cov: Any, cov_dot: Any, e: Any) -> Any:
    _, L_dot = frule((NO_TANGENT, cov_dot), np.linalg.cholesky, cov)
    return e @ transposed(L_dot)


def _pull_deviation(cov: Any, y_bar: Any, e: Any) -> Any:
    n = np.shape(e)[-1]
    _, pullback = rrule(np.linalg.cholesky, cov)
    return pullback(transposed(np.reshape(y_bar, (-1, n))) @ np.reshape(e, (-1, n)))[1]


_multivariate_rules(np.random.Generator.multivariate_normal, np.random.Generator)
_multivariate_rules(np.random.RandomState.multivariate_normal, np.random.RandomState)
