"""Find what is hidden in a plate from its temperatures: a heat equation on a mesh, solved by a sparse solver.

A round plate is heated in spots, one after the other, and its rim is kept cold. The temperature u in
equilibrium obeys

    -div(k grad u) = heat,     u = 0 on the rim,

where the conductivity k is another number in each triangle of a mesh: a bar of metal and a piece of cork are
hidden in the plate. The method of finite elements makes a sparse linear system of the equation, which
SciPy's `spsolve` solves for all spots at once. The logarithm of the conductivity of each triangle is fitted
to noisy temperatures; the gradient by these 2400 numbers runs through the assembly of the matrix and through
`spsolve`, whose rule takes the factors of the matrix for both directions.

The elements are those of R. Courant, "Variational methods for the solution of problems of equilibrium and
vibrations" (1943). What the temperatures leave open is decided by total variation, which prefers pieces of
one conductivity: L. I. Rudin, S. Osher, E. Fatemi, "Nonlinear total variation based noise removal algorithms"
(1992).

Run it with ``python examples/heat.py [folder for the picture] [iterations]``.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from scipy.optimize import minimize
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve
from scipy.spatial import Delaunay

from chainrules.ad import value_and_grad

OUTPUT = Path(__file__).parent / "output"

RINGS = 20  # of nodes, around the one in the middle
HEATERS = 6  # spots, each heated in an experiment of its own
NODES_PER_THERMOMETER = 4
NOISE = 0.01  # of the measured temperatures, beside their standard deviation
PENALTY = 1e-4  # on the total variation
SOFTNESS = 0.01  # jumps that are smaller cost their square, so that there is a derivative at zero
ITERATIONS = 60


# --- The mesh ------------------------------------------------------------------------------------


class Mesh(NamedTuple):
    """A mesh of triangles, with what the method of finite elements needs to know of it."""

    nodes: np.ndarray  # (n, 2), coordinates; those on the rim come last
    inner: int  # how many nodes are not on the rim
    triangles: np.ndarray  # (t, 3), nodes
    stiffness: np.ndarray  # (t, 3, 3), of triangles whose conductivity is one
    sides: np.ndarray  # (s, 2), pairs of triangles with a side in common
    lengths: np.ndarray  # (s,), of these sides


def disc(rings):
    """Make a mesh of the unit disc: ring number i has 6 i nodes."""
    angles = [2 * np.pi * np.arange(6 * i) / (6 * i) for i in range(1, rings + 1)]
    circles = [i / rings * np.exp(1j * angle) for i, angle in enumerate(angles, start=1)]
    points = np.concatenate([[0.0], *circles])
    nodes = np.stack([points.real, points.imag], axis=1)

    mesh = Delaunay(nodes)
    corners = nodes[mesh.simplices]
    opposite = np.roll(corners, -1, axis=1) - np.roll(corners, 1, axis=1)  # the side opposite each corner
    first, second = opposite[:, 0], opposite[:, 1]
    area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    stiffness = opposite @ np.swapaxes(opposite, 1, 2) / (4 * area[:, None, None])

    triangle, corner = np.nonzero(mesh.neighbors > np.arange(len(mesh.simplices))[:, None])
    sides = np.stack([triangle, mesh.neighbors[triangle, corner]], axis=1)
    lengths = np.linalg.norm(opposite[triangle, corner], axis=1)
    return Mesh(nodes, len(nodes) - 6 * rings, mesh.simplices, stiffness, sides, lengths)


# --- The equation --------------------------------------------------------------------------------


def temperatures(log_conductivity, mesh, heat):
    """Solve the heat equation for the nodes that are not on the rim: shape ``(inner, experiments)``."""
    elements = np.exp(log_conductivity)[:, None, None] * mesh.stiffness
    rows, columns = np.broadcast_arrays(mesh.triangles[:, :, None], mesh.triangles[:, None, :])
    is_inner = (rows < mesh.inner) & (columns < mesh.inner)
    places = rows[is_inner], columns[is_inner]
    matrix = coo_array(
        (elements[is_inner], places), shape=(mesh.inner, mesh.inner)
    )  # equal places are summed
    return spsolve(matrix.tocsc(), heat)


def measurable(log_conductivity, mesh, heat):
    """Compute the temperatures at the thermometers: shape ``(thermometers, experiments)``."""
    return temperatures(log_conductivity, mesh, heat)[::NODES_PER_THERMOMETER]


def loss(log_conductivity, mesh, heat, measured):
    """How far the temperatures are from those measured, and how much the conductivity varies."""
    errors = (measurable(log_conductivity, mesh, heat) - measured) / np.std(measured)
    one, other = mesh.sides.T
    jumps = log_conductivity[one] - log_conductivity[other]
    variation = np.sum(mesh.lengths * (np.sqrt(jumps**2 + SOFTNESS**2) - SOFTNESS))
    return np.mean(errors**2) + PENALTY * variation


def fit(mesh, heat, measured, iterations):
    """Minimise the loss, from a plate of one conductivity on; returns the logarithms."""
    losses = []

    def show_progress(intermediate_result):
        losses.append(intermediate_result.fun)
        if len(losses) % 10 == 0:
            print(f"    iteration {len(losses):3}   loss {losses[-1]:.6f}", flush=True)

    result = minimize(
        value_and_grad(loss),
        np.zeros(len(mesh.triangles)),
        args=(mesh, heat, measured),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations},
        callback=show_progress,
    )
    return result.x


# --- The experiments -----------------------------------------------------------------------------


def hidden_conductivity(mesh):
    """A bar that conducts heat five times as well as the plate, and cork that conducts it a fifth as well."""
    x, y = np.mean(mesh.nodes[mesh.triangles], axis=1).T
    is_bar = (np.abs((x - y) / np.sqrt(2) - 0.35) < 0.12) & (np.abs((x + y) / np.sqrt(2)) < 0.55)
    is_cork = np.hypot(x + 0.35, y - 0.2) < 0.28
    return np.log(np.where(is_bar, 5.0, np.where(is_cork, 0.2, 1.0)))


def heat_in_spots(mesh):
    """One unit of heat around each of the spots, which stand in a circle: shape ``(inner, HEATERS)``."""
    angles = 2 * np.pi * np.arange(HEATERS) / HEATERS
    spots = 0.65 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    squares = np.sum((mesh.nodes[: mesh.inner, None] - spots) ** 2, axis=2)
    heat = np.exp(-squares / (2 * 0.12**2))
    return heat / np.sum(heat, axis=0)


def draw(mesh, temperature, actual, found, path):
    """Show the temperatures of one experiment, the conductivity that was hidden, and that found."""
    figure = Figure(figsize=(12, 4.2), layout="constrained")
    axes = figure.subplots(1, 3)
    surface = axes[0].tripcolor(*mesh.nodes.T, mesh.triangles, temperature, shading="gouraud", cmap="inferno")
    axes[0].plot(*mesh.nodes[: mesh.inner : NODES_PER_THERMOMETER].T, ".", color="white", markersize=2)
    axes[0].set_title("temperature, and thermometers")
    figure.colorbar(surface, ax=axes[0], shrink=0.8)

    shared = {"cmap": "RdBu_r", "norm": LogNorm(1 / 6, 6), "edgecolors": "gray", "linewidth": 0.1}
    for place, (title, values) in zip(axes[1:], {"hidden": actual, "found": found}.items(), strict=True):
        surface = place.tripcolor(*mesh.nodes.T, mesh.triangles, np.exp(values), **shared)
        place.set_title(f"conductivity, {title}")
    bar = figure.colorbar(surface, ax=axes[1:], shrink=0.8, ticks=[0.2, 0.5, 1, 2, 5], format="%g")
    bar.minorticks_off()
    for place in axes:
        place.set_aspect("equal")
        place.set_axis_off()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT, iterations=ITERATIONS):
    """Measure temperatures, find the conductivity, say how well, and save the picture."""
    mesh = disc(RINGS)
    heat, actual = heat_in_spots(mesh), hidden_conductivity(mesh)
    exact = measurable(actual, mesh, heat)
    noise = NOISE * np.std(exact) * np.random.default_rng(0).normal(size=exact.shape)

    print(f"Fitting {len(actual)} conductivities to {exact.size} temperatures:")
    found = fit(mesh, heat, exact + noise, int(iterations))
    unfitted, fitted = np.mean(np.abs(actual)), np.mean(np.abs(found - actual))
    print("Typical error of the conductivity, as a factor:")
    print(f"    before the fit {np.exp(unfitted):.3f}   after it {np.exp(fitted):.3f}")
    for name, of_part in {"the bar": actual > 0, "the cork": actual < 0, "the plate": actual == 0}.items():
        hidden, typical = np.exp(actual[of_part][0]), np.exp(np.median(found[of_part]))
        print(f"    {name:10} {typical:.2f}, actually {hidden:.2f}")

    picture = Path(folder) / "heat.png"
    temperature = np.zeros(len(mesh.nodes))
    temperature[: mesh.inner] = temperatures(actual, mesh, heat)[:, 2]
    draw(mesh, temperature, actual, found, picture)
    print(f"The temperatures and the conductivities: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
