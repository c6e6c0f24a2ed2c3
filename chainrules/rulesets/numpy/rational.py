"""Rational routines: functions of integers, none of which is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.gcd, np.lcm)
