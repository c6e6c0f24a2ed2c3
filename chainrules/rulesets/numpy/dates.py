"""Datetime support functions: dates have no derivatives."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.busday_count, np.busday_offset, np.is_busday, np.datetime_as_string, np.datetime_data)
