"""Comparisons: of values, tangents and kinds, and the finite differences that are compared with."""
