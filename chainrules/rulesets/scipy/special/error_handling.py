"""How special functions handle errors: settings, which have no derivatives."""

from scipy import special

from chainrules_core import non_differentiable

non_differentiable(special.seterr, special.geterr)
non_differentiable(special.errstate)
