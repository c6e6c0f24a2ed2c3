"""Rules for polynomials as sums ``Σ c[k] P_k(x)``, the same for every basis `P` that NumPy has."""

from chainrules.makers.series.basis_rules import define_rules as define_rules
