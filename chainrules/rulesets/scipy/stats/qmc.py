"""Rules for samples of quasi-Monte Carlo methods: between the unit cube and boxes."""

from scipy.stats import qmc

from chainrules.makers.composed_rules import composed_rule


def _scale(sample, l_bounds, u_bounds, *, reverse=False):
    if reverse:
        return lambda x, low, high: (x - low) / (high - low)
    return lambda x, low, high: x * (high - low) + low


composed_rule(qmc.scale, _scale, 3)
