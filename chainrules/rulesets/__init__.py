"""Rules, by the module that owns the primal: those for `numpy` are in `chainrules.rulesets.numpy`."""
