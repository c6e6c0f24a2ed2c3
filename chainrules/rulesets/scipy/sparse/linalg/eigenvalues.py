"""Rules for some eigenvalues and eigenvectors of large matrices; see `chainrules.formulas.partial_spectra`.

Eigenvalues have to be simple. Which pairs are computed, and where the iteration begins, is held fixed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import eigs, eigsh, lobpcg

from chainrules.formulas.partial_spectra import pull_pair, push_pair
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

# The options in the order in which SciPy takes them, behind the matrix.
_OF_ARNOLDI = (
    "k",
    "M",
    "sigma",
    "which",
    "v0",
    "ncv",
    "maxiter",
    "tol",
    "return_eigenvectors",
    "Minv",
    "OPinv",
)
_OF_LOBPCG = ("X", "B", "M", "Y", "tol", "maxiter", "largest", "verbosityLevel")


def _rules(function: Callable[..., Any], names: tuple[str, ...], metric: str, is_hermitian: bool) -> None:
    """Both modes.

    Parameters
    ----------
    function
        What computes the eigenpairs.
    names
        Its options.
    metric
        Which of them is the matrix on the other side of a generalised problem.
    is_hermitian
        Whether the problem is.
    """
    solve = primitive(function)

    def solved(A: Any, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any, Any, bool]:
        """The eigenvalues and vectors, the other matrix, and whether both are in the result."""
        options = dict(zip(names, args, strict=False)) | named
        has_vectors = options.get("return_eigenvectors", True)
        if has_vectors:
            w, V = solve(A, **options)
        else:
            w, V = solve(A, **{**options, "return_eigenvectors": True})
            order = _order_of(primal_of(w), function(primal_of(A), **_primals(options)))
            w, V = w[order], V[:, order]
        return w, V, options.get(metric), has_vectors

    @frule.dispatch
    def eigen_frule(tangents: Any, f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        A_dot = unthunk(tangents[1])
        M_dot = unthunk(dict(zip(names, tangents[2:], strict=False)).get(metric, NO_TANGENT))
        w, V, M, has_vectors = solved(A, args, named)
        y = (w, V) if has_vectors else w
        if isinstance(A_dot, AbstractZero) and isinstance(M_dot, AbstractZero):
            return y, NO_TANGENT
        dots = [push_pair(pair, (A, M), (A_dot, M_dot), is_hermitian) for pair in _pairs(w, V)]
        w_dot = np.stack([value_dot for value_dot, _ in dots])
        if not has_vectors:
            return w, w_dot
        return y, Tangent[tuple](w_dot, np.stack([v_dot for _, v_dot in dots], axis=1))

    @rrule.dispatch
    def eigen_rrule(f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        w, V, M, has_vectors = solved(A, args, named)
        y = (w, V) if has_vectors else w

        def eigen_pullback(y_bar: Any) -> Any:
            w_bar, V_bar = cotangents_of_results(y, y_bar) if has_vectors else (unthunk(y_bar), NO_TANGENT)
            A_bar, M_bar = NO_TANGENT, NO_TANGENT
            if not (isinstance(w_bar, AbstractZero) and isinstance(V_bar, AbstractZero)):
                bars = [
                    pull_pair(pair, (A, M), pair_bar, is_hermitian)
                    for pair, pair_bar in zip(
                        _pairs(w, V), _pairs(w_bar, V_bar, len(primal_of(w))), strict=True
                    )
                ]
                A_bar = sum((bar for bar, _ in bars[1:]), start=bars[0][0])
                M_bar = NO_TANGENT if M is None else sum((bar for _, bar in bars[1:]), start=bars[0][1])
            return (
                NO_TANGENT,
                A_bar,
                *(M_bar if name == metric else NO_TANGENT for name in names[: len(args)]),
            )

        return y, eigen_pullback


def _pairs(w: Any, V: Any, number: int | None = None) -> list[tuple[Any, Any]]:
    """Each eigenvalue with its vector, or the parts of their cotangents, which may be zeros."""
    number = shape_of(w)[0] if number is None else number
    return [
        (w if isinstance(w, AbstractZero) else w[i], V if isinstance(V, AbstractZero) else V[:, i])
        for i in range(number)
    ]


def _order_of(w: Any, values: Any) -> Any:
    """Where in `w` the values are: SciPy sorts them in another way if it returns no vectors."""
    return np.argmin(np.abs(w - np.asarray(values)[:, None]), axis=1)


def _primals(options: dict[str, Any]) -> dict[str, Any]:
    return {name: primal_of(value) for name, value in options.items()}


_rules(eigsh, (*_OF_ARNOLDI, "mode"), "M", is_hermitian=True)
_rules(eigs, (*_OF_ARNOLDI, "OPpart"), "M", is_hermitian=False)
_rules(lobpcg, _OF_LOBPCG, "B", is_hermitian=True)
