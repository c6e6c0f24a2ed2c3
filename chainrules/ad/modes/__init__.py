"""Reverse and forward mode: the records of a differentiation, and cotangents on their way back."""
