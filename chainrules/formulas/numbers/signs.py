"""The sign of a number."""

from typing import Any


def sign(x: Any) -> int:
    """-1, 0 or 1: a constant, also for a traced number; 0 for NaN. On a float it costs less than NumPy's."""
    return int(x > 0) - int(x < 0)
