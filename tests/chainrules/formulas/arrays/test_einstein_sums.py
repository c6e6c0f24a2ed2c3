"""The cotangents of the operands of Einstein sums."""

import numpy as np
import pytest

from chainrules.formulas.arrays.einstein_sums import is_large, pullback_of_einsum, terms_of_cotangent
from chainrules.values.subscripts import read_subscripts
from chainrules_core import ZeroTangent, unthunk
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij->i", [(2, 3)]),
        ("ii->i", [(3, 3)]),
        ("ii,i->", [(3, 3), (3,)]),
        ("ij,ij->ij", [(2, 3), (1, 3)]),
        ("ij,ij->", [(2, 3), (1, 3)]),
        ("ij,ij->i", [(1, 3), (2, 1)]),
        ("i,j,k->ki", [(2,), (3,), (4,)]),
    ],
)
def test_they_are_transposes(text, shapes):
    """``⟨y_bar, y(dx)⟩ = ⟨x_bar, dx⟩`` for each operand."""
    operands = [normal(*shape, dtype=complex, seed=i) for i, shape in enumerate(shapes)]
    arguments = (text, *operands)
    y_bar = normal(*np.shape(np.einsum(*arguments)), dtype=complex, seed=9)

    _, _, *bars = pullback_of_einsum(arguments, read_subscripts(arguments), False)(y_bar)
    for place, (x, x_bar) in enumerate(zip(operands, map(unthunk, bars), strict=True)):
        x_dot = normal(*x.shape, dtype=complex, seed=5)
        moved = np.einsum(text, *operands[:place], x_dot, *operands[place + 1 :])
        assert np.vdot(x_bar, x_dot).real == pytest.approx(np.vdot(y_bar, moved).real)


def test_zeros():
    """A zero is the cotangent of every operand."""
    arguments = ("i,i", normal(2), normal(2))

    pulled = pullback_of_einsum(arguments, read_subscripts(arguments), False)(ZeroTangent())
    assert pulled[2:] == (ZeroTangent(), ZeroTangent())


def test_terms():
    """Of a cotangent: the letters of its factors, of the operand, and of what is known of it."""
    subscripts = read_subscripts(("ijj,k->k", normal(2, 3, 3), normal(4)))

    assert terms_of_cotangent(subscripts, 0) == ("k,k", "ij", "")
    assert terms_of_cotangent(subscripts, 1) == ("k,ijj", "k", "k")


def test_large_sums():
    """A sum with many products for each element is large."""
    subscripts = read_subscripts(("ij,jk->ik", normal(2, 2), normal(2, 2)))

    assert is_large(subscripts, [(40, 40), (40, 40)])
    assert not is_large(subscripts, [(4, 4), (4, 4)])
    assert not is_large(read_subscripts(("ij->i", normal(2, 2))), [(200, 200)])
    assert not is_large(subscripts, [(200, 5), (5, 200)])  # five products for each element
