"""Derivatives of the factors of matrices: Cholesky, LU, QR."""
