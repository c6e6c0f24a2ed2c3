"""Random matrices that most functions take, to find out by example what a function returns."""

import numpy as np


def positive_definite(numbers: np.ndarray) -> np.ndarray:
    """Symmetric positive definite matrices, which solvers and factorizations take, made of square ones.

    Parameters
    ----------
    numbers
        Numbers between -1 and 1. An array that is no square matrix, or stack of them, stays as it is.
    """
    if numbers.ndim < 2:
        return numbers
    *_, rows, columns = numbers.shape
    if rows != columns:
        return numbers
    # Each diagonal element is larger than the sum of the others in its row.
    return (numbers + np.swapaxes(numbers, -1, -2)) / 2.0 + rows * np.eye(columns)
