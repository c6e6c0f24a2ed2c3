"""Rules for `numpy.emath`: functions that answer with complex numbers where there is no real one."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.emath import inverses, logarithms, powers
