"""JAX: functions over NumPy that JAX differentiates, compiles and batches, and functions of JAX for NumPy."""

from chainrules.adapters.jax.adapting import to_jax
from chainrules.adapters.jax.calling_jax import from_jax

__all__ = ["from_jax", "to_jax"]
