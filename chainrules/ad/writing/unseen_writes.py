"""Code that is called as it is, and may write into an array that a rule keeps: that is seen afterwards."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_inputs import OF_NO_ARRAYS, before_writing, is_noted, written_array
from chainrules.ad.traced.trace import RUNNING


def watched(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, a function of a library, with an error if it wrote into an array that a rule was given before.

    Those of SciPy with ``overwrite_a=True``, and BLAS, do that. A copy is made of an array that was given to
    both, and of no other.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        for trace in RUNNING:
            if trace.kept or trace.written:
                return _call_and_compare(f, args, kwargs)
        return f(*args, **kwargs)

    return call


def _call_and_compare(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    held = []
    for x in (*args, *kwargs.values()):
        elements = None if x.__class__ in OF_NO_ARRAYS else written_array(x)
        if elements is not None and is_noted(elements):
            elements = elements.view(np.ndarray)  # all elements, also those that a mask hides
            held.append((elements, elements.tobytes()))
    y = f(*args, **kwargs)
    for elements, before in held:
        # As bytes: a NaN that stayed where it was is no change.
        if elements.tobytes() != before:
            before_writing(elements)
    return y
