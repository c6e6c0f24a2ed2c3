"""Traced values, which stand for arrays and numbers of a program, and what can be done with them."""
