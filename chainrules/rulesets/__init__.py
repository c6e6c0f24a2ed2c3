"""Rules by the module that owns the primal: the rules for `numpy.linalg` are in `chainrules.rulesets.numpy.linalg`."""
