"""Derivatives of functions of square matrices, such as powers and exponentials."""
