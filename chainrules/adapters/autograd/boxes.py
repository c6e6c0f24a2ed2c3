"""What is in autograd's boxes: numbers, arrays, and containers of them."""

from typing import Any

import numpy as np
from autograd.builtins import DictBox, SequenceBox
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.tracer import getval

from chainrules.adapters.errors import AdapterError

__all__ = ["ArrayBox", "check_boxes", "unpacked"]


def unpacked(box: Any, name: str) -> Any:
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
        f"{name} was called with an autograd {type(box).__name__} of a {type(container).__name__}, whose parts "
        "are not known. Give the numbers and arrays in it."
    )


def check_boxes(boxes: list[Any], name: str) -> None:
    """Raise an `AdapterError` if there are integers, truth values or objects in one of the boxes."""
    for box in boxes:
        value = getval(box)
        if value.__class__ is np.ndarray and value.dtype.kind not in "fc":
            raise AdapterError(
                f"{name} was called with an array of {value.dtype} that autograd differentiates by; there are "
                "derivatives by real and complex numbers only. Convert the argument of `grad`, "
                "`x.astype(float)`; or do not differentiate by it."
            )
