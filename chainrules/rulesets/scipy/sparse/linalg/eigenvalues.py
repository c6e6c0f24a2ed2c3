"""Rules for some eigenvalues and eigenvectors of large matrices.

See `chainrules.formulas.spectra.partial_spectra`. Eigenvalues have to be simple. Which pairs are computed,
and where the iteration begins, is held fixed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import eigs, eigsh, lobpcg

from chainrules.formulas.spectra.partial_spectra import pull_pair, push_pair
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

# How far the same eigenvalues may be apart if they are computed twice, relative to the largest.
_SAME = 1e-4

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
    """Define both rules.

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

    def solved(A: Any, args: tuple[Any, ...], named: dict[str, Any]) -> _Solved:
        options = dict(zip(names, args, strict=False)) | named
        has_vectors = options.get("return_eigenvectors", True)
        w, V = primitive(function)(A, **options) if has_vectors else _pairs_of_values(function, A, options)
        M = options.get(metric)
        if options.get("mode") == "buckling" and options.get("sigma") is not None:
            return _Solved(_Buckling(w, V, A, M), has_vectors)
        return _Solved(_Problem(w, V, A, M, is_hermitian), has_vectors)

    @frule.dispatch
    def eigen_frule(tangents: Any, f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        M_dot = dict(zip(names, tangents[2:], strict=False)).get(metric, NO_TANGENT)
        pairs = solved(A, args, named)
        return pairs.result, pairs.push(unthunk(tangents[1]), unthunk(M_dot))

    @rrule.dispatch
    def eigen_rrule(f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        pairs = solved(A, args, named)

        def eigen_pullback(y_bar: Any) -> Any:
            A_bar, M_bar = pairs.pull(unthunk(y_bar))
            bars = (M_bar if name == metric else NO_TANGENT for name in names[: len(args)])
            return NO_TANGENT, A_bar, *bars

        return pairs.result, eigen_pullback


class _Solved(NamedTuple):
    """A problem, and whether the eigenvectors are in the result."""

    problem: "_Problem | _Buckling"
    has_vectors: bool

    @property
    def result(self) -> Any:
        """What SciPy returns."""
        w, V = self.problem[:2]
        return (w, V) if self.has_vectors else w

    def push(self, A_dot: Any, M_dot: Any) -> Any:
        """The tangent of the result."""
        if isinstance(A_dot, AbstractZero) and isinstance(M_dot, AbstractZero):
            return NO_TANGENT
        dots = [self.problem.push(pair, A_dot, M_dot) for pair in _pairs(*self.problem[:2])]
        w_dot = np.stack([value_dot for value_dot, _ in dots])
        if not self.has_vectors:
            return w_dot
        return Tangent[tuple](w_dot, np.stack([v_dot for _, v_dot in dots], axis=1))

    def pull(self, y_bar: Any) -> tuple[Any, Any]:
        """The cotangents of both matrices: the sums of those of all pairs."""
        w, V, _, M = self.problem[:4]
        w_bar, V_bar = cotangents_of_results((w, V), y_bar) if self.has_vectors else (y_bar, NO_TANGENT)
        if isinstance(w_bar, AbstractZero) and isinstance(V_bar, AbstractZero):
            return NO_TANGENT, NO_TANGENT
        pairs_bar = _pairs(w_bar, V_bar, len(primal_of(w)))
        bars = [self.problem.pull(*both) for both in zip(_pairs(w, V), pairs_bar, strict=True)]
        A_bar = sum((bar for bar, _ in bars[1:]), start=bars[0][0])
        return A_bar, NO_TANGENT if M is None else sum((bar for _, bar in bars[1:]), start=bars[0][1])


def _pairs_of_values(function: Any, A: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    """The eigenvalues that SciPy returns without vectors, and their vectors."""
    w, V = primitive(function)(A, **{**options, "return_eigenvectors": True})
    values = function(primal_of(A), **{name: primal_of(value) for name, value in options.items()})
    return _in_order(w, V, A, values, function.__name__)


def _pairs(w: Any, V: Any, number: int | None = None) -> list[tuple[Any, Any]]:
    """Each eigenvalue with its vector, or the parts of their cotangents, which may be zeros."""
    number = shape_of(w)[0] if number is None else number
    return [
        (w if isinstance(w, AbstractZero) else w[i], V if isinstance(V, AbstractZero) else V[:, i])
        for i in range(number)
    ]


class _Problem(NamedTuple):
    """``A V = M V diag(w)`` with ``vᴴ M v = 1``."""

    w: Any
    V: Any
    A: Any
    M: Any
    is_hermitian: bool

    def push(self, pair: tuple[Any, Any], A_dot: Any, M_dot: Any) -> Any:
        return push_pair(pair, (self.A, self.M), (A_dot, M_dot), self.is_hermitian)

    def pull(self, pair: tuple[Any, Any], pair_bar: tuple[Any, Any]) -> tuple[Any, Any]:
        return pull_pair(pair, (self.A, self.M), pair_bar, self.is_hermitian)


class _Buckling(NamedTuple):
    """The same with ``vᴴ A v = 1``: that of ``M V = A V diag(1 / w)``."""

    w: Any
    V: Any
    A: Any
    M: Any

    def push(self, pair: tuple[Any, Any], A_dot: Any, M_dot: Any) -> Any:
        w, v = pair
        inverse_dot, v_dot = push_pair((1 / w, v), self._swapped(), (M_dot, A_dot), True)
        return -(w**2) * inverse_dot, v_dot

    def pull(self, pair: tuple[Any, Any], pair_bar: tuple[Any, Any]) -> tuple[Any, Any]:
        (w, v), (w_bar, v_bar) = pair, pair_bar
        inverse_bar = w_bar if isinstance(w_bar, AbstractZero) else -(w**2) * w_bar
        M_bar, A_bar = pull_pair((1 / w, v), self._swapped(), (inverse_bar, v_bar), True)
        return A_bar, M_bar

    def _swapped(self) -> tuple[Any, Any]:
        M = scipy.sparse.eye_array(shape_of(self.A)[0], format="csc") if self.M is None else self.M
        return M, self.A


def _in_order(w: Any, V: Any, A: Any, values: Any, name: str) -> tuple[Any, Any]:
    """The eigenvalues and vectors in the order of the values that SciPy returns without vectors.

    Raises
    ------
    ValueError
        If it returned others.
    """
    if np.iscomplexobj(primal_of(w)) and primal_of(A).dtype.kind != "c":
        # Of a pair of conjugate values of which only one is asked for, it returns another one then.
        w, V = np.concatenate([w, np.conjugate(w)]), np.concatenate([V, np.conjugate(V)], axis=1)
    distances = np.abs(primal_of(w) - np.asarray(values)[:, None])
    order = np.argmin(distances, axis=1)
    if np.any(np.min(distances, axis=1, initial=np.inf) > _SAME * np.max(np.abs(values), initial=0.0)):
        raise ValueError(
            f"scipy.sparse.linalg.{name}(..., return_eigenvectors=False) cannot be differentiated here: it "
            f"returns other eigenvalues than with vectors. Write `{name}(...)[0]`."
        )
    return w[order], V[:, order]


_rules(eigsh, (*_OF_ARNOLDI, "mode"), "M", is_hermitian=True)
_rules(eigs, (*_OF_ARNOLDI, "OPpart"), "M", is_hermitian=False)
_rules(lobpcg, _OF_LOBPCG, "B", is_hermitian=True)
