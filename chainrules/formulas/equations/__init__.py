"""Derivatives of inverses, determinants and the solutions of matrix equations."""
