"""Computations without rules, for operations and for rules: LAPACK, quadrature, series, lazy matrices."""
