"""Gaussian processes: a covariance, the evidence of data, and a forecast."""

from gaussian_processes.process import forecast, log_evidence, squared_exponential

__all__ = ["forecast", "log_evidence", "squared_exponential"]
