"""Rules for trigonometric functions."""

import numpy as np

from chainrules_core import scalar_rule

scalar_rule(np.sin, lambda _, x: np.cos(x))
scalar_rule(np.cos, lambda _, x: -np.sin(x))
