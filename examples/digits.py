"""Recognise handwritten digits: fit a classifier with a gradient that runs through a rule of one's own.

The model is softmax regression: the ten scores of a picture are linear in its pixels, and training makes the
logarithm of the probability of the right digit large. All of it is ordinary NumPy, except that
`log_softmax` is *primitive*: its derivative is not found by looking inside, but is the rule written here,
which is shorter, quicker, and safe from overflow.

The program checks the rule, fits the model, and saves a picture: digits with what was said of them, the loss,
and the time of the gradient beside that of finite differences.

Run it with `make demo`, or ``python examples/digits.py [folder for the picture]``.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import approx_fprime, minimize
from sklearn.datasets import load_digits

from chainrules.ad import value_and_grad
from chainrules_core import NoTangent, primitive, rrule, typeof_
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
        return NoTangent(), y_bar - np.exp(y) * np.sum(y_bar, axis=1, keepdims=True)

    return y, log_softmax_pullback


def rrule_without_the_sum(config, f, scores):
    """Make an easy mistake: the rule is right for cotangents with one entry in each row."""
    y = log_softmax(scores)

    def log_softmax_pullback(y_bar):
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
    """Pictures as rows of standardised pixels, the digit that each one shows, and each as it was written."""

    pictures: np.ndarray  # (n, 64)
    labels: np.ndarray  # (n,), integers from 0 to 9
    images: np.ndarray  # (n, 8, 8)


def load_data():
    """Load scikit-learn's digits: a part to train on, and a part that training does not see."""
    digits = load_digits()
    pictures = digits.data
    order = np.random.default_rng(0).permutation(len(pictures))
    train, held_out = order[:TRAINING_SIZE], order[TRAINING_SIZE:]

    mean, spread = pictures[train].mean(axis=0), pictures[train].std(axis=0)
    standardised = (pictures - mean) / np.where(spread == 0, 1.0, spread)  # some corners are always white
    parts = (train, held_out)
    return tuple(Digits(standardised[part], digits.target[part], digits.images[part]) for part in parts)


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


# --- What a gradient costs -----------------------------------------------------------------------


def timed(f):
    """The result of `f`, and the seconds that the quicker of two calls took; a long call is the only one."""
    seconds = []
    while len(seconds) < 2 and sum(seconds) < 0.1:
        begin = time.perf_counter()
        result = f()
        seconds.append(time.perf_counter() - begin)
    return result, min(seconds)


def compare_with_differences(parameters, digits):
    """Time the gradient, and finite differences, which call the loss once more for each parameter."""
    (_, gradient), seconds = timed(lambda: value_and_grad(loss)(parameters, digits))
    differences, longer = timed(lambda: approx_fprime(parameters, loss, 1e-6, digits))
    error = np.max(np.abs(gradient - differences))
    print(
        f"The gradient of {parameters.size} parameters takes {1e3 * seconds:.1f} ms, finite differences "
        f"{longer / seconds:.0f} times as long; they differ by {error:.0e} at most."
    )
    return {"the gradient": seconds, "finite differences": longer}


# --- The picture ---------------------------------------------------------------------------------


def show_digits(figure, title, digits, said, rows):
    """Show pictures in a row, each below what was said of it: green where that is right, red where not."""
    figure.suptitle(title)
    for axes, row in zip(figure.subplots(1, CLASSES), rows, strict=False):
        axes.imshow(digits.images[row], cmap="gray_r")
        right = said[row] == digits.labels[row]
        words = f'"{said[row]}"' if right else f'"{said[row]}", is {digits.labels[row]}'
        axes.set_title(words, color="tab:green" if right else "tab:red", fontsize="medium")
    for axes in figure.axes:
        axes.set_axis_off()


def draw(parameters, losses, times, digits, path):
    """Show digits with what was said of them, the loss over time, and the times of both gradients."""
    said = np.argmax(scores_of(parameters, digits.pictures), axis=1)
    right, wrong = np.flatnonzero(said == digits.labels), np.flatnonzero(said != digits.labels)
    one_of_each = [right[digits.labels[right] == digit][0] for digit in range(CLASSES)]
    figure = Figure(figsize=(10, 7), layout="constrained")
    top, middle, bottom = figure.subfigures(3, 1, height_ratios=(1, 1, 2.2))
    title = f"Recognised: {len(right)} of {len(said)} that training has not seen"
    show_digits(top, title, digits, said, one_of_each)
    show_digits(middle, f"Mistaken: {len(wrong)}", digits, said, wrong)

    course, costs = bottom.subplots(1, 2, width_ratios=(1.3, 1))
    course.plot(np.arange(1, len(losses) + 1), losses, marker=".")
    course.set(title="The loss", xlabel="iteration of L-BFGS", ylabel="loss", ylim=(0, None))
    course.grid(alpha=0.3)
    milliseconds = [1e3 * seconds for seconds in times.values()]
    bars = costs.bar(list(times), milliseconds, color=("tab:blue", "tab:gray"), width=0.6)
    costs.bar_label(bars, [f"{time:.3g} ms" if time < 100 else f"{time:.0f} ms" for time in milliseconds])
    costs.set(title=f"The time of {parameters.size} derivatives", ylabel="milliseconds")
    costs.margins(x=0.2, y=0.1)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT):
    """Check the rule, fit the model, say how good it is, and save the picture."""
    check_the_rule()
    train, held_out = load_data()
    print(f"Fitting {(PIXELS + 1) * CLASSES} parameters to {len(train.labels)} pictures:")
    parameters, losses = fit(train)
    print(f"Accuracy on {len(held_out.labels)} pictures held out: {accuracy(parameters, held_out):.3f}")
    times = compare_with_differences(parameters, train)
    picture = Path(folder) / "digits.png"
    draw(parameters, losses, times, held_out, picture)
    print(f"The digits, the loss and the times: {picture}")
    print("The same rule serves PyTorch and JAX: README.md shows how. Read on in docs/tutorial.md.")


if __name__ == "__main__":
    main(*sys.argv[1:])
