"""Ordinary differential equations, solved by the classical method of Runge and Kutta."""

from runge_kutta.solver import RK4, Tableau, solve

__all__ = ["RK4", "Tableau", "solve"]
