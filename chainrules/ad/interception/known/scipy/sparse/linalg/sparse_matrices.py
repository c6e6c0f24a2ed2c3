"""SciPy's sparse matrices, the older kind, given to functions that would compute with NumPy's matrices then.

Sums of the rows of one are a `numpy.matrix`, which has no derivatives. These functions return the same for a
sparse array with the same entries. SciPy is not imported: its functions are known by their names.
"""

from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.calling import apply
from chainrules.ad.interception.choosing.entering import lending
from chainrules.ad.interception.choosing.ruled_calls import ruled_in_scipy
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _with_sparse_array(f: Any) -> Callable[..., Any]:
    call_by_rule = ruled_in_scipy(f, lending(f))

    def call(A: Any, *args: Any, **named: Any) -> Any:
        return call_by_rule(_as_sparse_array(A) if is_traced(A) else A, *args, **named)

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
