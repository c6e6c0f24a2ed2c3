"""Subscripts of Einstein sums."""

import numpy as np
import pytest

from chainrules.values.subscripts import read_subscripts

MATRIX, CUBE = np.ones((3, 3)), np.ones((3, 3, 3))


@pytest.mark.parametrize(
    ("arguments", "inputs", "output"),
    [
        (("ij,jk->ik", MATRIX, MATRIX), ("ij", "jk"), "ik"),
        (("ij , jk", MATRIX, MATRIX), ("ij", "jk"), "ik"),
        (("ba", MATRIX), ("ba",), "ab"),
        (("bA->", MATRIX), ("bA",), ""),
        (("ii", MATRIX), ("ii",), ""),
        (("...i->...", CUBE), ("ABi",), "AB"),
        (("...i,...", CUBE, MATRIX), ("ABi", "AB"), "ABi"),
        (("A...,...->...A", CUBE, MATRIX[0]), ("ABC", "C"), "BCA"),
        (("...", 1.5), ("",), ""),
        (("...i,i->...", MATRIX[0], MATRIX[0]), ("i", "i"), ""),
        ((MATRIX, [0, 1], MATRIX, [1, 26], [0, 26]), ("AB", "Ba"), "Aa"),
        ((MATRIX, [1, 0]), ("BA",), "AB"),
        ((CUBE, [Ellipsis, 3], [3, Ellipsis]), ("ABD",), "DAB"),
    ],
)
def test_forms(arguments, inputs, output):
    """Strings and lists, with and without the result, with and without ellipses."""
    subscripts = read_subscripts(arguments)

    assert subscripts.inputs == inputs
    assert subscripts.output == output
    operands = [arguments[place] for place in subscripts.places]
    explicit = f"{','.join(subscripts.inputs)}->{subscripts.output}"
    np.testing.assert_array_equal(np.einsum(explicit, *operands), np.einsum(*arguments))
