"""Rules for Python's operators, which are the functions of `operator`."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.operator import arithmetic, calls, in_place, items, logic
