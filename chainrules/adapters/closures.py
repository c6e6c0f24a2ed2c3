"""Closures as they are when they are called: frameworks call them again, later."""

import functools
import types
from typing import Any

from chainrules.ad.values.binding import Bound
from chainrules_core import rrule


def bound_closure(f: Any) -> Bound | None:
    """A function with the variables that it closes over now; `None` if there are none that may change.

    Those of functions that a module has under their names, such as what a decorator returned, stay. So do
    those of functions with rules, which are found by identity.
    """
    function = f
    while function.__class__ is functools.partial:
        function = function.func
    if function.__class__ is not types.FunctionType or function.__closure__ is None:
        return None
    return Bound(f) if "<locals>" in function.__qualname__ and not rrule.has_own_rule(function) else None
