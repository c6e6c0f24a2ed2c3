"""Fit a differential equation to twenty-one years of fur: the lynx and the snowshoe hare.

The Hudson's Bay Company counted the pelts that it bought, and so recorded from 1900 to 1920 two waves of
hares and of the lynx that live on them. The equations of Lotka and Volterra for hares h and lynx l,

    dh/dt = (α - β l) h        dl/dt = (δ h - γ) l,

have four rates and two initial values to be found. They are fitted to the first years, on the scale of
logarithms; the rest is foretold. `scipy.integrate.solve_ivp` solves the equations, and the gradient is that
of its solution.

Data: E. P. Odum, "Fundamentals of Ecology" (1953), after D. A. MacLulich (1937). The model of the counts is
from B. Carpenter, "Predator-Prey Population Dynamics: the Lotka-Volterra model in Stan" (2018).

Run it with ``python examples/lynx_and_hare.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

FIRST_YEAR = 1900

# Thousands of pelts of hares and of lynx.
# fmt: off
COUNTS = np.array([
    [30.0, 4.0], [47.2, 6.1], [70.2, 9.8], [77.4, 35.2], [36.3, 59.4], [20.6, 41.7], [18.1, 19.0],
    [21.4, 13.0], [22.0, 8.3], [25.4, 9.1], [27.1, 7.4], [40.3, 8.0], [57.0, 12.3], [76.6, 19.5],
    [52.3, 45.7], [19.5, 51.1], [11.2, 29.7], [7.6, 15.8], [14.6, 9.7], [16.2, 10.1], [24.7, 8.6],
])
# fmt: on

TRAINING_YEARS = 16  # the rest is foretold
STEPS_PER_YEAR = 8
ITERATIONS = 200

# Logarithms of α, β, γ, δ, and of the hares and the lynx of the first year: where the fit begins.
START = np.log([0.6, 0.03, 0.8, 0.03, 30.0, 4.0])


# --- The model -----------------------------------------------------------------------------------


def growth(t, pelts, rates):
    """How fast both grow, by the equations of Lotka and Volterra."""
    (hares, lynx), (alpha, beta, gamma, delta) = pelts, rates
    return [(alpha - beta * lynx) * hares, (delta * hares - gamma) * lynx]


def simulate(parameters, years):
    """Compute hares and lynx several times a year: shape ``(STEPS_PER_YEAR * (years - 1) + 1, 2)``."""
    *rates, hares, lynx = np.exp(parameters)
    times = np.linspace(0, years - 1, STEPS_PER_YEAR * (years - 1) + 1)
    solution = solve_ivp(
        growth, (0, years - 1), [hares, lynx], "DOP853", t_eval=times, args=(rates,), rtol=1e-6
    )
    return solution.y.T


def yearly(parameters, years):
    """Compute hares and lynx of each year, when they were counted: shape ``(years, 2)``."""
    return simulate(parameters, years)[::STEPS_PER_YEAR]


def loss(parameters, counts):
    """How far the logarithms of the counts are from the model: the mean of the squares."""
    return np.mean((np.log(yearly(parameters, len(counts))) - np.log(counts)) ** 2)


def fit(counts, iterations):
    """Minimise the loss; returns the parameters, and the loss after each iteration."""
    losses = []

    def show_progress(intermediate_result):
        losses.append(intermediate_result.fun)
        if len(losses) % 5 == 0:
            print(f"    iteration {len(losses):3}   loss {losses[-1]:.4f}", flush=True)

    result = minimize(
        value_and_grad(loss),
        START,
        args=(counts,),
        jac=True,
        method="BFGS",
        options={"maxiter": iterations},
        callback=show_progress,
    )
    return result.x, losses


# --- How good it is ------------------------------------------------------------------------------


def compare(parameters, counts):
    """Print how wrong the forecast of the later years is, beside simpler ones."""
    known, later = np.log(counts[:TRAINING_YEARS]), np.log(counts[TRAINING_YEARS:])
    forecasts = {
        "the equations": np.log(yearly(parameters, len(counts))[TRAINING_YEARS:]),
        "the mean of the years before": np.mean(known, axis=0),
        "as in the year before them": known[-1],
    }
    print(f"Typical error of the {len(later)} years that were held out, as a factor:")
    for name, forecast in forecasts.items():
        print(f"    {name:30} {np.exp(np.sqrt(np.mean((forecast - later) ** 2))):.2f}")


def draw(parameters, counts, path):
    """Show the counts, and the model between them."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.subplots()
    years = FIRST_YEAR + np.arange(len(counts))
    model = simulate(parameters, len(counts))
    steps = np.linspace(years[0], years[-1], len(model))
    for place, (name, color) in enumerate({"hares": "tab:blue", "lynx": "tab:red"}.items()):
        axes.plot(years, counts[:, place], "o", color=color, label=f"{name}, counted")
        axes.plot(steps, model[:, place], color=color, label=f"{name}, by the equations")
    axes.axvspan(years[TRAINING_YEARS] - 0.5, years[-1] + 0.5, color="gray", alpha=0.15, label="foretold")
    axes.set(title="Pelts of hares and lynx, and the equations of Lotka and Volterra", xlabel="year")
    axes.set(ylabel="thousands of pelts", ylim=(0, 1.25 * np.max(counts)), xticks=years[::4])
    axes.set_xlim(years[0] - 0.5, years[-1] + 0.5)
    axes.legend(fontsize="small", loc="upper center", ncols=3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Fit the equations, say how well they foretell, and save the picture."""
    print(f"Fitting the equations to {TRAINING_YEARS} years:")
    parameters, _ = fit(COUNTS[:TRAINING_YEARS], int(iterations))
    alpha, beta, gamma, delta = np.exp(parameters[:4])
    print(f"Rates a year: alpha {alpha:.3f}, beta {beta:.4f}, gamma {gamma:.3f}, delta {delta:.4f}")
    compare(parameters, COUNTS)
    picture = Path(folder) / "lynx_and_hare.png"
    draw(parameters, COUNTS, picture)
    print(f"The counts and the model: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
