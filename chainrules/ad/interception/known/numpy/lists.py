"""Functions whose rules take lists of traced numbers, or of arrays, but not in all modes and orders."""

import numpy as np

from chainrules.ad.values.facts import fact

fact(*(np.append, np.average, np.clip, np.einsum, np.histogram, np.insert), takes_lists="as arrays")
fact(*(np.concatenate, np.column_stack, np.dstack, np.hstack), takes_lists="of arrays")
fact(*(np.stack, np.vstack, np.linalg.multi_dot), takes_lists="of arrays")
