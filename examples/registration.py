"""Bring two pictures of a head into line, by the gradient through `scipy.ndimage`.

The second picture of a patient is turned, stretched, moved and darker, and has noise of its own.
*Registration* finds the affine map that undoes this: the matrix A and the offset b for which the moving
picture, read at the places A x + b, is most like the fixed one. How unlike two pictures are is one minus
their correlation, which does not ask how bright they are. `scipy.ndimage.affine_transform` reads between the
pixels by cubic splines, and its rule gives the gradient by A and b.

A picture has too many edges for a search to find its way from afar. So both are blurred first, much and then
less, and each search begins where the one before ended.

Data: a slice of a head by magnetic resonance, which Matplotlib ships as an example. The registration from
coarse to fine, by splines: P. Thévenaz, U. E. Ruttimann and M. Unser, "A pyramid approach to subpixel
registration based on intensity", IEEE Transactions on Image Processing 7 (1998).

Run it with ``python examples/registration.py [folder for the picture] [iterations]``.
"""

import gzip
import sys
from pathlib import Path

import numpy as np
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy.ndimage import affine_transform, gaussian_filter
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

BLURS = (6.0, 2.0, 0.7)  # standard deviations in pixels
ITERATIONS = 30

# What is done to the second picture: turned by degrees, stretched by factors, moved by pixels.
TURNED, STRETCHED, MOVED = 9.0, (1.08, 0.95), (5.0, -7.0)

# The map begins as the identity: the matrix, then the offset in tens of pixels, which are as far.
START = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])


# --- The pictures --------------------------------------------------------------------------------


def fixed_picture():
    """Read the slice, every second pixel; shape ``(128, 128)``, numbers from 0 to 1."""
    with gzip.open(get_sample_data("s1045.ima.gz", asfileobj=False)) as file:
        picture = np.frombuffer(file.read(), np.uint16).reshape(256, 256).astype(float)
    return gaussian_filter(picture, 1.0)[::2, ::2] / np.max(picture)


def centred(matrix, offset, shape):
    """The matrix and offset of an affine map about the middle of a picture."""
    middle = (np.array(shape) - 1) / 2
    return matrix, middle + offset - matrix @ middle


def moving_picture(fixed):
    """Make the second picture of the first; also the map that brings it back."""
    angle = np.deg2rad(TURNED)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix, offset = turn @ np.diag(STRETCHED), np.array(MOVED)
    inverse = np.linalg.inv(matrix)
    moved = affine_transform(fixed, *centred(inverse, -inverse @ offset, fixed.shape))
    noise = np.random.default_rng(0).normal(scale=0.02, size=fixed.shape)
    return 0.1 + 0.7 * moved + noise, (matrix, offset)


# --- Registration --------------------------------------------------------------------------------


def registered(parameters, moving):
    """Read the moving picture at the places of an affine map."""
    matrix, offset = np.reshape(parameters[:4], (2, 2)), 10.0 * parameters[4:]
    return affine_transform(moving, *centred(matrix, offset, moving.shape), mode="nearest")


def unlikeness(parameters, moving, fixed):
    """One minus the correlation of the fixed picture and the registered one."""
    x, y = registered(parameters, moving), fixed
    x, y = x - np.mean(x), y - np.mean(y)
    return 1.0 - np.sum(x * y) / np.sqrt(np.sum(x**2) * np.sum(y**2))


def register(moving, fixed, iterations):
    """Find the parameters of the map, from much blurred pictures to sharp ones."""
    parameters = START
    for blur in BLURS:
        result = minimize(
            value_and_grad(unlikeness),
            parameters,
            args=(gaussian_filter(moving, blur), gaussian_filter(fixed, blur)),
            jac=True,
            method="BFGS",
            options={"maxiter": iterations},
        )
        parameters = result.x
        print(f"    blur {blur:3}   iterations {result.nit:3}   unlikeness {result.fun:.4f}", flush=True)
    return parameters


# --- How good it is ------------------------------------------------------------------------------


def error_in_pixels(parameters, truth, shape):
    """How far the places that the map reads are from the true ones, in the mean over the picture."""
    matrix, offset = centred(np.reshape(parameters[:4], (2, 2)), 10.0 * parameters[4:], shape)
    true_matrix, true_offset = centred(*truth, shape)
    places = np.reshape(np.indices(shape), (2, -1))
    distances = (matrix - true_matrix) @ places + (offset - true_offset)[:, np.newaxis]
    return np.mean(np.hypot(*distances))


def draw(pictures, path):
    """Show pictures beside each other, by their titles."""
    figure = Figure(figsize=(3 * len(pictures), 3.3), layout="constrained")
    for axes, (title, picture) in zip(figure.subplots(1, len(pictures)), pictures.items(), strict=True):
        if "less" in title:
            axes.imshow(picture, cmap="RdBu", vmin=-0.7, vmax=0.7)
        else:
            axes.imshow(picture, cmap="gray")
        axes.set(title=title, xticks=[], yticks=[])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Register the pictures, say how far off the map is, and save the pictures."""
    fixed = fixed_picture()
    moving, truth = moving_picture(fixed)
    print("Registering:")
    parameters = register(moving, fixed, int(iterations))
    before, after = (error_in_pixels(x, truth, fixed.shape) for x in (START, parameters))
    print(f"Distance from the true places: {before:.2f} pixels before, {after:.3f} after")
    found = registered(parameters, moving)
    pictures = {
        "fixed": fixed,
        "moving": moving,
        "moving less fixed": (moving - 0.1) / 0.7 - fixed,
        "registered": found,
        "registered less fixed": (found - 0.1) / 0.7 - fixed,
    }
    picture = Path(folder) / "registration.png"
    draw(pictures, picture)
    print(f"The pictures: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
