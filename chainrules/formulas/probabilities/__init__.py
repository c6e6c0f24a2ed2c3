"""Derivatives of probabilities, densities and samples, by the parameters of distributions."""
