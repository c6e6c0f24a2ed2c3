"""Rules for SciPy, by subpackage: the ones for `scipy.sparse` are in `chainrules.rulesets.scipy.sparse`."""
