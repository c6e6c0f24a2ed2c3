"""Recognise handwritten digits by a small convolutional network, written out in NumPy.

There are two layers of 3 by 3 filters, where the second sees the results of the first; then the largest value
of each quarter, and ten scores: some 1900 parameters in a dict, trained by Adam on small batches. A
convolution is a sum over the nine places of a filter, each a slice of the pictures times a matrix, so that it
needs no function of its own; the gradient of all of it is `value_and_grad`.

D. P. Kingma and J. L. Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 1.

Run it with ``python examples/convolutions.py [folder for the picture] [epochs]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

TRAINING_SIZE = 1300
FILTERS, DEEPER_FILTERS, CLASSES = 8, 16, 10
EPOCHS, BATCH = 15, 50
RATE, DECAY, DECAY_OF_SQUARES = 5e-3, 0.9, 0.999


class Digits(NamedTuple):
    """Pictures with ink from 0 to 1, and which digit each one shows."""

    pictures: np.ndarray  # (n, 8, 8, 1): the last axis are channels
    labels: np.ndarray  # (n,), integers from 0 to 9

    def choose(self, rows):
        """Some of the pictures, with their labels."""
        return Digits(self.pictures[rows], self.labels[rows])


def load_data():
    """Load scikit-learn's digits: a part to train on, and a part that training does not see."""
    pictures, labels = load_digits(return_X_y=True)
    digits = Digits(pictures.reshape(-1, 8, 8, 1) / 16, labels)
    order = np.random.default_rng(0).permutation(len(labels))
    return digits.choose(order[:TRAINING_SIZE]), digits.choose(order[TRAINING_SIZE:])


# --- The model -----------------------------------------------------------------------------------


def initial_parameters(rng):
    """Draw filters and weights of a size at which the numbers that pass through them keep theirs."""

    def normal(*shape):
        return rng.normal(scale=np.sqrt(2 / np.prod(shape[:-1])), size=shape)

    return {
        "filters": normal(3, 3, 1, FILTERS),
        "deeper_filters": normal(3, 3, FILTERS, DEEPER_FILTERS),
        "weights": normal(4 * DEEPER_FILTERS, CLASSES),
        "biases": np.zeros(CLASSES),
    }


def convolve(x, filters):
    """Look for each filter at each place: from ``(n, h, w, c)`` to ``(n, h - 2, w - 2, filters)``."""
    _, height, width, _ = x.shape
    return sum(
        x[:, i : i + height - 2, j : j + width - 2] @ filters[i, j] for i in range(3) for j in range(3)
    )


def scores_of(parameters, pictures):
    """Score each picture for each digit: shape ``(n, 10)``."""
    x = np.maximum(convolve(pictures, parameters["filters"]), 0.0)  # (n, 6, 6, 8)
    x = np.maximum(convolve(x, parameters["deeper_filters"]), 0.0)  # (n, 4, 4, 16)
    x = np.max(x.reshape(len(x), 2, 2, 2, 2, DEEPER_FILTERS), axis=(2, 4))  # of each quarter
    return x.reshape(len(x), -1) @ parameters["weights"] + parameters["biases"]


def loss(parameters, digits):
    """How surprised the model is by the labels, on average."""
    scores = scores_of(parameters, digits.pictures)
    scores = scores - np.max(scores, axis=1, keepdims=True)  # so that no exponential overflows
    log_probabilities = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(log_probabilities[np.arange(len(digits.labels)), digits.labels])


def accuracy(parameters, digits):
    """Tell which fraction of the pictures is recognised."""
    return np.mean(np.argmax(scores_of(parameters, digits.pictures), axis=1) == digits.labels)


# --- Training ------------------------------------------------------------------------------------


class Adam:
    """Steps against gradients, at a rate of its own for each parameter."""

    def __init__(self, parameters):
        self.parameters = parameters
        self._means = {name: np.zeros_like(x) for name, x in parameters.items()}
        self._squares = {name: np.zeros_like(x) for name, x in parameters.items()}
        self._steps = 0

    def step(self, gradient):
        """Move the parameters, by one step."""
        self._steps += 1
        for name, x_bar in gradient.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - DECAY) * (x_bar - mean)
            square += (1 - DECAY_OF_SQUARES) * (x_bar**2 - square)
            direction = mean / (1 - DECAY**self._steps)
            size = np.sqrt(square / (1 - DECAY_OF_SQUARES**self._steps))
            self.parameters[name] -= RATE * direction / (size + 1e-8)


def fit(train, epochs):
    """Train; returns the parameters, and the mean loss in each epoch."""
    rng = np.random.default_rng(0)
    optimizer = Adam(initial_parameters(rng))
    differentiated = value_and_grad(loss)
    losses = []
    for epoch in range(1, epochs + 1):
        values = []
        order = rng.permutation(len(train.labels))
        for rows in np.split(order, range(BATCH, len(order), BATCH)):
            value, gradient = differentiated(optimizer.parameters, train.choose(rows))
            optimizer.step(gradient)
            values.append(value)
        losses.append(np.mean(values))
        if epoch % 5 == 0:
            print(f"    epoch {epoch:3}   loss {losses[-1]:.4f}", flush=True)
    return optimizer.parameters, losses


# --- The picture ---------------------------------------------------------------------------------


def draw(parameters, losses, digits, path):
    """Show the filters, the pictures that the network takes for something else, and the loss over time."""
    answers = np.argmax(scores_of(parameters, digits.pictures), axis=1)
    wrong = np.flatnonzero(answers != digits.labels)
    figure = Figure(figsize=(10, 6.5), layout="constrained")
    top, middle, bottom = figure.subfigures(3, 1, height_ratios=(1, 1.1, 2))

    top.suptitle("The filters: red answers to dark pixels, blue to white ones")
    for place, axes in enumerate(top.subplots(1, FILTERS)):
        axes.imshow(parameters["filters"][:, :, 0, place], cmap="RdBu_r", vmin=-2, vmax=2)
        axes.set_axis_off()

    middle.suptitle(f"Mistaken: {len(wrong)} of {len(answers)} that training has not seen; some of them")
    for axes in middle.subplots(1, FILTERS):
        axes.set_axis_off()
    for axes, row in zip(middle.axes, wrong, strict=False):
        axes.imshow(digits.pictures[row, :, :, 0], cmap="gray_r")
        axes.set_title(f'"{answers[row]}", is {digits.labels[row]}', color="tab:red", fontsize="medium")

    axes = bottom.subplots()
    axes.semilogy(np.arange(1, len(losses) + 1), losses, marker=".")
    axes.set(title="The loss", xlabel="epoch", ylabel="loss")
    axes.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, epochs=EPOCHS):
    """Train the network, say how good it is, and save the picture."""
    train, held_out = load_data()
    number = sum(x.size for x in initial_parameters(np.random.default_rng(0)).values())
    print(f"Training {number} parameters on {len(train.labels)} pictures:")
    parameters, losses = fit(train, int(epochs))
    print(f"Accuracy on {len(held_out.labels)} pictures held out: {accuracy(parameters, held_out):.3f}")
    picture = Path(folder) / "convolutions.png"
    draw(parameters, losses, held_out, picture)
    print(f"The filters, the mistakes and the loss: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
