"""An AD engine over plain NumPy, in reverse and forward mode: it differentiates programs by registered rules.

Write ordinary NumPy code. The functions here call it with traced values, and each operation on these looks a
rule up.
"""

from typing import TYPE_CHECKING

# Gradients of one number
from chainrules.ad.derivatives.gradients import grad, value_and_grad

# One direction: backwards, forwards, forwards again and again
from chainrules.ad.derivatives.pulling import vjp
from chainrules.ad.derivatives.pushing import jvp
from chainrules.ad.derivatives.linearizing import linearize

# All derivatives
from chainrules.ad.derivatives.jacobians import hessian, jacobian, wirtinger
from chainrules.ad.derivatives.second_order import hvp

# Parameters in nested containers
from chainrules.ad.derivatives.raveling import ravel
from chainrules.ad.derivatives.trees import tree_map

# A program speaks to the engine: use a rule, keep little, stop
from chainrules.ad.derivatives.explicit_calls import call
from chainrules.ad.derivatives.checkpointing import RecomputedOtherwiseError, checkpoint
from chainrules_core import ignore_derivatives as stop_gradient

# Calls are intercepted, so that rules apply in untouched code
from chainrules.ad.derivatives.explaining import CallRow, CallTable
from chainrules.ad.derivatives.explaining import explain_calls
from chainrules.ad.interception.choosing.switch import interception, set_interception

# What a differentiation warns of
from chainrules.ad.traced.lost_derivatives import LostDerivativeWarning

# Looking on at a differentiation
from chainrules.ad.derivatives.drawing import Drawing, DrawingUnavailableError, draw
from chainrules.ad.watching.nan_guard import NotANumberError, debug_nans
from chainrules.ad.derivatives.profiling import Profile, ProfileRow
from chainrules.ad.derivatives.profiling import profile

# The engine as rules and other packages see it
from chainrules.ad.values.config import ADConfig
from chainrules.ad.traced.traced_value import TracedValue

__all__ = [
    "ADConfig",
    "CallRow",
    "CallTable",
    "CompilationError",
    "CompilationWarning",
    "Drawing",
    "DrawingUnavailableError",
    "LostDerivativeWarning",
    "NotANumberError",
    "Profile",
    "ProfileRow",
    "RecomputedOtherwiseError",
    "TracedValue",
    "VariantRow",
    "VariantTable",
    "call",
    "checkpoint",
    "compiled",
    "debug_nans",
    "draw",
    "explain_calls",
    "grad",
    "hessian",
    "hvp",
    "interception",
    "jacobian",
    "jvp",
    "linearize",
    "profile",
    "ravel",
    "set_interception",
    "stop_gradient",
    "tree_map",
    "value_and_grad",
    "vectorized",
    "vjp",
    "wirtinger",
]


from chainrules.ad.derivatives.names_elsewhere import __getattr__  # noqa: F401 - Python asks it for other names

if TYPE_CHECKING:  # imported when somebody asks for them
    from chainrules.ad.recording.compiled import compiled
    from chainrules.ad.recording.batching.vectorized import vectorized
    from chainrules.ad.recording.refused import CompilationError, CompilationWarning
    from chainrules.ad.recording.variant_table import VariantRow, VariantTable


def __dir__() -> list[str]:
    return __all__
