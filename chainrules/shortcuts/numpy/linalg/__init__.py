"""Shorter ways for common calls of the rules of `numpy.linalg`."""
