"""Rules for the functions of `numpy.linalg`.

Where a file names no other source, the equations are from M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008.
"""
