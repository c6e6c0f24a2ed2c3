"""Maps ``x -> A x + b``, and functions of them."""

from affine_maps.maps import AffineMap, Vector, apply, largest_entry, softplus
from affine_maps.projection import AffineMapProjector

__all__ = ["AffineMap", "AffineMapProjector", "Vector", "apply", "largest_entry", "softplus"]
