"""Rules for Python's builtin functions and types."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.builtins import (
    attributes,
    calls,
    containers,
    dicts,
    extrema,
    inspection,
    numbers,
    sums,
)
