"""Rules for the functions of `statistics`, and for its class of normal distributions."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.statistics import normal_dist, samples
