"""Forecast sunspots, by a Gaussian process whose covariance matrix is banded.

Sunspots have been counted for three centuries. They come and go in a cycle of some eleven years, which drifts
and differs in height. A Gaussian process says how alike two years are by their distance t alone: its *kernel*

    k(t) = a² w(t / r) exp(-2 sin²(π t / p) / s²)

is periodic with the period p and the smoothness s, and falls to zero, by Wendland's function w, at the
reach r. Years that are further apart know nothing of each other, and so the covariance matrix is banded:
SciPy's `cholesky_banded` and `cho_solve_banded` compute the probability of n years in a time that grows with
n, not with n³. The gradient by the parameters runs through both, and only bands are stored.

Data: yearly means, NOAA National Geophysical Data Center; public domain. The periodic kernel is equation 4.31
of C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006); the function w is
from H. Wendland, "Piecewise polynomial, positive definite and compactly supported radial functions of minimal
degree" (1995).

Run it with ``python examples/sunspots.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import cho_solve_banded, cholesky_banded
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

FIRST_YEAR = 1700

# fmt: off
SUNSPOTS = np.array([
    5, 11, 16, 23, 36, 58, 29, 20, 10, 8, 3, 0, 0, 2, 11, 27, 47, 63, 60, 39, 28, 26, 22, 11, 21, 40,
    78, 122, 103, 73, 47, 35, 11, 5, 16, 34, 70, 81, 111, 101, 73, 40, 20, 16, 5, 11, 22, 40, 60, 80.9,
    83.4, 47.7, 47.8, 30.7, 12.2, 9.6, 10.2, 32.4, 47.6, 54, 62.9, 85.9, 61.2, 45.1, 36.4, 20.9, 11.4,
    37.8, 69.8, 106.1, 100.8, 81.6, 66.5, 34.8, 30.6, 7, 19.8, 92.5, 154.4, 125.9, 84.8, 68.1, 38.5,
    22.8, 10.2, 24.1, 82.9, 132, 130.9, 118.1, 89.9, 66.6, 60, 46.9, 41, 21.3, 16, 6.4, 4.1, 6.8, 14.5,
    34, 45, 43.1, 47.5, 42.2, 28.1, 10.1, 8.1, 2.5, 0, 1.4, 5, 12.2, 13.9, 35.4, 45.8, 41.1, 30.1, 23.9,
    15.6, 6.6, 4, 1.8, 8.5, 16.6, 36.3, 49.6, 64.2, 67, 70.9, 47.8, 27.5, 8.5, 13.2, 56.9, 121.5, 138.3,
    103.2, 85.7, 64.6, 36.7, 24.2, 10.7, 15, 40.1, 61.5, 98.5, 124.7, 96.3, 66.6, 64.5, 54.1, 39, 20.6,
    6.7, 4.3, 22.7, 54.8, 93.8, 95.8, 77.2, 59.1, 44, 47, 30.5, 16.3, 7.3, 37.6, 74, 139, 111.2, 101.6,
    66.2, 44.7, 17, 11.3, 12.4, 3.4, 6, 32.3, 54.3, 59.7, 63.7, 63.5, 52.2, 25.4, 13.1, 6.8, 6.3, 7.1,
    35.6, 73, 85.1, 78, 64, 41.8, 26.2, 26.7, 12.1, 9.5, 2.7, 5, 24.4, 42, 63.5, 53.8, 62, 48.5, 43.9,
    18.6, 5.7, 3.6, 1.4, 9.6, 47.4, 57.1, 103.9, 80.6, 63.6, 37.6, 26.1, 14.2, 5.8, 16.7, 44.3, 63.9,
    69, 77.8, 64.9, 35.7, 21.2, 11.1, 5.7, 8.7, 36.1, 79.7, 114.4, 109.6, 88.8, 67.8, 47.5, 30.6, 16.3,
    9.6, 33.2, 92.6, 151.6, 136.3, 134.7, 83.9, 69.4, 31.5, 13.9, 4.4, 38, 141.7, 190.2, 184.8, 159,
    112.3, 53.9, 37.5, 27.9, 10.2, 15.1, 47, 93.8, 105.9, 105.5, 104.5, 66.6, 68.9, 38, 34.5, 15.5,
    12.6, 27.5, 92.5, 155.4, 154.6, 140.4, 115.9, 66.6, 45.9, 17.9, 13.4, 29.4, 100.2, 157.6, 142.6,
    145.7, 94.3, 54.6, 29.9, 17.5, 8.6, 21.5, 64.3, 93.3, 119.6, 111, 104, 63.7, 40.4, 29.8, 15.2, 7.5,
    2.9,
])
# fmt: on

TRAINING_YEARS = 250  # the rest, from 1950 on, is foretold
FURTHEST = 60  # years: how many diagonals are stored, and so the longest reach
CYCLE = 11  # years, also how far ahead is foretold
ITERATIONS = 60

# Logarithms of a, r, p, s, and of the deviation of single years: where the fit begins, and its bounds.
START = np.log([2.5, 30.0, 10.0, 1.0, 1.0])
BOUNDS = np.log([(0.1, 50.0), (5.0, FURTHEST), (8.0, 14.0), (0.1, 10.0), (0.01, 10.0)])


# --- The model -----------------------------------------------------------------------------------


def kernel(parameters, distance):
    """How alike years are that are `distance` apart."""
    amplitude, reach, period, smoothness, _ = np.exp(parameters)
    near = np.maximum(1.0 - distance / reach, 0.0)
    window = near**4 * (4.0 * distance / reach + 1.0)
    return amplitude**2 * window * np.exp(-2.0 * np.sin(np.pi * distance / period) ** 2 / smoothness**2)


def covariance(parameters, years):
    """The diagonals of the covariance matrix of years in a row, the main one last: ``(FURTHEST, years)``."""
    lags = np.arange(FURTHEST)
    noise = np.exp(2.0 * parameters[-1]) * (lags == 0)
    diagonals = kernel(parameters, lags) + noise
    return np.repeat(diagonals[::-1, None], years, axis=1)


def surprise(parameters, y):
    """The negative logarithm of the probability of the counts, for each year."""
    factor = cholesky_banded(covariance(parameters, len(y)))
    fit = y @ cho_solve_banded((factor, False), y)
    log_determinant = 2.0 * np.sum(np.log(factor[-1]))
    return (fit + log_determinant) / (2 * len(y)) + np.log(2 * np.pi) / 2


class Forecast(NamedTuple):
    """The expected values of years to come, and the standard deviations of the actual values from them."""

    mean: np.ndarray
    deviation: np.ndarray


def forecast(parameters, y, years):
    """Predict the years that follow on those that are known."""
    known, to_come = np.arange(len(y)), len(y) + np.arange(years)
    across = kernel(parameters, to_come - known[:, None])
    factor = cholesky_banded(covariance(parameters, len(y)))
    mean = across.T @ cho_solve_banded((factor, False), y)
    prior = kernel(parameters, 0.0) + np.exp(2.0 * parameters[-1])
    return Forecast(mean, np.sqrt(prior - np.sum(across * cho_solve_banded((factor, False), across), axis=0)))


def fit(y, iterations):
    """Minimise the surprise; returns the parameters."""
    steps = []

    def show_progress(intermediate_result):
        steps.append(intermediate_result.fun)
        if len(steps) % 3 == 0:
            print(f"    iteration {len(steps):3}   surprise {steps[-1]:.4f}", flush=True)

    result = minimize(
        value_and_grad(surprise),
        START,
        args=(y,),
        jac=True,
        method="L-BFGS-B",
        bounds=BOUNDS,
        options={"maxiter": iterations},
        callback=show_progress,
    )
    return result.x


# --- How good it is ------------------------------------------------------------------------------


def forecasts_by_distance(parameters, y):
    """Foretell each later year from 1 to 11 years before: a `Forecast` of arrays of shape ``(11, years)``."""
    means, deviations = np.full((2, CYCLE, len(y) - TRAINING_YEARS), np.nan)
    for last in range(TRAINING_YEARS - CYCLE + 1, len(y)):
        known = forecast(parameters, y[:last], CYCLE)
        for ahead in range(CYCLE):
            year = last + ahead - TRAINING_YEARS
            if 0 <= year < means.shape[1]:
                means[ahead, year], deviations[ahead, year] = known.mean[ahead], known.deviation[ahead]
    return Forecast(means, deviations)


def typical_errors(predicted, y):
    """The typical errors of forecasts and of two simple ones, on the scale of roots, for each distance."""
    actual = y[TRAINING_YEARS:]
    before = np.stack([y[TRAINING_YEARS - ahead : len(y) - ahead] for ahead in range(1, CYCLE + 1)])
    forecasts = {
        "the Gaussian process": predicted.mean,
        "as in the last year known": before,
        "as eleven years before": np.broadcast_to(before[-1], before.shape),
        "the mean": np.broadcast_to(np.mean(y[:TRAINING_YEARS]), before.shape),
    }
    return {name: np.sqrt(np.mean((f - actual) ** 2, axis=1)) for name, f in forecasts.items()}


def draw(predicted, errors, mean, path):
    """Show the counts, the forecasts from two years before, and how errors grow with the distance."""
    years = FIRST_YEAR + np.arange(len(SUNSPOTS))
    later = years[TRAINING_YEARS:]
    figure = Figure(figsize=(10, 6.5), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.5, 1))

    axes = figure.add_subplot(grid[0, :])
    axes.fill_between(years, SUNSPOTS, color="tab:orange", alpha=0.4, linewidth=0)
    axes.plot(years, SUNSPOTS, color="tab:orange", linewidth=1)
    axes.axvspan(later[0], later[-1], color="gray", alpha=0.15, label="foretold")
    axes.set(title="Sunspots", ylabel="a year's mean number", ylim=(0, None), xlim=(years[0], years[-1]))
    axes.legend(loc="upper left")

    axes = figure.add_subplot(grid[1, 0])
    center, spread = predicted.mean[1] + mean, 1.96 * predicted.deviation[1]
    low, high = (np.maximum(center + side, 0.0) ** 2 for side in (-spread, spread))
    axes.fill_between(later, low, high, color="tab:blue", alpha=0.2, linewidth=0, label="95 % interval")
    axes.plot(later, np.maximum(center, 0.0) ** 2, color="tab:blue", label="foretold")
    axes.plot(later, SUNSPOTS[TRAINING_YEARS:], "o", color="tab:orange", markersize=4, label="counted")
    axes.set(title="Foretold two years before", ylabel="a year's mean number")
    axes.set(ylim=(0, 1.15 * np.max(high)), xlim=(later[0], later[-1]))
    axes.legend(fontsize="small", loc="upper right", ncols=3)

    axes = figure.add_subplot(grid[1, 1])
    for (name, error), color in zip(
        errors.items(), ("tab:blue", "tab:red", "tab:green", "gray"), strict=True
    ):
        axes.plot(np.arange(1, CYCLE + 1), error, marker=".", color=color, label=name)
    axes.set(
        title="Typical error",
        xlabel="years ahead",
        ylabel="of the square root",
        ylim=(0, 9.5),
        xticks=range(1, CYCLE + 1, 2),
    )
    axes.legend(fontsize="small", loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Learn the kernel, say how well it foretells, and save the picture."""
    roots = np.sqrt(SUNSPOTS)  # whose deviations are alike in years with few and with many spots
    mean = np.mean(roots[:TRAINING_YEARS])
    y = roots - mean
    print(f"Learning the cycle from {TRAINING_YEARS} years:")
    parameters = fit(y[:TRAINING_YEARS], int(iterations))
    _, reach, period, _, _ = np.exp(parameters)
    print(f"The cycle takes {period:.1f} years; years know of each other up to {reach:.0f} years apart.")

    predicted = forecasts_by_distance(parameters, y)
    errors = typical_errors(predicted, y)
    covered = np.mean(np.abs(predicted.mean - y[TRAINING_YEARS:]) < 1.96 * predicted.deviation)
    print(f"Typical error of the {len(y) - TRAINING_YEARS} years from {FIRST_YEAR + TRAINING_YEARS} on:")
    for name, error in errors.items():
        print(f"    {name:26} 1 year ahead {error[0]:.2f}   2 years {error[1]:.2f}   5 years {error[4]:.2f}")
    print(f"In the 95 % interval: {covered:.2f}")
    picture = Path(folder) / "sunspots.png"
    draw(predicted, errors, mean, picture)
    print(f"The counts and the forecasts: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
