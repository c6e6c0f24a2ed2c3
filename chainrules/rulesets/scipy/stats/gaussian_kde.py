"""Rules for kernel density estimates, by the points and by what the estimate holds."""

import numpy as np
from scipy import stats

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.numerics.kernel_densities import log_kernel_density
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    define,
    primitive,
    rule_maker,
    typeof_,
)

KDE = stats.gaussian_kde
# The attributes on which a density depends; that of equal weights is made by the property `weights`.
_FIELDS = ("dataset", "_weights", "cho_cov")


@rule_maker
def _density(method, of_log):
    """Define the rules of a method whose value is a function of the logarithm of the density."""
    value = primitive(method)

    def composition(self):
        def density(points, *held):
            x = np.reshape(points, (self.d, -1))
            return of_log(log_kernel_density(x, *held))

        return density, [self.dataset, self.weights, self.cho_cov]

    def density_frule(tangents, f: typeof_(method), self: KDE, points: Operand):
        y = value(self, points)
        density, held = composition(self)
        of_self = tangents[1]
        is_zero = isinstance(of_self, AbstractZero)
        dots = tangents[2], *(NO_TANGENT if is_zero else getattr(of_self, name) for name in _FIELDS)
        return y, push_composition(density, (points, *held), dots)

    def density_rrule(f: typeof_(method), self: KDE, points: Operand):
        y = value(self, points)
        density, held = composition(self)

        def density_pullback(y_bar):
            points_bar, *bars = pull_composition(density, (points, *held), y_bar)
            self_bar = Tangent[KDE](**dict(zip(_FIELDS, bars, strict=True)))
            return NO_TANGENT, self_bar, ProjectTo(points)(points_bar)

        return y, density_pullback

    define(density_frule, density_rrule)


_density(KDE.evaluate, np.exp)
_density(KDE.pdf, np.exp)
_density(KDE.logpdf, lambda y: y)
