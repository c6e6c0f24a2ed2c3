"""Rules for trigonometric functions.

The derivatives of inverse functions at complex numbers are on the side of the branch cut that the primal
chose: ``arcsin'(z) = 1 / (sqrt(1 - z) sqrt(1 + z))`` has the sign of ``1 / cos(arcsin z)``. At 1 and -1 they
are NaN.
"""

from math import pi

import numpy as np

from chainrules.formulas.numbers.branches import roots_on_side
from chainrules.makers.elementwise import binary_rule
from chainrules.values.quotients import inverse, nonzero
from chainrules_core import is_complex, primal_of, scalar_rule

scalar_rule(np.sin, lambda _, x: np.cos(x))
scalar_rule(np.cos, lambda _, x: -np.sin(x))
scalar_rule(np.tan, lambda y, _: 1.0 + y * y)
scalar_rule(np.arcsin, lambda y, x: inverse(_cathetus(x, lambda: np.cos(y))))
scalar_rule(np.arccos, lambda y, x: -inverse(_cathetus(x, lambda: np.sin(y))))
scalar_rule(np.arctan, lambda _, x: 1.0 / (1.0 + x * (1.0 * x)))  # the square of an integer may overflow

for _to_radians in (np.deg2rad, np.radians):
    scalar_rule(_to_radians, lambda y, _: pi / 180)
for _to_degrees in (np.rad2deg, np.degrees):
    scalar_rule(_to_degrees, lambda y, _: 180 / pi)


def _cathetus(x, side):
    """``sqrt(1 - x²)``, precisely near 1; of a complex number on the given side of the branch cut."""
    return roots_on_side(1 - x, 1 + x, side()) if is_complex(x) else np.sqrt((1 - x) * (1 + x))


# --- Polar coordinates: neither has a derivative at the origin, where both are taken to be 0 ----------------

binary_rule(np.hypot, lambda r, x, y: x / nonzero(r), lambda r, x, y: y / nonzero(r))


def _by_ordinate(theta, y, x):
    """``x / (x² + y²)``, scaled, since squares overflow and underflow; 0 at infinity."""
    size = np.maximum(abs(primal_of(x)), abs(primal_of(y)))
    is_finite = np.isfinite(size)
    scale = np.where(is_finite, nonzero(size), 1)
    x, y = np.where(is_finite, x / scale, 0), y / scale
    return x / nonzero(x * x + y * y) / scale


binary_rule(np.arctan2, _by_ordinate, lambda theta, y, x: -_by_ordinate(theta, x, y))
