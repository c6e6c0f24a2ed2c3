"""What saved programs take along."""

import numpy as np
import pytest

from chainrules.ad.recording.saved_calls import laid_out, otherwise, read_only, refusal


@pytest.mark.parametrize("order", "CF")
def test_arrays_are_laid_out(order):
    """As the program has to have them: in order, writeable, and the same object if they are so already."""
    x = np.array(np.arange(6.0).reshape(2, 3), order=order)
    assert laid_out(x, order) is x
    other = x.copy("F" if order == "C" else "C")
    for given in (x[:, ::-1], other, np.broadcast_to(x[0], (2, 3)), read_only(x)):
        y = laid_out(given, order)
        np.testing.assert_array_equal(y, given)
        assert y.strides == x.strides
        assert y.flags.writeable
    assert laid_out(np.array(1.0), "C").shape == ()


def test_errors_name_both_kinds():
    """That of the recording, and that of the call."""
    message = str(refusal("gradient", "x: float64[3]", {"x": np.ones((2, 3)), "n": [1, 2.0]}))
    assert "recorded for (x: float64[3]), and was given (x: float64[2, 3], n: [1, float])" in message
    assert "gradient was recorded for (x: float64[3])" in str(otherwise("gradient", "x: float64[3]"))
