"""How bad a bad day is: a skewed distribution of the returns of a share, and how sure one can be of it.

The daily returns of a share have longer tails than a normal distribution, and that of losses need not be that
of gains. Jones and Faddy's skewed t distribution has a number for each. All four parameters are found by
maximum likelihood, with exact gradients of SciPy's `logpdf`. The Hessian at the maximum, exact too, gives
their standard errors. The gradient of a quantile, which SciPy finds by a search, carries these over to the
loss that one day in a hundred exceeds. A bootstrap, which fits the distribution to samples of itself, says
whether that is true.

Data: the price of Google's share from 2004 to 2008, which Matplotlib ships. M. C. Jones, M. J. Faddy, "A skew
extension of the t distribution, with applications", Journal of the Royal Statistical Society B 65 (2003).

Run it with ``python examples/share_prices.py [folder for the picture] [samples]``.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy.optimize import minimize
from scipy.stats import jf_skew_t, norm

from chainrules.ad import grad, hessian, value_and_grad

OUTPUT = Path(__file__).parent / "output"

SAMPLES = 20
START = np.array([0.5, 0.5, 0.0, 0.0])
RARE = 0.01  # one day in a hundred


def returns_of_share():
    """By how many percent the price changed each day, on the scale of logarithms."""
    with get_sample_data("goog.npz") as prices:
        closed = prices["price_data"]["adj_close"]
    return 100.0 * np.diff(np.log(closed))


def distribution(parameters):
    """The distribution; its tails and its scale are positive, and given as logarithms."""
    log_left, log_right, location, log_scale = parameters
    return jf_skew_t(np.exp(log_left), np.exp(log_right), location, np.exp(log_scale))


def surprise(parameters, returns):
    """How improbable the returns are: minus the logarithm of the likelihood."""
    return -np.sum(distribution(parameters).logpdf(returns))


def fitted(returns):
    """The parameters of maximum likelihood."""
    return minimize(value_and_grad(surprise), START, args=(returns,), jac=True).x


def bad_day(parameters):
    """The return that one day in a hundred falls below."""
    return distribution(parameters).ppf(RARE)


def draw(returns, parameters, path):
    """Show the returns on a logarithmic scale, where tails can be seen."""
    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    axes.hist(returns, bins=60, density=True, color="lightgray", label="days")
    places = np.linspace(returns.min(), returns.max(), 300)
    axes.plot(places, distribution(parameters).pdf(places), label="skewed t")
    axes.plot(places, norm.pdf(places, returns.mean(), returns.std()), ":", label="normal")
    axes.axvline(bad_day(parameters), color="tab:red", linewidth=0.8, label="one day in a hundred")
    axes.set(yscale="log", ylim=(1e-4, 1.0), xlabel="return in a day, percent", ylabel="density")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, samples=SAMPLES):
    """Fit the distribution, say how sure it is, and save the picture."""
    returns = returns_of_share()
    parameters = fitted(returns)
    covariance = np.linalg.inv(hessian(surprise)(parameters, returns))
    errors = np.sqrt(np.diag(covariance))
    names = ("log of left tail", "log of right tail", "location", "log of scale")
    for name, value, error in zip(names, parameters, errors, strict=True):
        print(f"    {name:18} {value:+.3f} with a standard error of {error:.3f}")

    normal = -np.sum(norm.logpdf(returns, returns.mean(), returns.std()))
    print(f"Surprise: {surprise(parameters, returns):.1f}, of a normal distribution {normal:.1f}")
    slope = grad(bad_day)(parameters)
    error = np.sqrt(slope @ covariance @ slope)
    loss = -bad_day(parameters)
    print(f"One day in a hundred loses more than {loss:.2f} %, with a standard error of {error:.3f}")

    rng = np.random.default_rng(0)
    drawn = [distribution(parameters).rvs(len(returns), random_state=rng) for _ in range(int(samples))]
    spread = np.std([bad_day(fitted(sample)) for sample in drawn], ddof=1)
    print(f"The bootstrap's standard error: {spread:.3f}")

    picture = Path(folder) / "share_prices.png"
    draw(returns, parameters, picture)
    print(f"The returns and their distribution: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
