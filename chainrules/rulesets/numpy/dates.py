"""Datetime support functions: dates have no derivatives."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.busday_count, np.busday_offset, np.is_busday, np.datetime_as_string, np.datetime_data)

# One by one: of several, all but the first would be taken for the types of its arguments.
for _kind in (np.busdaycalendar, np.datetime64, np.timedelta64):
    non_differentiable(_kind)
