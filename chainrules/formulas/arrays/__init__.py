"""Derivatives of functions that move, join, sum and contract arrays."""
