"""Parts of a recording that are taken out of it."""

import numpy as np
import pytest

from chainrules.ad import CompilationError, compiled, vectorized

XS = np.arange(6.0).reshape(3, 2)


def test_the_rest_of_the_recording_goes_on():
    """What does not depend on the items stays where it was recorded."""

    def f(xs, w):
        y = vectorized(lambda x, w: np.sum(x * w) + np.sum(w), (0, None))(xs, w)
        return y * np.sum(w), vectorized(lambda x: np.sum(x * w) + np.prod(w))(xs)

    c = compiled(f, strict=True)
    for w in (np.ones(2), np.array([2.0, -1.0])):
        for found, plain in zip(c(XS, w), f(XS, w), strict=True):
            np.testing.assert_allclose(found, plain)


def test_writes_into_arrays_from_outside_are_refused():
    """Each item would write once."""

    def f(xs):
        total = np.zeros_like(xs[0])

        def add(x):
            total[:] += x
            return np.sum(x)

        return vectorized(add)(xs), total

    with pytest.raises(CompilationError, match="writes into an array"):
        compiled(f, strict=True)(XS)


def test_what_is_kept_of_one_item_is_refused():
    """It is the value of one item, which nobody else may use."""

    def f(xs):
        kept = []

        def keep(x):
            kept.append(x * 2.0)
            return np.sum(x)

        return vectorized(keep)(xs), kept[0]

    with pytest.raises(CompilationError):
        compiled(f, strict=True)(XS)
