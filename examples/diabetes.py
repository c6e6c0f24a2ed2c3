"""Predict how diabetes progresses, by a Gaussian process whose kernel is learnt from the data.

Ten measurements of 442 patients (age, sex, body mass, blood pressure, six values of the blood serum) are
given, and how far the disease had advanced a year later. A Gaussian process says for any two patients how
alike their progress should be: the *kernel*, here with a length for each measurement, over which the
measurement matters. The lengths, a linear part and the noise are found by making the logarithm of the
probability of the data large. Its gradient goes through two decompositions of a matrix; the program itself is
plain NumPy.

C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006), equations 2.23, 2.24
and 5.8.

Run it with ``python examples/diabetes.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import minimize
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

TRAINING_SIZE = 300
ITERATIONS = 60
SHORTEST = -1.0  # logarithm of the shortest length: between two sexes there is nothing to resolve
JITTER = 1e-8  # keeps the matrix of the kernel positive definite in floating-point numbers


class Patients(NamedTuple):
    """Measurements, and the progress of the disease; all standardised by the patients to train on."""

    measured: np.ndarray  # (n, 10)
    progress: np.ndarray  # (n,)


def load_data():
    """Load scikit-learn's data: patients to train on, others held out, and the names of the measurements."""
    data = load_diabetes(scaled=False)
    order = np.random.default_rng(0).permutation(len(data.target))
    train, held_out = order[:TRAINING_SIZE], order[TRAINING_SIZE:]

    def standardised(x):
        return (x - x[train].mean(axis=0)) / x[train].std(axis=0)

    x, y = standardised(data.data), standardised(data.target)
    return Patients(x[train], y[train]), Patients(x[held_out], y[held_out]), data.feature_names


# --- The model -----------------------------------------------------------------------------------


def unpack(parameters):
    """Split the vector that the optimizer moves: logarithms of three variances, and of ten lengths."""
    amplitude, slope, noise = np.exp(parameters[:3])
    return amplitude, slope, noise, np.exp(parameters[3:])


def kernel(parameters, a, b):
    """How alike the progress of patients is: shape ``(len(a), len(b))``."""
    amplitude, slope, _, lengths = unpack(parameters)
    a_scaled, b_scaled = a / lengths, b / lengths
    products = a_scaled @ b_scaled.T
    squares = np.sum(a_scaled**2, axis=1)[:, None] + np.sum(b_scaled**2, axis=1)[None, :]
    return amplitude * np.exp(products - squares / 2) + slope * (a @ b.T)


def covariance(parameters, x):
    """The kernel between all patients that were measured, with the noise of each."""
    _, _, noise, _ = unpack(parameters)
    return kernel(parameters, x, x) + (noise + JITTER) * np.eye(len(x))


def surprise(parameters, patients):
    """The negative logarithm of the probability of the measurements, for each patient (5.8)."""
    x, y = patients
    K = covariance(parameters, x)
    fit = y @ np.linalg.solve(K, y)
    _, log_determinant = np.linalg.slogdet(K)
    return (fit + log_determinant) / (2 * len(y)) + np.log(2 * np.pi) / 2


class Prediction(NamedTuple):
    """The expected progress of each patient, and the standard deviation of the actual progress from it."""

    mean: np.ndarray
    deviation: np.ndarray


def predict(parameters, known, x):
    """Predict the progress of new patients (2.23 and 2.24)."""
    amplitude, slope, noise, _ = unpack(parameters)
    K = covariance(parameters, known.measured)
    across = kernel(parameters, known.measured, x)
    mean = across.T @ np.linalg.solve(K, known.progress)
    prior = amplitude + slope * np.sum(x**2, axis=1) + noise
    return Prediction(mean, np.sqrt(prior - np.sum(across * np.linalg.solve(K, across), axis=0)))


def fit(patients, iterations):
    """Minimise the surprise; returns the parameters."""
    start = np.concatenate([np.log([0.5, 0.1, 0.5]), np.log(np.full(patients.measured.shape[1], 3.0))])
    steps = []

    def show_progress(intermediate_result):
        steps.append(intermediate_result.fun)
        if len(steps) % 10 == 0:
            print(f"    iteration {len(steps):3}   surprise {steps[-1]:.4f}", flush=True)

    result = minimize(
        value_and_grad(surprise),
        start,
        args=(patients,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-8.0, 8.0)] * 3 + [(SHORTEST, 8.0)] * (len(start) - 3),
        options={"maxiter": iterations},
        callback=show_progress,
    )
    return result.x


# --- How good it is ------------------------------------------------------------------------------


def explained(progress, prediction):
    """The share of the variance that a prediction explains (R²)."""
    return 1 - np.mean((progress - prediction) ** 2) / np.var(progress)


def surprise_of(progress, mean, deviation):
    """The negative logarithm of the density that a prediction gave to the actual progress, on average."""
    return np.mean(((progress - mean) / deviation) ** 2 / 2 + np.log(deviation) + np.log(2 * np.pi) / 2)


def compare(train, held_out, prediction):
    """Print how the Gaussian process and linear regression do on patients that were held out."""
    x, y = held_out
    mean, deviation = prediction
    linear = LinearRegression().fit(*train)
    residuals = train.progress - linear.predict(train.measured)
    spread = np.sqrt(np.sum(residuals**2) / (len(residuals) - train.measured.shape[1] - 1))
    covered = np.mean(np.abs(y - mean) < 1.96 * deviation)
    print(f"On {len(y)} patients held out:")
    print(
        f"    Gaussian process    explained {explained(y, mean):.3f}   "
        f"surprise {surprise_of(y, mean, deviation):.3f}   in the 95 % interval {covered:.2f}"
    )
    print(
        f"    linear regression   explained {explained(y, linear.predict(x)):.3f}   "
        f"surprise {surprise_of(y, linear.predict(x), spread):.3f}"
    )


def draw(relevance, held_out, prediction, path):
    """Show the predictions with their intervals beside the actual progress, and the lengths of the kernel."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.4, 1))
    spread = 1.96 * prediction.deviation
    left.errorbar(
        held_out.progress, prediction.mean, spread, fmt=".", elinewidth=0.5, alpha=0.7, label="95 % intervals"
    )
    ends = [held_out.progress.min(), held_out.progress.max()]
    left.plot(ends, ends, color="black", linewidth=1, label="as observed")
    left.set(title="Patients that were held out", xlabel="progress (standardised)", ylabel="predicted")
    left.legend(fontsize="small", loc="upper left")
    right.barh(list(relevance), list(relevance.values()))
    right.invert_yaxis()
    right.set(title="What the kernel looks at", xlabel="relevance beside the linear part (1 / length)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Learn the kernel, say how well it predicts, and save the picture."""
    train, held_out, names = load_data()
    print(f"Learning a kernel from {len(train.progress)} patients:")
    parameters = fit(train, int(iterations))
    prediction = predict(parameters, train, held_out.measured)
    compare(train, held_out, prediction)
    picture = Path(folder) / "diabetes.png"
    relevance = dict(zip(names, 1 / unpack(parameters)[3], strict=True))
    draw(relevance, held_out, prediction, picture)
    print(f"The predictions, and what they look at: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
