"""The tests of the bridge to JAX compute in double precision; each file skips itself where JAX is missing."""

import pytest


@pytest.fixture(autouse=True)
def double_precision():
    """JAX computes in single precision unless told otherwise."""
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture
def single_precision(double_precision):
    """As JAX is where nobody told it."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", False)
