"""JAX: functions over NumPy that JAX differentiates, compiles and batches, and functions of JAX for NumPy."""

from chainrules.adapters.jax.adapting import to_jax

__all__ = ["to_jax"]
