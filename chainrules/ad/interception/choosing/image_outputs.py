"""Functions of `scipy.ndimage`, which write their result into the array that they are given as `output`."""

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.interception.choosing.unentered import without_constants
from chainrules.ad.traced.array_protocols import put_out
from chainrules.ad.traced.conversions import refused_write
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import is_traced
from chainrules_core import primal_of


def filling_output(f: Any, computed: Callable[..., Any]) -> Callable[..., Any]:
    """`computed`, which stands for a function, and may be told to write its result into an array.

    The result is computed in the precision of that array first, as SciPy does, and then written.
    """
    names = list(inspect.signature(f).parameters) if str(f.__module__).startswith("scipy.ndimage.") else []
    if "output" not in names:
        return computed
    place = names.index("output")

    def call(*args: Any, **kwargs: Any) -> Any:
        is_by_position = len(args) > place
        output = args[place] if is_by_position else kwargs.get("output")
        if output.__class__ not in TRACED and not isinstance(output, np.ndarray):
            return computed(*args, **kwargs)
        if output.__class__ not in TRACED:
            args, kwargs = without_constants(args, kwargs)
        written_into(output)
        dtype = primal_of(output).dtype.type
        if is_by_position:
            args = (*args[:place], dtype, *args[place + 1 :])
        else:
            kwargs = {**kwargs, "output": dtype}
        y = computed(*args, **kwargs)
        if np.shape(y) != np.shape(output):
            raise RuntimeError("output shape not correct")  # as SciPy says
        if output.__class__ not in TRACED and is_traced(y):
            raise refused_write(
                sys._getframe(1),
                f"scipy.ndimage.{f.__name__}(..., output=...)",
                output,
                f"Write `y = scipy.ndimage.{f.__name__}(...)`, or make the array in the same function",
            )
        return put_out(f, output, y)

    return call
