"""Derivatives of eigenvalues and singular values, and of their vectors."""
