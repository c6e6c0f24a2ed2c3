"""Derivatives of special functions, by their parameters and orders too."""
