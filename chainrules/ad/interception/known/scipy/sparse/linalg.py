"""Solvers and functions of sparse matrices. SciPy is not imported: its functions are known by their names."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.calling import apply
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.ruled_calls import ruled_in_scipy
from chainrules.ad.traced.tracing import innermost_trace, is_traced, untraced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

# --- Iterative solvers -------------------------------------------------------------------------------------
#
# Preconditioners have no influence on a solution: they are given without their derivatives. They are given by
# keyword, for which rules have no derivatives. An object that multiplies like a matrix becomes a linear
# operator, for which there are rules.

_MODULE = "scipy.sparse.linalg._isolve"
_NAMES = (
    *(f"iterative.{name}" for name in ("bicg", "bicgstab", "cg", "cgs", "gmres", "qmr")),
    *(f"{name}.{name}" for name in ("lgmres", "minres", "tfqmr")),
    "_gcrotmk.gcrotmk",
)
_PRECONDITIONERS = frozenset({"M", "M1", "M2"})


def _with_constant_preconditioners(f: Any) -> Callable[..., Any]:
    call_by_rule = ruled_in_scipy(f, entered_if_traced(f))

    def call(*args: Any, **kwargs: Any) -> Any:
        if not _PRECONDITIONERS.isdisjoint(kwargs):
            kwargs = {name: _constant(x) if name in _PRECONDITIONERS else x for name, x in kwargs.items()}
        if args and hasattr(args[0], "matvec"):
            args = _operator(args[0]), *args[1:]
        return call_by_rule(*args, **kwargs)

    return call


def _constant(x: Any) -> Any:
    """The value without its derivatives."""
    while is_traced(x):
        x = untraced(x, innermost_trace((x,)))[0]
    return x


def _operator(A: Any) -> Any:
    from scipy.sparse.linalg import aslinearoperator  # noqa: PLC0415 - whoever calls a solver has imported it

    return entered_if_traced(aslinearoperator)(A)


fact(*(f"{_MODULE}.{name}" for name in _NAMES), wrapped=_with_constant_preconditioners)

# --- Sparse matrices, the older kind -----------------------------------------------------------------------
#
# Sums of the rows of one are a `numpy.matrix`, which has no derivatives. These functions return the same for
# a sparse array with the same entries.


def _with_sparse_array(f: Any) -> Callable[..., Any]:
    call_by_rule = ruled_in_scipy(f, entered_if_traced(f))

    def call(A: Any, *args: Any, **kwargs: Any) -> Any:
        return call_by_rule(_as_sparse_array(A) if is_traced(A) else A, *args, **kwargs)

    return call


def _as_sparse_array(A: Any) -> Any:
    """A traced sparse matrix as an array; others as they are."""
    if type(primal_of(A)).__module__.startswith("scipy.sparse"):
        from scipy.sparse import csr_array, isspmatrix  # noqa: PLC0415 - whoever has one has imported it

        if isspmatrix(primal_of(A)):
            return apply(csr_array, (A,))
    return A


fact(
    "scipy.sparse.linalg._norm.norm",
    "scipy.sparse.linalg._expm_multiply.expm_multiply",
    wrapped=_with_sparse_array,
)

# --- Exponentials ------------------------------------------------------------------------------------------
#
# A matrix of zeros, such as the distance of one from a multiple of the identity, needs no term of the series,
# and what is zero below the diagonal now is not computed: but what moves there has derivatives.


def _steering(norm: Any) -> Callable[..., Any]:
    """The function for the place of the norm that the number of terms is chosen by."""
    return entered_if_traced(norm, lambda A: norm(primal_of(A)) or 1.0)


def _asking_for_triangles(is_triangular: Any) -> Callable[..., Any]:
    return entered_if_traced(is_triangular, lambda A: False)


def _with_terms(place: int) -> Callable[[Any], Callable[..., Any]]:
    """The same where a linear operator's norm has been estimated: the number of terms is an argument."""

    def changed(core: Any) -> Callable[..., Any]:
        follow = entered_if_traced(core)

        def call(*args: Any, **kwargs: Any) -> Any:
            # As many as SciPy has at most: it stops when the rest is small.
            return follow(*args[:place], args[place] or 55, *args[place + 1 :], **kwargs)

        return call

    return changed


fact("scipy.sparse.linalg._expm_multiply._exact_1_norm", wrapped=_steering)
fact("scipy.sparse.linalg._expm_multiply._expm_multiply_simple_core", wrapped=_with_terms(4))
fact("scipy.sparse.linalg._expm_multiply._expm_multiply_interval_core_1", wrapped=_with_terms(4))
fact("scipy.sparse.linalg._matfuncs._is_upper_triangular", wrapped=_asking_for_triangles)
