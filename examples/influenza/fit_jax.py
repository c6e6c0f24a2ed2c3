"""Fit the epidemic from JAX: its gradient, compiled, and its optimiser, through the same rule.

Run it with ``python examples/influenza/fit_jax.py [folder for the picture]``.
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
from jax.scipy.optimize import minimize
from model import DAYS, IN_BED, OUTPUT, START, ill, report

from chainrules.adapters import to_jax

jax.config.update("jax_enable_x64", True)
jax_ill = to_jax(ill)


@jax.jit
def loss(parameters):
    """The mean of the squared errors."""
    return jnp.mean((jax_ill(parameters, DAYS) - IN_BED) ** 2)


def main(folder=OUTPUT):
    """Fit the parameters, and report."""
    print("From JAX, by its BFGS:")
    result = minimize(loss, jnp.asarray(START), method="BFGS", options={"gtol": 1e-4})
    report(result.x, int(result.nit), Path(folder) / "influenza_jax.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
