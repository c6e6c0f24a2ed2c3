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


def test_the_engine_is_at_hand() -> None:
    """`import chainrules` is enough, for checkers too."""
    assert chainrules.ad.grad(softplus)(0.0) == 0.5
