"""Rules for Kelvin functions, the parts of Bessel functions at ``z = x e^{3πi/4}``.

``ber x + i bei x = J₀(z)``, so that by ``J₀'' = (J₂ - J₀) / 2`` with J₂ at z ::

    ber'' = (Im J₂ - bei) / 2,   bei'' = (ber - Re J₂) / 2
    ker'' = -kei - ker' / x,     kei'' = ker - kei' / x

https://dlmf.nist.gov/10.61. The first two have no quotient, and so hold at 0, in all orders of derivatives.
"""

import numpy as np
from scipy import special

from chainrules_core import non_differentiable, scalar_rule

_DIRECTION = np.sqrt(0.5) * (-1.0 + 1.0j)


def _order_two(x):
    """J₂ at ``x e^{3πi/4}``."""
    return special.jv(2, x * complex(_DIRECTION))


scalar_rule(special.ber, lambda y, x: special.berp(x))
scalar_rule(special.bei, lambda y, x: special.beip(x))
scalar_rule(special.ker, lambda y, x: special.kerp(x))
scalar_rule(special.kei, lambda y, x: special.keip(x))
scalar_rule(special.berp, lambda y, x: 0.5 * (np.imag(_order_two(x)) - special.bei(x)))
scalar_rule(special.beip, lambda y, x: 0.5 * (special.ber(x) - np.real(_order_two(x))))
scalar_rule(special.kerp, lambda y, x: -special.kei(x) - y / x)
scalar_rule(special.keip, lambda y, x: special.ker(x) - y / x)


@scalar_rule(special.kelvin)
def _(y, x):
    be, ke, be_slope, ke_slope = y
    return (be_slope,), (ke_slope,), (0.5j * (be - _order_two(x)),), (1j * ke - ke_slope / x,)


non_differentiable(
    special.kelvin_zeros,
    special.ber_zeros,
    special.bei_zeros,
    special.berp_zeros,
    special.beip_zeros,
    special.ker_zeros,
    special.kei_zeros,
    special.kerp_zeros,
    special.keip_zeros,
)
