"""Rules for the functions of `numpy.linalg`.

Where a file names no other source, the equations are those of M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008.
"""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.linalg import (
    aliases,
    cholesky,
    cond,
    det,
    eig,
    eigh,
    inv,
    lstsq,
    matrix_power,
    matrix_rank,
    multi_dot,
    norm,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    tensor,
)
