"""Rules for the functions of `numpy.polynomial`, a file for each basis."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.polynomial import (
    chebyshev,
    configuration,
    hermite,
    hermite_e,
    laguerre,
    legendre,
    polynomial,
)
