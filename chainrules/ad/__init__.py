"""An AD engine over plain NumPy, in reverse and forward mode: it differentiates programs by registered rules.

Write ordinary NumPy code. The functions here call it with traced values, and each operation on these looks a
rule up.
"""

# Gradients of one number
from chainrules.ad.gradients import grad, value_and_grad

# One direction: backwards, forwards, forwards again and again
from chainrules.ad.pulling import vjp
from chainrules.ad.pushing import jvp
from chainrules.ad.linearizing import linearize

# All derivatives
from chainrules.ad.jacobians import hessian, jacobian, wirtinger
from chainrules.ad.second_order import hvp

# Parameters in nested containers
from chainrules.ad.raveling import ravel
from chainrules.ad.trees import tree_map

# A program speaks to the engine: use a rule, keep little, stop
from chainrules.ad.explicit_calls import call
from chainrules.ad.checkpointing import RecomputedOtherwiseError, checkpoint
from chainrules_core import ignore_derivatives as stop_gradient

# Calls are intercepted, so that rules apply in untouched code
from chainrules.ad.interception.call_table import CallRow, CallTable
from chainrules.ad.interception.explaining import explain_calls
from chainrules.ad.interception.switch import interception, set_interception

# What a differentiation warns of
from chainrules.ad.lost_derivatives import LostDerivativeWarning

# Looking on at a differentiation
from chainrules.ad.drawing import Drawing, DrawingUnavailableError, draw
from chainrules.ad.nan_guard import NotANumberError, debug_nans
from chainrules.ad.profile_table import Profile, ProfileRow
from chainrules.ad.profiling import profile

# The engine as rules and other packages see it
from chainrules.ad.config import ADConfig
from chainrules.ad.traced_value import TracedValue

__all__ = [
    "ADConfig",
    "CallRow",
    "CallTable",
    "Drawing",
    "DrawingUnavailableError",
    "LostDerivativeWarning",
    "NotANumberError",
    "Profile",
    "ProfileRow",
    "RecomputedOtherwiseError",
    "TracedValue",
    "call",
    "checkpoint",
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
    "vjp",
    "wirtinger",
]


from chainrules.ad.names_elsewhere import __getattr__  # noqa: F401 - Python asks it for other names


def __dir__() -> list[str]:
    return __all__
