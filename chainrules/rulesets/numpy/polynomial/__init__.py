"""Rules for the functions of `numpy.polynomial`, a file for each basis, and one for the classes."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.polynomial import (
    _polybase,
    chebyshev,
    configuration,
    hermite,
    hermite_e,
    laguerre,
    legendre,
    polynomial,
    polyutils,
)
