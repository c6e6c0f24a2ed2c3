"""Type checkers know as much of functions that are marked as of any other function."""

from typing import assert_type

import numpy as np
from affine_maps import AffineMap, Vector, apply, largest_entry, softplus

import chainrules

f = AffineMap(np.eye(2), np.ones(2))


def test_results() -> None:
    """The results of marked functions have the types of the functions' results."""
    assert_type(softplus(0.5), float)
    assert_type(apply(f, np.ones(2)), Vector)
    assert_type(largest_entry(np.ones(2)), int)


def refused() -> None:
    """Never called: a checker that lets one of these pass says that its `ignore` is not needed."""
    softplus("0.5")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    softplus(0.5, 0.5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    apply(np.ones(2), f)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    largest_entry(1.0)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    chainrules.ad.grad(softplus, holomorphic=True)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    _, _ = chainrules.ad.vjp(softplus, 0.0, has_aux=True)  # type: ignore[misc]  # pyright: ignore[reportAssignmentType]


def test_the_engine_is_at_hand() -> None:
    """`import chainrules` is enough, for checkers too."""
    assert chainrules.ad.grad(softplus)(0.0) == 0.5


def test_results_of_the_engine() -> None:
    """Trees come back as what they are; whether something is returned beside a result, the type says."""

    def with_name(x: float) -> tuple[float, str]:
        return x * x, "square"

    parameters = {"A": [np.ones(2), np.ones(2)], "b": [np.ones(2)]}
    vector, unravel = chainrules.ad.ravel(parameters)
    assert unravel(2 * vector)["b"][0].tolist() == [2.0, 2.0]
    moved = chainrules.ad.tree_map(lambda p, g: p - g, parameters, parameters)
    assert moved["A"][1].tolist() == [0.0, 0.0]
    assert_type(chainrules.ad.ravel(f)[1](np.arange(6.0)), AffineMap)
    assert_type(chainrules.ad.tree_map(np.sqrt, f), AffineMap)

    y, pullback = chainrules.ad.vjp(softplus, 0.0)
    assert pullback(1.0) == (0.5,)
    y, pullback, name = chainrules.ad.vjp(with_name, 1.0, has_aux=True)
    assert (y, name) == (1.0, "square")
    y, y_dot = chainrules.ad.jvp(softplus, (0.0,), (1.0,))
    y, y_dot, name = chainrules.ad.jvp(with_name, (1.0,), (1.0,), has_aux=True)
    assert (y_dot, name) == (2.0, "square")
    y, pushforward, name = chainrules.ad.linearize(with_name, 1.0, has_aux=True)
    assert (pushforward(1.0), name) == (2.0, "square")
    assert chainrules.ad.jacobian(with_name, has_aux=True)(1.0) == (2.0, "square")
