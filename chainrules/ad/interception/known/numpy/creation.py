"""Functions that make arrays. Whoever calls one wants an array that is filled later, most often."""

import numpy as np

from chainrules.ad.values.facts import fact

fact(*(np.zeros, np.ones, np.empty, np.full), returns=("an array to fill",))
fact(*(np.zeros_like, np.ones_like, np.empty_like, np.full_like), returns=("an array to fill",))
fact(*(np.eye, np.identity, np.array, np.copy, np.arange, np.linspace), returns=("an array to fill",))
fact(*(np.tile, np.repeat, np.diag), returns=("an array to fill",))
fact(np.asarray, returns=("an array to fill", "its argument"))
fact(*(np.asanyarray, np.asarray_chkfinite, np.ascontiguousarray), returns=("its argument",))
fact(*(np.asfortranarray, np.require), returns=("its argument",))
