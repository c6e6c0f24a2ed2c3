"""What values are called in the text of a program."""

import numpy as np

from chainrules.ad.recording.variant import make_variant

X = np.arange(1.0, 5.0)


def test_names():
    """Those of the program, where they are free, and numbers for all others."""

    def f(x, program):
        np_ = x * program
        lambda_ = np_ + x
        return lambda_ * np_, [lambda_[1:3], (x[..., None],)], {"a": np_}

    variant = make_variant(f, (X, 2.0), {})
    y, plain = variant.run([-X, 3.0]), f(-X, 3.0)
    assert "np_ = x * " in variant.source
    np.testing.assert_array_equal(y[0], plain[0])
    np.testing.assert_array_equal(y[1][1][0], plain[1][1][0])
    np.testing.assert_array_equal(y[2]["a"], plain[2]["a"])


def test_constants():
    """Numbers stand in the text, and arrays have a name each."""
    known = np.array([2.0, 0.5, 1.0, -1.0])
    variant = make_variant(lambda x: np.float32(0.5) * x + known * x - np.float64(1e-3), (X,), {})
    assert "0.001" in variant.source
    assert "known * x" in variant.source
