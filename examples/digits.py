"""Recognise handwritten digits: fit a classifier with a gradient that runs through a rule of one's own.

The model is softmax regression: the ten scores of a picture are linear in its pixels, and training makes the
logarithm of the probability of the right digit large. All of it is ordinary NumPy, except that
`log_softmax` is *primitive*: its derivative is not found by looking inside, but is the rule written here,
which is shorter, quicker, and safe from overflow.

Run it with `make demo`, or ``python examples/digits.py [folder for the picture]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import minimize
from sklearn.datasets import load_digits

from chainrules.ad import value_and_grad
from chainrules_core import NoTangent, primitive, rrule, typeof_, unthunk
from chainrules_testutils import RuleTestError, test_rrule

OUTPUT = Path(__file__).parent / "output"

PIXELS, CLASSES = 64, 10
TRAINING_SIZE = 1300
PENALTY = 1e-3  # on the squared weights: pictures that nobody has seen need modest ones


# --- A function with a rule of one's own ---------------------------------------------------------


@primitive
def log_softmax(scores):
    """Turn each row of scores into the logarithms of probabilities, which sum to one."""
    shifted = scores - np.max(scores, axis=1, keepdims=True)  # so that no exponential overflows
    return shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))


@rrule.dispatch
def log_softmax_rrule(f: typeof_(log_softmax), scores: np.ndarray):
    """With probabilities ``p = exp(y)``: ``scores_bar = y_bar - p Σ y_bar``, the sum along each row."""
    y = log_softmax(scores)

    def log_softmax_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), y_bar - np.exp(y) * np.sum(y_bar, axis=1, keepdims=True)

    return y, log_softmax_pullback


def rrule_without_the_sum(config, f, scores):
    """Make an easy mistake: the rule is right for cotangents with one entry in each row."""
    y = log_softmax(scores)

    def log_softmax_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), y_bar - np.exp(y) * y_bar

    return y, log_softmax_pullback


def check_the_rule():
    """Compare both rules with finite differences: the right one passes, the wrong one is caught."""
    scores = np.random.default_rng(0).normal(size=(3, 4))

    report = test_rrule(log_softmax, scores)
    print(f"The rule: {report.passed} checks passed, {report.failed} failed.")

    try:
        test_rrule(log_softmax, scores, rrule_f=rrule_without_the_sum)
    except RuleTestError as error:
        print("The same rule without its sum is rejected:")
        print("\n".join(f"    {line}" for line in str(error).splitlines()[:6]))
    else:
        raise SystemExit("A wrong rule passed its test.")


# --- The data ------------------------------------------------------------------------------------


class Digits(NamedTuple):
    """Pictures as rows of standardised pixels, and which digit each one shows."""

    pictures: np.ndarray  # (n, 64)
    labels: np.ndarray  # (n,), integers from 0 to 9


def load_data():
    """Load scikit-learn's digits: a part to train on, and a part that training does not see."""
    pictures, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(labels))
    train, held_out = order[:TRAINING_SIZE], order[TRAINING_SIZE:]

    mean, spread = pictures[train].mean(axis=0), pictures[train].std(axis=0)
    standardised = (pictures - mean) / np.where(spread == 0, 1.0, spread)  # some corners are always white
    return Digits(standardised[train], labels[train]), Digits(standardised[held_out], labels[held_out])


# --- The model -----------------------------------------------------------------------------------


def split(parameters):
    """Split the vector that the optimizer moves into the weights ``(64, 10)`` and the biases ``(10,)``."""
    return parameters[:-CLASSES].reshape(PIXELS, CLASSES), parameters[-CLASSES:]


def scores_of(parameters, pictures):
    """Score each picture for each digit: shape ``(n, 10)``."""
    weights, biases = split(parameters)
    return pictures @ weights + biases


def loss(parameters, digits):
    """How surprised the model is by the labels, on average, plus a penalty on large weights."""
    weights, _ = split(parameters)
    log_probabilities = log_softmax(scores_of(parameters, digits.pictures))
    rows = np.arange(len(digits.labels))
    surprise = -np.mean(log_probabilities[rows, digits.labels])
    return surprise + PENALTY * np.sum(weights**2)


def accuracy(parameters, digits):
    """Tell which fraction of the pictures is recognised."""
    return np.mean(np.argmax(scores_of(parameters, digits.pictures), axis=1) == digits.labels)


def fit(digits):
    """Minimise the loss; returns the parameters, and the loss after each iteration."""
    losses = []

    def show_progress(intermediate_result):
        losses.append(intermediate_result.fun)
        if len(losses) % 10 == 0:
            print(f"    iteration {len(losses):3}   loss {losses[-1]:.4f}", flush=True)

    start = np.zeros((PIXELS + 1) * CLASSES)
    result = minimize(
        value_and_grad(loss), start, args=(digits,), jac=True, method="L-BFGS-B", callback=show_progress
    )
    return result.x, losses


# --- The picture ---------------------------------------------------------------------------------


def draw(parameters, losses, path):
    """Show the weights of each digit's score (red speaks for it, blue against) and the loss over time."""
    weights, _ = split(parameters)
    largest = np.max(np.abs(weights))
    figure = Figure(figsize=(10, 6.5), layout="constrained")
    grid = figure.add_gridspec(3, 5, height_ratios=(1, 1, 1.2))
    for digit in range(CLASSES):
        axes = figure.add_subplot(grid[divmod(digit, 5)])
        image = weights[:, digit].reshape(8, 8)
        axes.imshow(image, cmap="RdBu_r", vmin=-largest, vmax=largest)
        axes.set_title(str(digit))
        axes.set_axis_off()
    axes = figure.add_subplot(grid[2, :])
    axes.plot(np.arange(1, len(losses) + 1), losses, marker=".")
    axes.set(xlabel="iteration of L-BFGS", ylabel="loss", ylim=(0, None))
    axes.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT):
    """Check the rule, fit the model, say how good it is, and save the picture."""
    check_the_rule()
    train, held_out = load_data()
    print(f"Fitting {(PIXELS + 1) * CLASSES} parameters to {len(train.labels)} pictures:")
    parameters, losses = fit(train)
    print(f"Accuracy on {len(held_out.labels)} pictures held out: {accuracy(parameters, held_out):.3f}")
    picture = Path(folder) / "digits.png"
    draw(parameters, losses, picture)
    print(f"The weights and the loss: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
