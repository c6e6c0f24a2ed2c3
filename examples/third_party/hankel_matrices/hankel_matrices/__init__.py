"""Matrices that are constant along their antidiagonals."""

from hankel_matrices.matrix import Hankel, multiply
from hankel_matrices.projection import HankelProjector

__all__ = ["Hankel", "HankelProjector", "multiply"]
