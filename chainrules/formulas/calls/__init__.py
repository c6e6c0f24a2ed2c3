"""Derivatives of calls of functions that are given, and of reading fields of objects."""
