"""Rules for some eigenvalues and eigenvectors of large matrices.

See `chainrules.formulas.spectra.partial_spectra`, and for operators
`chainrules.formulas.spectra.pairs_of_operators`. Eigenvalues have to be simple. Which pairs are computed, and
where the iteration begins, is held fixed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, eigs, eigsh, lobpcg

from chainrules.formulas.spectra.pairs_of_operators import pull_pair_of_operator, push_pair_of_operator
from chainrules.formulas.spectra.partial_spectra import pull_pair, push_pair
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
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
_OF_LOBPCG = (
    "X",
    "B",
    "M",
    "Y",
    "tol",
    "maxiter",
    "largest",
    "verbosityLevel",
    "retLambdaHistory",
    "retResidualNormsHistory",
    "restartControl",
)


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

    def solved(A: Any, args: tuple[Any, ...], named: dict[str, Any], config: Any = None) -> _Solved:
        options = dict(zip(names, args, strict=False)) | named
        _check(function, A, options, metric, is_hermitian)
        has_vectors = options.get("return_eigenvectors", True)
        w, V = primitive(function)(A, **options) if has_vectors else _pairs_of_values(function, A, options)
        M = options.get(metric)
        if config is not None:
            return _Solved(_OfOperator(w, V, A, M, config), has_vectors)
        if options.get("mode") == "buckling" and options.get("sigma") is not None:
            return _Solved(_Buckling(w, V, A, M), has_vectors)
        return _Solved(_Problem(w, V, A, M, is_hermitian), has_vectors)

    @frule.dispatch
    def eigen_frule(tangents: Any, f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        return _push(solved(A, args, named), tangents, names, metric)

    @rrule.dispatch
    def eigen_rrule(f: typeof_(function), A: ArrayOperand, *args: Any, **named: Any):
        return _pull(solved(A, args, named), names[: len(args)], metric)

    @frule.dispatch
    def eigen_frule_of_operator(
        config: RuleConfig[HasForwardsMode],
        tangents: Any,
        f: typeof_(function),
        A: LinearOperator,
        *args: Any,
        **named: Any,
    ):
        return _push(solved(A, args, named, config), tangents, names, metric)

    @rrule.dispatch
    def eigen_rrule_of_operator(
        config: RuleConfig[HasReverseMode], f: typeof_(function), A: LinearOperator, *args: Any, **named: Any
    ):
        return _pull(solved(A, args, named, config), names[: len(args)], metric)


def _push(pairs: "_Solved", tangents: Any, names: tuple[str, ...], metric: str) -> Any:
    M_dot = dict(zip(names, tangents[2:], strict=False)).get(metric, NO_TANGENT)
    return pairs.result, pairs.push(tangents[1], M_dot)


def _pull(pairs: "_Solved", names: tuple[str, ...], metric: str) -> Any:
    """The result and the pullback, for options of these names given by position."""

    def eigen_pullback(y_bar: Any) -> Any:
        A_bar, M_bar = pairs.pull(y_bar)
        bars = (M_bar if name == metric else NO_TANGENT for name in names)
        return NO_TANGENT, A_bar, *bars

    return pairs.result, eigen_pullback


def _check(function: Any, A: Any, options: dict[str, Any], metric: str, is_hermitian: bool) -> None:
    """Refuse what has no derivative here.

    Raises
    ------
    TypeError
        For a problem with an operator that needs its entries, or its adjoint eigenvectors.
    ValueError
        For the course of an iteration.
    """
    name = f"scipy.sparse.linalg.{function.__name__}"
    if options.get("retLambdaHistory") or options.get("retResidualNormsHistory"):
        raise ValueError(
            f"{name}(..., retLambdaHistory=True), and retResidualNormsHistory, cannot be differentiated: the "
            "course of the iteration is no function of the matrix that has a derivative. Leave them out."
        )
    if isinstance(A, LinearOperator) and not is_hermitian:
        raise TypeError(
            f"{name}(A) cannot be differentiated if A is a LinearOperator: it would take left eigenvectors. "
            "Give a sparse or dense matrix; or write `eigsh` for a Hermitian operator."
        )
    if isinstance(A, LinearOperator) and options.get(metric) is not None:
        raise TypeError(
            f"{name}(A, {metric}={metric}) cannot be differentiated if A is a LinearOperator: give both as "
            "sparse or dense matrices."
        )


class _Solved(NamedTuple):
    """A problem, and whether the eigenvectors are in the result."""

    problem: "_Problem | _Buckling | _OfOperator"
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
    if isinstance(A, LinearOperator):  # values that are traced can be inside
        values = primal_of(primitive(function)(A, **options))
        return _in_order(w, V, A, values, function.__name__)
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


class _OfOperator(NamedTuple):
    """``A V = V diag(w)`` for a Hermitian operator; `M` is `None`."""

    w: Any
    V: Any
    A: Any
    M: Any
    config: Any

    def push(self, pair: tuple[Any, Any], A_dot: Any, M_dot: Any) -> Any:
        return push_pair_of_operator(self.config, pair, self.A, A_dot)

    def pull(self, pair: tuple[Any, Any], pair_bar: tuple[Any, Any]) -> tuple[Any, Any]:
        return pull_pair_of_operator(self.config, pair, self.A, pair_bar), NO_TANGENT


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
