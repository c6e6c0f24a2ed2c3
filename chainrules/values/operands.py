"""Operands of rules: the annotations of numbers and arrays, and the refusal to write into an array."""

from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from chainrules_core import AbstractArray, LazyArray

if TYPE_CHECKING:
    # Rules take any carrier of these as well, which static types cannot say.
    Operand = Any
    ArrayOperand = Any
    NumberOperand = Any
    OperandInLists = Any
    LazyOperand = Any
else:
    # The annotation of an argument that may be a number or an array of any kind.
    # (NumPy's truth values are factors, as in ``x * (x > 0)``, but no numbers to `numbers`.)
    Operand = Number | np.bool_ | AbstractArray
    ArrayOperand = AbstractArray
    NumberOperand = Number
    # An operand that may be nested lists of numbers too.
    OperandInLists = Operand | list | tuple
    LazyOperand = LazyArray


def refuse_out(name: str, out: Any) -> None:
    """Raise if a function that is differentiated should write its result into an array.

    Raises
    ------
    TypeError
        If `out` is given: the array would be changed, and others that hold it would not learn of that.
    """
    if out is not None:
        raise TypeError(
            f"{name}(..., out=...) cannot be differentiated: writing into an array leaves no trace for the "
            f"derivative. Write `y = {name}(...)` instead."
        )


def refuse_out_among(name: str, options: tuple[Any, ...], named: dict[str, Any], place: int) -> None:
    """`refuse_out` for `out` by keyword, or by position among the options."""
    refuse_out(name, options[place] if len(options) > place else named.get("out"))
