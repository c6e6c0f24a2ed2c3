"""The minimum of a quadratic function under linear inequalities, as a layer of a model."""

from quadratic_programs.solver import NotSolvedError, Solution, minimum

__all__ = ["NotSolvedError", "Solution", "minimum"]
