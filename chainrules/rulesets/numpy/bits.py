"""Bit-wise operations: functions of integers, none of which is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift)
non_differentiable(np.packbits, np.unpackbits)
non_differentiable(np.bitwise_count)
