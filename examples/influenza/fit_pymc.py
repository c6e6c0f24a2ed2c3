"""Fit the epidemic from PyMC: its sampler NUTS needs the gradient of the likelihood, by the same rule.

What comes out is not one set of parameters, but how probable each is. The numbers of boys in bed are negative
binomial around the solution of the equations, with a dispersion that is found as well. The priors are those
of the article below, but for the number of boys who were ill on the first day, which is fixed there.

L. Grinsztajn, E. Semenova, C. C. Margossian, J. Riou, "Bayesian workflow for disease transmission modeling in
Stan", Statistics in Medicine 40 (2021), 6209-6234.

Run it with ``python examples/influenza/fit_pymc.py [folder for the picture] [draws] [chains]``.
"""

import sys
from pathlib import Path

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from matplotlib.figure import Figure
from model import BOYS, DAYS, IN_BED, OUTPUT, ill

from chainrules.adapters import to_pytensor

DRAWS = 100  # of each chain, after as many to adapt the sampler
CHAINS = 2

pytensor_ill = to_pytensor(ill)


def epidemic():
    """The model: priors, the equations, and the likelihood of what was counted."""
    with pm.Model() as model:
        # Between bounds, as the sampler tries rates of any size while it looks for its own step size, and the
        # solver takes the longer the larger they are.
        beta = pm.TruncatedNormal("beta", 2.0, 1.0, lower=0.0, upper=6.0)
        gamma = pm.TruncatedNormal("gamma", 0.4, 0.5, lower=0.0, upper=6.0)
        first = pm.TruncatedNormal("log of first", np.log(2.0), 1.0, lower=np.log(0.05), upper=np.log(50.0))
        dispersion = pm.Exponential("dispersion", 5.0)
        parameters = pt.stack([pt.log(beta), pt.log(gamma), first - np.log(BOYS)])
        expected = pm.Deterministic("ill", pytensor_ill(parameters, DAYS))
        pm.NegativeBinomial("in bed", expected, alpha=1.0 / dispersion, observed=IN_BED)
        pm.Deterministic("infected by each", beta / gamma)
    return model


def report(posterior):
    """Print the mean of each parameter, and where 90 of 100 draws are."""
    for name in ("beta", "gamma", "infected by each", "dispersion"):
        draws = posterior[name].to_numpy().ravel()
        low, high = np.quantile(draws, [0.05, 0.95])
        print(f"    {name:16} {np.mean(draws):.3f}   from {low:.3f} to {high:.3f}")


def draw(posterior, path):
    """Show the counts, and the solutions that are probable."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    solutions = posterior["ill"].to_numpy().reshape(-1, len(DAYS))
    for solution in solutions[:: max(1, len(solutions) // 100)]:
        axes.plot(1 + DAYS, solution, color="tab:blue", alpha=0.08)
    axes.plot(1 + DAYS, np.median(solutions, axis=0), color="tab:blue", label="the equations, as sampled")
    axes.plot(1 + DAYS, IN_BED, "o", color="tab:red", label="counted")
    axes.set(title="Influenza in a boarding school", xlabel="day of the epidemic", ylabel="boys in bed")
    axes.set_ylim(0, None)
    axes.legend(fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    print(f"    picture: {path}")


def main(folder=OUTPUT, draws=DRAWS, chains=CHAINS):
    """Sample the parameters, and report."""
    print("From PyMC, by its sampler NUTS:")
    with epidemic():
        samples = pm.sample(
            int(draws), tune=int(draws), chains=int(chains), cores=1, random_seed=1978, progressbar=False
        )
    report(samples.posterior)
    draw(samples.posterior, Path(folder) / "influenza_pymc.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
