"""Rules for the functions of `numpy.lib`."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.lib import (
    stride_tricks,
)
