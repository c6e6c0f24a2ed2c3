"""Samples of triangular distributions, and their derivatives, as NumPy and Python's `random` make them.

From `u`, uniform between 0 and 1: ``y = x + s √(v (mode - x) (z - x))``, where `x` is the end on the
sample's side of the mode and `z` the other end, ``v = u`` and ``s = 1`` to the left of the mode, ``v = 1 -
u`` and ``s = -1`` to the right. The derivatives by `mode` and `z` are ``v (z - x) / 2 (y - x)`` and ``v
(mode - x) / 2 (y - x)``; with the derivative by `x` they add up to 1, since a sample moves along with all
three.
"""

from typing import Any

import numpy as np

from chainrules_core import primal_of


def sample(u: Any, left: Any, mode: Any, right: Any) -> Any:
    """The sample that is made of the noise `u`."""
    is_left, near, far, v = _sides(u, left, mode, right)
    return near + np.where(is_left, 1, -1) * np.sqrt(v * (mode - near) * (far - near))


def by_left(y: Any, u: Any, left: Any, mode: Any, right: Any) -> Any:
    """The derivative of the sample `y` by the left end."""
    return np.where(_sides(u, left, mode, right)[0], *_by_ends(y, u, left, mode, right))


def by_mode(y: Any, u: Any, left: Any, mode: Any, right: Any) -> Any:
    """The derivative of the sample `y` by the mode."""
    _, near, far, v = _sides(u, left, mode, right)
    return v * (far - near) / (2 * (y - near))


def by_right(y: Any, u: Any, left: Any, mode: Any, right: Any) -> Any:
    """The derivative of the sample `y` by the right end."""
    return np.where(_sides(u, left, mode, right)[0], *_by_ends(y, u, left, mode, right)[::-1])


def _by_ends(y: Any, u: Any, left: Any, mode: Any, right: Any) -> tuple[Any, Any]:
    """The derivatives by the near end and by the far one."""
    _, near, _, v = _sides(u, left, mode, right)
    by_far = v * (mode - near) / (2 * (y - near))
    return 1 - by_mode(y, u, left, mode, right) - by_far, by_far


def _sides(u: Any, left: Any, mode: Any, right: Any) -> tuple[Any, Any, Any, Any]:
    """Whether a sample is left of the mode; the end on its side, the other, and the noise from its end."""
    is_left = primal_of(u) <= primal_of((mode - left) / (right - left))
    near, far = np.where(is_left, left, right), np.where(is_left, right, left)
    return is_left, near, far, np.where(is_left, u, 1 - u)
