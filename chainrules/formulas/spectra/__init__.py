"""Derivatives of eigenvalues and singular values, and of the bases of their vectors."""
