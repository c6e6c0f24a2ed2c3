"""Dead and repeated operations are left out; writes, warnings and errors are not."""

import numpy as np

from chainrules.ad.recording.variant import make_variant

X = np.array([0.5, 2.0])


def lines(f, *args):
    """The lines of a generated program, without comments."""
    return [line.strip() for line in make_variant(f, args, {}).source.splitlines() if "#" not in line]


def test_dead_operations():
    """Those that nobody sees are left out; one that may warn or fail is not."""

    def f(x):
        np.transpose(x)
        np.log(x)
        np.linalg.inv(np.diag(x))
        return x + 1.0

    text = "\n".join(lines(f, X))
    assert "transpose" not in text
    assert "np.log" in text
    assert "np.linalg.inv" in text


def test_repeated_operations():
    """They are computed once, unless somebody wrote in between."""

    def f(x):
        y = np.sin(x) * np.sin(x)
        z = x * 1.0
        a = z * 2.0
        z[0] = 9.0
        b = z * 2.0
        return y, a, b

    text = "\n".join(lines(f, X))
    assert text.count("np.sin") == 1
    variant = make_variant(f, (X,), {})
    for got, plain in zip(variant.run([2 * X]), f(2 * X), strict=True):
        np.testing.assert_array_equal(got, plain)
