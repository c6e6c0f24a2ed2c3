"""Zeros of Bessel functions are found by whole numbers, the order and how many: they have no derivative."""

from scipy import special

from chainrules_core import non_differentiable

non_differentiable(
    special.jnjnp_zeros,
    special.jnyn_zeros,
    special.jn_zeros,
    special.jnp_zeros,
    special.yn_zeros,
    special.ynp_zeros,
    special.y0_zeros,
    special.y1_zeros,
    special.y1p_zeros,
)
