"""Rules for the sign and the logarithm of the modulus of the determinant.

``log det A`` has the differential ``tr(A⁻¹ dA)``; Giles 2008, section 2.2.4. Its real part is that of
``log |det A|``. Its imaginary part turns the sign, which is ``exp(i arg det A)``; of a real matrix it is
zero, and the sign is constant.
"""

from typing import Any

import numpy as np

from chainrules.formulas.determinants import pull_slogdet, push_slogdet
from chainrules.operations.lu import lu_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import transposed
from chainrules_core import frule, rrule, typeof_

# The class of the results of `np.linalg.slogdet`, which has no public name.
SlogdetResult: Any = type(np.linalg.slogdet(np.eye(1)))


@frule.dispatch
def slogdet_frule(tangents: Any, f: typeof_(np.linalg.slogdet), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    if lu is None:
        return push_slogdet(tangents, A, _gradient)
    return push_slogdet(tangents, A, lambda _: transposed(lu.inverse()), SlogdetResult(*lu.slogdet()))


@rrule.dispatch
def slogdet_rrule(f: typeof_(np.linalg.slogdet), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    if lu is None:
        return pull_slogdet(A, _gradient)
    return pull_slogdet(A, lambda _: transposed(lu.inverse()), SlogdetResult(*lu.slogdet()))


def _gradient(A: Any) -> Any:
    return transposed(np.linalg.inv(A))
