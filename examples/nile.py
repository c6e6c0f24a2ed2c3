"""Smooth a century of the Nile, by a Kalman filter whose variances are learnt.

The yearly flow y of the Nile at Aswan is a level a that wanders, and noise beside it:

    y[t] = a[t] + ε[t],  ε ~ N(0, v)        a[t + 1] = a[t] + η[t],  η ~ N(0, w)

The Kalman filter goes through the years with what is known of the level, its mean and its variance, and
foretells the next flow. How likely the flows are under these forecasts depends on v and w, which are found
by its gradient. The smoother of Rauch, Tung and Striebel then goes back, and lets the later years tell too.

Data: annual flow from 1871 to 1970 in 10⁸ m³, from G. W. Cobb, "The problem of the Nile" (1978). The model,
and what its variances are: J. Durbin and S. J. Koopman, "Time Series Analysis by State Space Methods" (2012),
chapter 2.

Run it with ``python examples/nile.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

FIRST_YEAR = 1871

# fmt: off
FLOWS = np.array([
    1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958,
    1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020,
    1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796,
    1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874,
    848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718,
    714, 740,
], dtype=float)
# fmt: on

ITERATIONS = 50

# Logarithms of the variances of the noise and of the steps of the level: where the search begins.
START = np.log([10_000.0, 10_000.0])

NOTHING_IS_KNOWN = 1e7  # the variance of the first level


# --- The model -----------------------------------------------------------------------------------


def filtered(parameters, flows):
    """Go forward: what the flows before each year say of its level, and what its own flow adds.

    Returns the means and variances of the levels, foretold and known, each of shape ``(years,)``.
    """
    noise, step = np.exp(parameters)
    foretold, known = np.zeros((2, 2, len(flows)))
    mean, variance = 0.0, NOTHING_IS_KNOWN
    for year, flow in enumerate(flows):
        foretold[:, year] = mean, variance
        gain = variance / (variance + noise)
        mean, variance = mean + gain * (flow - mean), (1.0 - gain) * variance
        known[:, year] = mean, variance
        variance = variance + step
    return foretold, known


def loss(parameters, flows):
    """The negative logarithm of how likely the flows are, after the first, which tells the level."""
    (means, variances), _ = filtered(parameters, flows)
    variances = (variances + np.exp(parameters[0]))[1:]
    errors = (flows - means)[1:]
    return 0.5 * np.sum(np.log(2.0 * np.pi * variances) + errors**2 / variances)


def smoothed(parameters, flows):
    """Go back: means and variances of the levels by all flows, the later ones too; shape ``(2, years)``."""
    foretold, known = filtered(parameters, flows)
    levels = known.copy()
    for year in reversed(range(len(flows) - 1)):
        (mean, variance), (next_mean, next_variance) = known[:, year], foretold[:, year + 1]
        gain = variance / next_variance
        levels[0, year] = mean + gain * (levels[0, year + 1] - next_mean)
        levels[1, year] = variance + gain**2 * (levels[1, year + 1] - next_variance)
    return levels


def fit(flows, iterations):
    """Minimise the loss; returns the parameters."""
    losses = []

    def show_progress(intermediate_result):
        losses.append(intermediate_result.fun)
        print(f"    iteration {len(losses):3}   loss {losses[-1]:.4f}", flush=True)

    result = minimize(
        value_and_grad(loss),
        START,
        args=(flows,),
        jac=True,
        method="BFGS",
        options={"maxiter": iterations},
        callback=show_progress,
    )
    return result.x


# --- What it shows -------------------------------------------------------------------------------


def draw(levels, flows, path):
    """Show the flows, and the level with the range that it lies in nineteen times out of twenty."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots()
    years, (means, variances) = FIRST_YEAR + np.arange(len(flows)), levels
    reach = 1.96 * np.sqrt(variances)
    axes.plot(years, flows, "o", color="gray", markersize=3, label="flow of the year")
    axes.plot(years, means, color="tab:blue", label="level, by all years")
    axes.fill_between(years, means - reach, means + reach, color="tab:blue", alpha=0.2, label="95 %")
    axes.axvline(1898.5, color="tab:red", linestyle=":", label="the dam at Aswan is begun")
    axes.set(title="The flow of the Nile, and its level by a Kalman smoother", xlabel="year")
    axes.set(ylabel="10⁸ m³ a year")
    axes.legend(fontsize="small", ncols=4)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Learn the variances, smooth the flows, and save the picture."""
    print(f"Learning from {len(FLOWS)} years:")
    parameters = fit(FLOWS, int(iterations))
    noise, step = np.exp(parameters)
    print(f"Variance of the noise {noise:.0f}, of the steps of the level {step:.0f}")
    levels = smoothed(parameters, FLOWS)
    before, after = (np.mean(levels[0, part]) for part in (slice(28), slice(28, None)))
    print(f"Mean level until 1898 {before:.0f}, since 1899 {after:.0f}")
    picture = Path(folder) / "nile.png"
    draw(levels, FLOWS, picture)
    print(f"The flows and the level: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
