"""Assignments are integers, which have no derivative."""

import scipy.optimize

from chainrules_core import non_differentiable

non_differentiable(scipy.optimize.linear_sum_assignment)
