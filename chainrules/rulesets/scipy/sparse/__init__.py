"""Rules for the operations of SciPy's sparse arrays and matrices."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.scipy.sparse import (
    arithmetic,
    attributes,
    constructors,
    elementwise,
    moves,
    products,
    sums,
)
