"""Rules for SciPy, by subpackage: those for `scipy.sparse` are in `chainrules.rulesets.scipy.sparse`."""
