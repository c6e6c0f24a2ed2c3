"""Matrices that several operations of a program factor: LAPACK does so once for all of them.

NumPy factors a matrix at each call of `solve`, `inv` or `slogdet`, and an inverse from known factors
takes two thirds of the time. Where the matrix is not regular, the function itself runs, which may fail or
warn.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.recording.phrases import is_transpose
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step
from chainrules.numerics.lapack import is_for_lapack

# A matrix of so many columns or more is quicker by its factors.
COLUMNS = 20

# The text of an operation by the factors of its matrix, and whether it fails for a singular one.
_CALLS: dict[Any, tuple[str, bool]] = {
    np.linalg.solve: ("{0}.solve({1})", True),
    np.linalg.inv: ("{0}.inverse()", True),
    np.linalg.slogdet: ("{cls}(*{0}.slogdet())", False),
}
_BY_ADJOINT = "{0}.solve({1}, by_adjoint=True)"


class ByFactors(NamedTuple):
    """An operation by the factors of a matrix.

    Attributes
    ----------
    matrix
        The recorded matrix.
    text
        Its call, where the factors, the second operand and the class of the result are left out.
    """

    matrix: Any
    text: str


def by_factors(
    steps: dict[int, Step],
    slot_of: Callable[[Any], Slot],
    made_by: Callable[[Any], Step | None],
    is_written: Callable[[Step], bool],
) -> dict[int, ByFactors]:
    """The operations whose matrix at least two of them factor, by their numbers.

    Parameters
    ----------
    steps
        What runs, in order.
    slot_of
        Gives the slot that a value has in the program.
    made_by
        Gives the step whose whole result a value is.
    is_written
        Whether somebody writes into what an operation reads or returns.
    """
    found: dict[Slot, dict[int, ByFactors]] = {}
    of_matrices = {i: step for i, step in steps.items() if _is_of_matrix(step) and not is_written(step)}
    # A matrix that is read through its adjoint alone may have no name, and its operands may be overwritten.
    themselves = {slot_of(step.args[0]) for step in of_matrices.values()}
    for i, step in of_matrices.items():
        A = _adjoint_of(step.args[0], made_by) if step.f is np.linalg.solve else None
        is_itself = A is None or slot_of(A) not in themselves
        call = ByFactors(step.args[0], _CALLS[step.f][0]) if is_itself else ByFactors(A, _BY_ADJOINT)
        found.setdefault(slot_of(call.matrix), {})[i] = call
    return {
        i: call
        for calls in found.values()
        if len(calls) > 1 and any(_CALLS[steps[i].f][1] for i in calls)
        for i, call in calls.items()
    }


def _is_of_matrix(step: Step) -> bool:
    """Whether an operation factors one matrix, in the precision of all that it is given."""
    is_one = step.kind == "operation" and any(step.f is f for f in _CALLS)
    if not is_one or step.kwargs or not is_recorded(step.args[0]):
        return False
    A, *others = [x._plain if is_recorded(x) else x for x in step.args]
    if not is_for_lapack(A) or len(A) < COLUMNS or not A.dtype.isnative:
        return False
    if not np.isfinite(A).all():  # NumPy may warn of it
        return False
    return all(
        isinstance(B, np.ndarray) and B.dtype == A.dtype and B.ndim in (1, 2) and B.size for B in others
    )


def _adjoint_of(A: Any, made_by: Callable[[Any], Step | None]) -> Any:
    """The recorded matrix that `A` is the adjoint of; `None` if it is not known as one."""
    step = made_by(A)
    if A._plain.dtype.kind == "c":
        is_conjugate = step is not None and step.f is np.conjugate and not step.kwargs
        step = made_by(step.args[0]) if step is not None and is_conjugate else None
    return None if step is None or not is_transpose(step) else step.args[0]
