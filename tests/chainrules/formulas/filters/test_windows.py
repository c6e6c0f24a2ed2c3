"""Choices of elements in windows."""

import numpy as np

from chainrules.formulas.filters.windows import Window, choice_of, pull_choice, push_choice


def test_shares():
    """Equal elements have equal shares, and a number beyond the border may be one of them."""
    x = np.array([0.0, 0.0, -1.0])
    choice = choice_of(np.zeros(3), x, Window(np.ones(3, bool), [0], ["constant"]), 0.0)
    x_bar, cval_bar = pull_choice(choice, np.array([6.0, 60.0, 600.0]))

    np.testing.assert_allclose(x_bar, [32.0, 332.0, 0.0])
    assert cval_bar == 302.0
    np.testing.assert_allclose(push_choice(choice, np.array([3.0, 6.0, 7.0])), [3.0, 4.5, 3.0])
