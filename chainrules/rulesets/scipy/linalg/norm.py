"""Rules for norms of vectors and matrices; see `chainrules.makers.norms`."""

from typing import Any

from scipy.linalg import norm

from chainrules.makers.norms import Norm, norm_rules, read_norm


def _read(x: Any, ord=None, axis=None, keepdims: bool = False, check_finite: bool = True) -> Norm:  # noqa: A002 - SciPy's name
    return read_norm(x, ord, axis, keepdims)


norm_rules(norm, _read)
