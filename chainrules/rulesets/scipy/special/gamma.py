"""Rules for the gamma function and its relatives; for the incomplete functions see their own files.

``Γ' = Γ ψ``, ``ψ⁽ⁿ⁾' = ψ⁽ⁿ⁺¹⁾``: https://dlmf.nist.gov/5.2, https://dlmf.nist.gov/5.15. Quotients of gamma
functions have differences of ψ as logarithmic derivatives, which keep their digits where one argument is
far larger than the other: ``∂ log B(a, b) / ∂a = ψ(a) - ψ(a + b)``, https://dlmf.nist.gov/5.12.
"""

from scipy import special

from chainrules.formulas.numbers.precision import as_precise
from chainrules.formulas.special_functions.gamma_quotients import (
    beta_by_first,
    poch_by_m,
    poch_by_z,
    slope_of_reciprocal,
)
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.operations.polygamma import polygamma, polygamma_increment
from chainrules.values.operands import NumberOperand, Operand
from chainrules_core import NO_TANGENT, non_differentiable, scalar_rule

scalar_rule(special.gamma, lambda y, x: y * special.psi(x))
scalar_rule(special.gammaln, lambda y, x: special.psi(x))
scalar_rule(special.loggamma, lambda y, z: special.psi(z))
scalar_rule(special.rgamma, slope_of_reciprocal)
scalar_rule(special.psi, lambda y, z: polygamma(1, z))

non_differentiable(special.gammasgn)


@scalar_rule(special.polygamma)
def _(y, n: Operand, x: Operand):
    return NO_TANGENT, polygamma(n + 1, as_precise(x, y))


@scalar_rule(special.multigammaln)
def _(y, a: Operand, d: NumberOperand):
    return sum(special.psi(as_precise(a, y) - 0.5 * j) for j in range(int(d))), NO_TANGENT


lazy_scalar_rule(special.poch, poch_by_z, poch_by_m)
lazy_scalar_rule(
    special.betaln,
    lambda _, a, b: -polygamma_increment(0, a, b),
    lambda _, a, b: -polygamma_increment(0, b, a),
)
lazy_scalar_rule(special.beta, beta_by_first, lambda y, a, b: beta_by_first(y, b, a))
