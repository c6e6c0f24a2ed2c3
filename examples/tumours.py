"""Which measurements tell a malignant tumour: a penalty for each of them, learnt by optimising an optimum.

A logistic regression predicts from ten measurements of cell nuclei whether a tumour is malignant. A penalty
keeps the weight of a measurement small that would only fit the noise; each measurement has a penalty of its
own. The weights are those that make the penalised loss on some patients least. The penalties are those that
make the loss on *other* patients least, with the weights that follow from them: a bilevel problem. Its
gradient goes through `minimize`, by the implicit function theorem, whatever steps the search took. Ten
penalties would need a grid of millions of fits; by the gradient it takes some dozens.

S. Gould and others, "On Differentiating Parameterized Argmin and Argmax Problems with Application to Bi-level
Optimization", arXiv:1607.05447 (2016). Data: W. N. Street, W. H. Wolberg, O. L. Mangasarian, "Nuclear feature
extraction for breast tumor diagnosis" (1993), which scikit-learn ships.

Run it with ``python examples/tumours.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer

from chainrules.ad import grad, value_and_grad

OUTPUT = Path(__file__).parent / "output"

FITTED = CHOOSING = 60  # patients to fit the weights, and to choose the penalties; the others judge both
MEASUREMENTS = 10
ITERATIONS = 25


class Patients(NamedTuple):
    """Measurements, and whether the tumour is malignant, 1, or benign, -1."""

    measured: np.ndarray  # (n, 10)
    sign: np.ndarray  # (n,)


def patients():
    """Three groups of patients, in an order without meaning."""
    data = load_breast_cancer()
    order = np.random.default_rng(0).permutation(len(data.target))
    measured, sign = data.data[order, :MEASUREMENTS], 1.0 - 2.0 * data.target[order]
    measured = (measured - measured[:FITTED].mean(axis=0)) / measured[:FITTED].std(axis=0)
    ends = (FITTED, FITTED + CHOOSING)
    return [Patients(*parts) for parts in zip(np.split(measured, ends), np.split(sign, ends), strict=True)]


def loss(weights, group):
    """How badly the weights predict a group: the mean of the logistic loss; the last weight is the offset."""
    margin = group.sign * (group.measured @ weights[:-1] + weights[-1])
    return np.mean(np.logaddexp(0.0, -margin))


def penalised_loss(weights, log_penalties, group):
    """The loss, and the squares of the weights times their penalties."""
    return loss(weights, group) + np.sum(np.exp(log_penalties) * weights[:-1] ** 2)


def fitted(log_penalties, group):
    """The weights that make the penalised loss least."""
    start = np.zeros(MEASUREMENTS + 1)
    return minimize(value_and_grad(penalised_loss), start, args=(log_penalties, group), jac=True, tol=1e-8).x


def draw(log_penalties, weights, path):
    """Show the penalty and the weight of each measurement."""
    figure = Figure(figsize=(8.0, 4.0), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    names = load_breast_cancer().feature_names[:MEASUREMENTS]
    axes[0].barh(names, log_penalties, color="tab:orange")
    axes[0].set_title("logarithm of the penalty")
    axes[1].barh(names, weights[:-1], color="tab:blue")
    axes[1].set_title("weight")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Choose the penalties, compare them with one for all, and save the picture."""
    fitting, choosing, others = patients()

    def chosen_loss(log_penalties):
        return loss(fitted(log_penalties, fitting), choosing)

    def for_all(log_penalty):
        return log_penalty * np.ones(MEASUREMENTS)

    grid = [for_all(log_penalty) for log_penalty in np.linspace(-9.0, 0.0, 10)]
    best = min(grid, key=chosen_loss)
    found = minimize(value_and_grad(chosen_loss), best, jac=True, options={"maxiter": int(iterations)})

    step = 1e-4 * np.eye(MEASUREMENTS)[0]
    difference = (chosen_loss(best + step) - chosen_loss(best - step)) / 2e-4
    print(f"Gradient by the first penalty {grad(chosen_loss)(best)[0]:.6f}, by differences {difference:.6f}")
    choices = (("hardly any", for_all(-9.0)), ("one for all", best), ("one for each", found.x))
    for name, log_penalties in choices:
        weights = fitted(log_penalties, fitting)
        right = np.mean(np.sign(others.measured @ weights[:-1] + weights[-1]) == others.sign)
        print(
            f"    {name:12} loss where it was chosen {loss(weights, choosing):.4f}, "
            f"on others {loss(weights, others):.4f}, right {100.0 * right:.1f} %"
        )
    print(f"Searches for the weights: {len(grid) + found.nfev}")

    picture = Path(folder) / "tumours.png"
    draw(found.x, fitted(found.x, fitting), picture)
    print(f"The penalties and the weights: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
