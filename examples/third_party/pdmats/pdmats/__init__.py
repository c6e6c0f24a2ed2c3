"""Positive-definite matrices that carry their Cholesky factor."""

from pdmats.matrix import PDMat, logdet, pdmat, quad
from pdmats.projection import PDMatProjector

__all__ = ["PDMat", "PDMatProjector", "logdet", "pdmat", "quad"]
