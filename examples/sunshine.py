"""From the sunshine of each month to that of each day: a spline that is fitted through its integral.

The station at London Heathrow reports how many hours the sun shone in each month. The rate from day to day,
in hours a day, is a function whose integrals over the months are these numbers. Here it is a cubic spline
that repeats every year. The logarithms of its values in the middle of each month are found by their gradient:
that of `CubicSpline` and of its integrals.

Data: Met Office, averages of the years 1981 to 2010 at Heathrow.

Run it with ``python examples/sunshine.py [folder for the picture] [iterations]``.
"""

import itertools
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

HOURS = np.array([61.5, 77.9, 114.6, 168.7, 198.5, 204.3, 212.0, 204.7, 149.3, 116.5, 72.6, 52.0])
DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
STARTS = np.concatenate([[0.0], np.cumsum(DAYS)])  # of the months, and of the next year
MIDDLES = STARTS[:-1] + 0.5 * DAYS
ROUGHNESS = 1e-4  # how much a bend of the curve counts, beside an error
ITERATIONS = 200


def rate(parameters):
    """Make the spline of the hours a day, of the logarithms of its values in the middle of the months."""
    values, places = np.exp(parameters), np.append(MIDDLES, MIDDLES[0] + 365.0)
    return CubicSpline(places, np.concatenate([values, values[:1]]), bc_type="periodic")


def monthly(parameters):
    """Compute the hours of each month: the integrals of the spline."""
    spline = rate(parameters)
    return np.stack([spline.integrate(start, end) for start, end in itertools.pairwise(STARTS)])


def loss(parameters, hours):
    """How far the months are from what was reported, and how much the curve bends."""
    bends = rate(parameters)(MIDDLES, 2) * np.mean(DAYS) ** 2
    return np.mean((monthly(parameters) - hours) ** 2) + ROUGHNESS * np.mean(bends**2)


def fit(hours, iterations):
    """Minimise the loss; returns the parameters, and the loss after each iteration."""
    losses = []
    result = minimize(
        value_and_grad(loss),
        np.full(12, np.log(np.sum(hours) / 365)),
        args=(hours,),
        jac=True,
        method="BFGS",
        options={"maxiter": iterations},
        callback=lambda intermediate_result: losses.append(intermediate_result.fun),
    )
    return result.x, losses


def draw(parameters, hours, path):
    """Show the months as steps, and the curve with the same integrals."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.subplots()
    days = np.linspace(0.0, 365.0, 366)
    axes.stairs(hours / DAYS, STARTS, fill=True, color="tab:orange", alpha=0.3, label="mean of the month")
    axes.plot(days, rate(parameters)(days), color="tab:red", label="spline with these integrals")
    axes.plot(MIDDLES, np.exp(parameters), "o", color="tab:red", label="its fitted values")
    axes.set(title="Sunshine at London Heathrow", ylabel="hours a day", xticks=STARTS[:-1], xlim=(0, 365))
    axes.set_xticklabels(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
    axes.legend(fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Fit the spline, say how near its integrals are, and save the picture."""
    parameters, losses = fit(HOURS, int(iterations))
    print(f"Fitted in {len(losses)} iterations, loss {losses[-1]:.4f}")
    print(f"Largest error of a month: {np.max(np.abs(monthly(parameters) - HOURS)):.2f} hours")
    days = np.linspace(0.0, 365.0, 366)
    brightest = int(np.argmax(rate(parameters)(days)))
    print(f"The sun shines longest on day {brightest}: {rate(parameters)(brightest):.2f} hours")
    picture = Path(folder) / "sunshine.png"
    draw(parameters, HOURS, picture)
    print(f"The months and the curve: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
