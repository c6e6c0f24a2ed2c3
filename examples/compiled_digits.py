"""Train a network on handwritten digits with `compiled` and without: the same losses in less time.

Batches are small, as they are where a network learns fast, so that most of a step is not arithmetic: the
engine makes traced values, looks rules up, and calls pullbacks. `compiled` records one step, that is the
gradient and the update, and runs it as straight-line NumPy from then on.

The program trains once with each, prints the source of the recorded gradient, and saves a picture: the loss
over the steps, which is the same, and over the seconds, which is not. Where JAX is installed, it trains the
same network with ``jax.jit`` beside them.

Run it with ``python examples/compiled_digits.py [folder for the picture] [epochs]``.
"""

import sys
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from chainrules.ad import compiled, value_and_grad

try:
    import jax
except ImportError:
    jax = None

OUTPUT = Path(__file__).parent / "output"

PIXELS, HIDDEN, CLASSES = 64, 16, 10
BATCH, EPOCHS = 16, 8
RATE, MOMENTUM = 0.05, 0.9


# --- The data ------------------------------------------------------------------------------------


def load_batches(rng):
    """Return scikit-learn's digits in batches: standardised pixels, and for each digit a one among zeros."""
    digits = load_digits()
    spread = digits.data.std(axis=0)
    pictures = (digits.data - digits.data.mean(axis=0)) / np.where(spread == 0, 1.0, spread)
    labels = np.eye(CLASSES)[digits.target]
    order = rng.permutation(len(pictures))
    whole = order[: len(order) // BATCH * BATCH].reshape(-1, BATCH)
    return [(pictures[rows], labels[rows]) for rows in whole]


# --- The network, once in NumPy's names and once in JAX's -----------------------------------------


def loss_in(xp):
    """Write the loss of a network with one hidden layer in NumPy, or in what has the names of NumPy."""

    def loss(parameters, pictures, labels):
        hidden = xp.tanh(pictures @ parameters["w1"] + parameters["b1"])
        scores = hidden @ parameters["w2"] + parameters["b2"]
        surprise = xp.log(xp.sum(xp.exp(scores), axis=1)) - xp.sum(labels * scores, axis=1)
        return xp.mean(surprise)

    return loss


def step_by(value_and_gradient):
    """Make a step of gradient descent with momentum: new parameters and velocities, and the loss before."""

    def step(parameters, velocities, pictures, labels):
        value, gradient = value_and_gradient(parameters, pictures, labels)
        velocities = {name: MOMENTUM * velocities[name] - RATE * gradient[name] for name in velocities}
        return {name: parameters[name] + velocities[name] for name in parameters}, velocities, value

    return step


def initial(rng):
    """Draw the weights at random; the biases are zero."""
    return {
        "w1": rng.normal(size=(PIXELS, HIDDEN)) / np.sqrt(PIXELS),
        "b1": np.zeros(HIDDEN),
        "w2": rng.normal(size=(HIDDEN, CLASSES)) / np.sqrt(HIDDEN),
        "b2": np.zeros(CLASSES),
    }


# --- Training ------------------------------------------------------------------------------------


def start():
    """Return the parameters and the velocities that each training starts from."""
    parameters = initial(np.random.default_rng(1))
    return parameters, {name: np.zeros_like(x) for name, x in parameters.items()}


def train(step, batches, epochs):
    """Train from the same start; returns the loss of each step, and the seconds that had passed then."""
    parameters, velocities = start()
    losses, seconds = [], []
    begin = time.perf_counter()
    for _ in range(epochs):
        for pictures, labels in batches:
            parameters, velocities, value = step(parameters, velocities, pictures, labels)
            losses.append(float(value))
            seconds.append(time.perf_counter() - begin)
    return np.array(losses), np.array(seconds)


def steps(batch):
    """Return the same step in each way: plain, compiled, and with JAX where it is installed."""
    plain = step_by(value_and_grad(loss_in(np)))
    plain(*start(), *batch)  # so that nobody's time has the import of the rules in it
    ways = {"value_and_grad": plain, "compiled": compiled(plain, strict=True)}
    if jax is not None:
        jax.config.update("jax_enable_x64", True)
        ways["jax.jit"] = jax.jit(step_by(jax.value_and_grad(loss_in(jax.numpy))))
    return ways


# --- The picture ---------------------------------------------------------------------------------


def smooth(losses, width):
    """Return the mean of the steps of an epoch."""
    return np.convolve(losses, np.ones(width) / width, mode="valid")


def draw(runs, width, path):
    """Show the loss over the steps and over the seconds, and the milliseconds of a step."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    over_steps, over_seconds, bars = figure.subplots(1, 3, width_ratios=(1, 1, 0.7))
    colors = dict(zip(runs, ("tab:orange", "tab:blue", "tab:green"), strict=False))
    styles = dict(zip(runs, ("-", "--", ":"), strict=False))
    for name, (losses, seconds) in runs.items():
        mean = smooth(losses, width)
        look = {"color": colors[name], "linestyle": styles[name], "label": name}
        over_steps.semilogy(np.arange(len(mean)), mean, **look)
        over_seconds.semilogy(seconds[-len(mean) :], mean, **look)
    over_steps.set(title="The same losses", xlabel="steps", ylabel="loss")
    over_seconds.set(title="in other times", xlabel="seconds, with recording and compiling")
    over_seconds.set_xlim(left=0)
    over_steps.legend()
    names = list(runs)
    times = [1e3 * typical(seconds) for _, seconds in runs.values()]
    bars.barh(names, times, color=[colors[name] for name in names])
    bars.bar_label(bars.containers[0], fmt="%.2f", padding=3)
    bars.set(title="A step takes", xlabel="milliseconds", xlim=(0, 1.25 * max(times)))
    bars.invert_yaxis()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def typical(seconds):
    """Return the time that a step takes, once the first ones are over."""
    return float(np.median(np.diff(seconds)))


def main(folder=OUTPUT, epochs=EPOCHS):
    """Train in each way, compare, and save the picture."""
    batches = load_batches(np.random.default_rng(0))
    ways = steps(batches[0])
    runs = {name: train(step, batches, int(epochs)) for name, step in ways.items()}
    plain, quick = runs["value_and_grad"], runs["compiled"]

    print("The gradient of the loss, as it was recorded:\n")
    print(compiled(value_and_grad(loss_in(np))).source(start()[0], *batches[0]))
    (recorded,) = ways["compiled"].variants
    print(f"A step has {recorded.operations} operations.")
    print(f"{recorded.calls} of {len(quick[0])} steps ran what was recorded.")
    apart = np.max(np.abs(quick[0] - plain[0]))
    print(f"The losses fall from {plain[0][0]:.3f} to {plain[0][-1]:.3f}.")
    print(f"With and without compiled they differ by {apart:.0e} at most.")
    for name, (_, seconds) in runs.items():
        times = typical(plain[1]) / typical(seconds)
        print(f"    {name:16} {1e3 * typical(seconds):6.2f} ms a step, {times:4.1f} times as fast")
    picture = Path(folder) / "compiled_digits.png"
    draw(runs, len(batches), picture)
    print(f"The losses over the steps and the seconds: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
