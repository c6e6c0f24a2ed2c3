"""Rules for the functions of `scipy.sparse.linalg`."""

# ruff: noqa: F401 - importing these modules registers their rules
import chainrules.rulesets.scipy.sparse.linalg.matrix_power
import chainrules.rulesets.scipy.sparse.linalg.norm
import chainrules.rulesets.scipy.sparse.linalg.spsolve
