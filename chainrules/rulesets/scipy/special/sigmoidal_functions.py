"""Rules for the logistic function and its inverse.

``σ' = σ(x) σ(-x)``, both factors of which keep their digits at both ends; ``(log σ)' = σ(-x)``;
``logit' = 1 / (p (1 - p))``.
"""

from scipy import special

from chainrules.values.quotients import inverse
from chainrules_core import scalar_rule

scalar_rule(special.expit, lambda y, x: y * special.expit(-x))
scalar_rule(special.log_expit, lambda y, x: special.expit(-x))
scalar_rule(special.logit, lambda y, p: inverse(p * (1.0 - p)))
