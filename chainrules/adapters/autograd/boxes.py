"""What is in autograd's boxes: numbers, arrays, and containers of them."""

from typing import Any

import numpy as np
from autograd.builtins import DictBox, SequenceBox
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.tracer import getval

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction


def unpacked(box: Any, function: FlatFunction) -> Any:
    """A container of boxes for a boxed container; a boxed number or array as it is.

    Raises
    ------
    AdapterError
        If the box is of a class that somebody else registered.
    """
    if isinstance(box, ArrayBox):
        return box
    container = getval(box)
    if isinstance(box, DictBox):
        return {key: box[key] for key in container}
    if isinstance(box, SequenceBox):
        items = [box[place] for place in range(len(container))]
        return type(container)(*items) if hasattr(container, "_fields") else type(container)(items)
    raise AdapterError(
        f"{function.name} was called with an autograd {type(box).__name__} of a {type(container).__name__}, "
        "whose parts are not known. Give the numbers and arrays in it."
    )


def hold_numbers_and_arrays(boxes: list[Any], function: FlatFunction) -> bool:
    """Whether all of the boxes do; else some hold containers of these.

    Raises
    ------
    AdapterError
        If one holds integers, truth values or objects.
    """
    for box in boxes:
        if box.__class__ is not ArrayBox:
            return False
        value = getval(box)
        if value.__class__ is np.ndarray and value.dtype.kind not in "fc":
            raise AdapterError(
                f"{function.name} was called with an array of {value.dtype} that autograd differentiates by; "
                "there are derivatives by real and complex numbers only. Convert the argument of `grad`, "
                "`x.astype(float)`; or do not differentiate by it."
            )
    return True
