"""Fit the epidemic from NumPy: `chainrules.ad` has the gradient, SciPy the optimiser.

Run it with ``python examples/influenza/fit_numpy.py [folder for the picture]``.
"""

import sys
from pathlib import Path

import numpy as np
from model import DAYS, IN_BED, OUTPUT, START, ill, report
from scipy.optimize import minimize

from chainrules.ad import value_and_grad


def loss(parameters):
    """The mean of the squared errors."""
    return np.mean((ill(parameters, DAYS) - IN_BED) ** 2)


def main(folder=OUTPUT):
    """Fit the parameters, and report."""
    print("From NumPy, by SciPy's BFGS:")
    result = minimize(value_and_grad(loss), START, jac=True, method="BFGS", options={"gtol": 1e-4})
    report(result.x, result.nit, Path(folder) / "influenza_numpy.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
