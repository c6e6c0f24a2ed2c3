"""Distances of all pairs of points: what the rules of `cdist` and `pdist` do not take.

These are metrics of the user, which SciPy calls in a loop that keeps numbers, and weights and parameters
that have derivatives, which are given by keyword.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.ruled_calls import ruled_in_scipy
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _by_rules_or(form: str, of_calls: Callable[..., Any]) -> Callable[[Any], Callable[..., Any]]:
    """What makes the function for the place of `cdist` or `pdist`.

    Parameters
    ----------
    form
        The name of the function for metrics of SciPy, in `chainrules.numerics.distances`.
    of_calls
        The function for metrics of the user.
    """

    def wrapped(f: Any) -> Callable[..., Any]:
        # It takes long to import, and only whoever differentiates distances needs it.
        from chainrules.numerics import distances  # noqa: PLC0415 - as said above

        def call(*args: Any, metric: Any = "euclidean", out: Any = None, **options: Any) -> Any:
            points = args[: 1 + (form == "between")]
            (metric,) = args[len(points) :] or (metric,)
            name = distances.name_of(metric)
            if name is not None:
                y = choose(getattr(distances, form))(*points, name=name, **options)
            elif callable(metric):
                y = of_calls(*points, choose(metric), options)
            else:
                return f(*map(primal_of, points), metric)  # an error
            if out is None:
                return y
            out[...] = y
            return out

        return ruled_in_scipy(f, entered_if_traced(f, call))

    return wrapped


def _between(XA: Any, XB: Any, metric: Any, options: Any) -> Any:
    return np.stack([np.stack([metric(u, v, **options) for v in XB]) for u in XA]) * np.float64(1.0)


def _among(X: Any, metric: Any, options: Any) -> Any:
    pairs = zip(*np.triu_indices(len(X), 1), strict=True)
    return np.stack([metric(X[i], X[j], **options) for i, j in pairs]) * np.float64(1.0)


fact(
    *(
        "scipy.spatial._kdtree.KDTree.sparse_distance_matrix",
        "scipy.spatial._ckdtree.cKDTree.sparse_distance_matrix",
    ),
    refused="Its sparse table has no rule: write `scipy.spatial.distance.cdist`, or the `query` of a tree.",
)
fact("scipy.spatial.distance.cdist", wrapped=_by_rules_or("between", _between))
fact("scipy.spatial.distance.pdist", wrapped=_by_rules_or("among", _among))
