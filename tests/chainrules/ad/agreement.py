"""Comparing numbers in nested containers."""

import numpy as np


def assert_same_numbers(actual, expected, rtol=1e-8, atol=1e-9):
    """Containers of the same kind hold numbers and arrays of the same shapes that agree."""
    if isinstance(actual, dict):
        assert actual.keys() == expected.keys()
        actual, expected = tuple(actual.values()), tuple(expected.values())
    if isinstance(actual, tuple | list):
        assert type(actual) is type(expected)
        assert len(actual) == len(expected)
        for parts in zip(actual, expected, strict=True):
            assert_same_numbers(*parts, rtol, atol)
    else:
        assert np.shape(actual) == np.shape(expected)
        np.testing.assert_allclose(actual, expected, rtol, atol)
