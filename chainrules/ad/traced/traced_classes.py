"""The classes of traced values, and the one that fits a value."""

from typing import Any

import numpy as np

from chainrules.ad.traced.filled_arrays import FilledArray
from chainrules.ad.traced.trace import Trace
from chainrules.ad.traced.traced_value import TracedCallable, TracedObject, TracedValue
from chainrules.ad.traced.views import ConstantFlatView, ConstantView, FlatView, TracedView
from chainrules.ad.values.plain_values import FREQUENT

_ARRAYS = frozenset({TracedValue, TracedView, ConstantView, FlatView, ConstantFlatView, FilledArray})

TRACED = _ARRAYS | {TracedObject, TracedCallable}

_NUMBERS_AND_ARRAYS = (float, complex, np.generic, np.ndarray)


def traced_value(value: Any, record: Any, trace: Trace) -> TracedValue:
    """The traced value to put in the place of a value, of the class that fits it."""
    cls = TracedValue if value.__class__ in FREQUENT else _class_for(value)
    traced = cls()
    traced._value, traced._record, traced._trace = value, record, trace
    return traced


def _class_for(value: Any) -> type[TracedValue]:
    if isinstance(value, _NUMBERS_AND_ARRAYS) or value.__class__ in _ARRAYS:
        return TracedValue
    if value.__class__ in TRACED:
        return type(value)
    return TracedCallable if callable(value) else TracedObject
