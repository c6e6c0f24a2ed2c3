"""Rules for the functions of `numpy`, in files named by the headings of NumPy's reference."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy import (
    arithmetic,
    averages,
    complex_numbers,
    creation,
    diagonals,
    exponents,
    hyperbolic,
    inspection,
    linalg,
    logic,
    manipulation,
    products,
    searching,
    sums,
    triangles,
    trigonometric,
)
