"""An AD engine over plain NumPy, in reverse mode: it differentiates programs by registered rules.

Write ordinary NumPy code; `grad` and `value_and_grad` call it with traced values, each operation on which
looks a rule up.
"""

# Gradients
from chainrules.ad.gradients import grad, value_and_grad

# Rules of functions that NumPy's protocols cannot reach
from chainrules.ad.calling import call

# What rules and other packages see of the engine
from chainrules.ad.config import ADConfig
from chainrules.ad.tracing import TracedValue

__all__ = ["ADConfig", "TracedValue", "call", "grad", "value_and_grad"]
