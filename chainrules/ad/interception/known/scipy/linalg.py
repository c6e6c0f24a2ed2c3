"""Functions whose code cannot be followed, and what to write in their place."""

from chainrules.ad.values.facts import fact

fact(
    "scipy.linalg._decomp_cossin.cossin",
    refused="It has no rule: write `scipy.linalg.svd` of a block, whose values are the cosines or sines.",
)
