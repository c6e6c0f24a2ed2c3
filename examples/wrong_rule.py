"""A wrong rule: its fit converges, and only the tester says that it is wrong.

A measurement is repeated. Its mean and its variance are fitted by maximum likelihood. The first rule for the
likelihood has lost a factor in one derivative. Nothing crashes: descent takes the wrong gradient, ends where
that is zero, and finds twice the variance. One call of `test_rrule` finds the mistake: it says which
derivative is wrong, and what was expected. The mended rule passes, and its fit agrees with the formulas.

Run it by ``python examples/wrong_rule.py [folder for the picture]``.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from chainrules.ad import grad
from chainrules_core import NoTangent, primitive, rrule, typeof_
from chainrules_testutils import RuleTestError, test_rrule

OUTPUT = Path(__file__).parent / "output"

MEASURED = np.random.default_rng(0).normal(3.0, 1.5, size=200)
START, STEP, STEPS = (1.5, 1.0), 0.5, 200


# --- The function, and its first rule -------------------------------------------------------------


def surprise(mean, variance, x):
    """Compute ``(log v + (x - m)² / v) / 2``: how surprising a measurement is, on average."""
    return 0.5 * np.mean(np.log(variance) + (x - mean) ** 2 / variance)


@primitive
def first(mean, variance, x):
    """Compute the surprise, differentiated by a first rule."""
    return surprise(mean, variance, x)


@rrule.dispatch
def first_rrule(f: typeof_(first), mean: float, variance: float, x: np.ndarray):
    """The derivative of the square by the variance has lost its factor 1/2."""
    residual = x - mean

    def first_pullback(y_bar):
        mean_bar = -y_bar * np.mean(residual) / variance
        variance_bar = y_bar * np.mean(0.5 / variance - residual**2 / variance**2)
        return NoTangent(), mean_bar, variance_bar, y_bar * residual / (variance * x.size)

    return surprise(mean, variance, x), first_pullback


# --- The rule, mended -----------------------------------------------------------------------------


@primitive
def mended(mean, variance, x):
    """Compute the same, differentiated by the mended rule."""
    return surprise(mean, variance, x)


@rrule.dispatch
def mended_rrule(f: typeof_(mended), mean: float, variance: float, x: np.ndarray):
    """With ``r = x - m``: ``m_bar = -Σ r / n v``, ``v_bar = Σ (v - r²) / 2 n v²``, ``x_bar = r / n v``."""
    residual = x - mean

    def mended_pullback(y_bar):
        mean_bar = -y_bar * np.mean(residual) / variance
        variance_bar = y_bar * np.mean(0.5 / variance - 0.5 * residual**2 / variance**2)
        return NoTangent(), mean_bar, variance_bar, y_bar * residual / (variance * x.size)

    return surprise(mean, variance, x), mended_pullback


# --- What the tester says, and what a fit does not ------------------------------------------------


def verdict(function):
    """Compare the rule of a function with finite differences: the tester's message if it is wrong."""
    try:
        report = test_rrule(function, *START, MEASURED[:5])
    except RuleTestError as error:
        return str(error)
    return f"{report.passed} checks passed, {report.failed} failed."


def fit(function):
    """Descend along the gradient that a rule gives; returns the means, variances and surprises on the way."""
    gradient = grad(function, (0, 1))
    path = [START]
    for _ in range(STEPS):
        steps = gradient(*path[-1], MEASURED)
        path.append(tuple(value - STEP * step for value, step in zip(path[-1], steps, strict=True)))
    means, variances = np.array(path).T
    return means, variances, np.array([surprise(*values, MEASURED) for values in path])


# --- The picture ----------------------------------------------------------------------------------

COLORS = {"the first rule": "C3", "the mended rule": "C0"}


def draw(fits, to):
    """Save the paths of both fits over the surprise, the surprise on the way, and what they find."""
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    over, way, found = figure.subplots(1, 3, width_ratios=(1.3, 1, 1))

    means, variances = np.meshgrid(np.linspace(1.2, 3.7, 60), np.linspace(0.8, 5.5, 60))
    levels = np.vectorize(lambda mean, variance: surprise(mean, variance, MEASURED))(means, variances)
    over.contourf(means, variances, np.log(levels - levels.min() + 0.01), 20, cmap="Greys")
    over.set(title="Two descents over the surprise", xlabel="mean", ylabel="variance")
    found.hist(MEASURED, bins=25, density=True, color="0.8", label="measured")
    grid = np.linspace(MEASURED.min() - 1, MEASURED.max() + 1, 200)
    for name, (mean, variance, losses) in fits.items():
        over.plot(mean, variance, color=COLORS[name], label=name)
        over.plot(mean[-1], variance[-1], "o", color=COLORS[name])
        way.plot(losses, color=COLORS[name])
        density = np.exp(-((grid - mean[-1]) ** 2) / (2 * variance[-1])) / np.sqrt(2 * np.pi * variance[-1])
        found.plot(grid, density, color=COLORS[name])
    over.legend(loc="upper left")
    way.set(title="The surprise on the way", xlabel="step")
    found.set(title="What they find", xlabel="measurement", yticks=[])
    figure.savefig(to, dpi=120)


def main(folder=OUTPUT):
    """Test both rules, fit with both, and save the picture."""
    print(f"The first rule:\n\n{verdict(first)}\n")
    fits = {"the first rule": fit(first), "the mended rule": fit(mended)}
    print(f"The mended rule: {verdict(mended)}\n")

    for name, (means, variances, losses) in fits.items():
        print(f"By {name} the surprise falls from {losses[0]:.3f} to {losses[-1]:.3f}:", end=" ")
        print(f"mean {means[-1]:.3f}, variance {variances[-1]:.3f}.")
    print(f"By the formulas: mean {np.mean(MEASURED):.3f}, variance {np.var(MEASURED):.3f}.")

    picture = Path(folder) / "wrong_rule.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(fits, picture)
    print(f"The picture is in {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
