"""Functions that tell about NumPy itself and its memory: none is differentiable."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.get_include, np.show_config, np.show_runtime, np.info)
non_differentiable(np.shares_memory, np.may_share_memory, np.getbufsize, np.setbufsize)
