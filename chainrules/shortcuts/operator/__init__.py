"""Shorter ways for rules of the functions of `operator`."""
