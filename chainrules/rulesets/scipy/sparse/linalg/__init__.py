"""Rules for the functions of `scipy.sparse.linalg`."""

# ruff: noqa: F401 - importing this module registers its rules
import chainrules.rulesets.scipy.sparse.linalg.spsolve
