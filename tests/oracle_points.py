"""Calls at points without a derivative, where the value of a rule is a convention: tests avoid them."""

import numpy as np
import scipy.special

from chainrules_core import NoTangent
from chainrules_testutils import PrimalAndTangent

ONES, ZEROS = np.ones(3), np.zeros(3)
MAXIMUM = PrimalAndTangent(np.inf, NoTangent())  # the order of a norm, which is not differentiated
TIES = np.array([2.0, 1.0, 2.0])

# Pairs of a function and its arguments.
POINTS = [
    *((f, 0.0) for f in (np.absolute, np.fabs, np.sign, np.sqrt, np.cbrt, np.sinc, np.i0, np.floor)),
    *((f, 0j) for f in (np.absolute, np.angle)),
    *((f, 1.0, 1.0) for f in (np.maximum, np.minimum, np.fmax, np.fmin)),
    *((f, 0.0, 0.0) for f in (np.hypot, np.arctan2, np.copysign)),
    *((f, 6.0, 2.0) for f in (np.remainder, np.fmod)),
    *((f, 0.0, PrimalAndTangent(0.0, NoTangent())) for f in (np.power, np.float_power)),
    (np.power, 0.0, 2.0),
    (np.power, 0.0, 1.5),
    (np.clip, 1.0, 0.0, 1.0),
    (np.logaddexp, -np.inf, -np.inf),
    *((f, TIES) for f in (np.max, np.min, np.ptp, np.median, np.sort)),
    *((f, ONES) for f in (np.std, np.var, np.max, np.cumprod)),
    *((f, np.array([0.0, 2.0, 3.0])) for f in (np.prod, np.cumprod)),
    *((f, np.array([0.0, 0.0, 3.0])) for f in (np.prod, np.cumprod)),
    *((f, np.array([1.0, np.nan])) for f in (np.nansum, np.nanmean, np.nanmax, np.nan_to_num)),
    *((np.linalg.norm, ZEROS, order) for order in (None, 1, 2, 3, MAXIMUM)),
    *((np.linalg.norm, np.eye(2), order) for order in ("fro", "nuc", 1, 2, MAXIMUM)),
    *((np.linalg.norm, np.zeros((2, 2)), order) for order in ("fro", "nuc")),
    (np.linalg.det, np.zeros((2, 2))),
    (np.linalg.det, np.ones((2, 2))),
    (np.linalg.eigvalsh, np.eye(2)),
    (np.linalg.svdvals, np.eye(2)),
    (np.linalg.svdvals, np.zeros((2, 2))),
    (np.linalg.pinv, np.eye(2)),
    (scipy.special.xlogy, 0.0, 2.0),
    (scipy.special.xlogy, 0.0, 0.0),
    (scipy.special.xlog1py, 0.0, 0.5),
    (scipy.special.entr, 0.0),
    (scipy.special.logsumexp, np.array([-np.inf, 0.0])),
    (scipy.special.expit, 1000.0),
]
