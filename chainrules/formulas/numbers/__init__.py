"""Partial derivatives of functions of numbers, elementwise."""
