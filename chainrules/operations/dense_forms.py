"""The dense array that equals a structured one, as a function that has rules.

It is the inclusion of the subspace, whose adjoint is the projection.
"""

from typing import Any

from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, primitive, rrule, typeof_
from chainrules_core.structured import StructuredArray


@primitive
def dense_form(A: Any) -> Any:
    """A structured array as an ordinary one, in new memory."""
    return A.to_dense()


@frule.dispatch
def dense_form_frule(tangents: Any, f: typeof_(dense_form), A: StructuredArray) -> tuple[Any, Any]:
    """The tangent with all its elements."""
    A_dot = tangents[1]
    # A kind of one's own may have dense tangents.
    is_structured = isinstance(primal_of(A_dot), StructuredArray)
    return dense_form(A), dense_form(A_dot) if is_structured else A_dot


@rrule.dispatch
def dense_form_rrule(f: typeof_(dense_form), A: StructuredArray) -> tuple[Any, Any]:
    """The projection of the cotangent."""
    project = ProjectTo(A)

    def dense_form_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, project(y_bar)

    return dense_form(A), dense_form_pullback
