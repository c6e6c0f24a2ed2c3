"""`primitive`, called with autograd's boxes."""

import numpy as np
import pytest

pytest.importorskip("autograd")

import autograd
import autograd.numpy as anp
from autograd.core import VJPNode
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.test_util import check_grads

import chainrules.ad
from chainrules.adapters.autograd.backend import primal
from chainrules_core import MixedCarriersError, primal_of, primitive

A = np.eye(3) * 2.0 + 0.1
b = np.linspace(0.3, 0.9, 3)
solve = primitive(np.linalg.solve)


def test_a_primitive_is_differentiated_by_autograd():
    """In both modes, in containers, by keyword."""
    check_grads(solve, modes=["fwd", "rev"], order=2)(A, b)
    check_grads(lambda b: solve(A, b=b), modes=["rev"], order=1)(b)
    check_grads(lambda b: primitive(lambda xs: xs[0] * 2.0)([b]), modes=["rev"], order=1)(b)


def test_primal_is_the_value_one_trace_below():
    """Boxes in boxes are opened one by one, and all of them by `primal_of`."""
    inner = ArrayBox(b, 0, VJPNode.new_root())
    outer = ArrayBox(inner, 1, VJPNode.new_root())

    assert primal(outer) is inner
    assert primal_of(outer) is b


def test_boxes_and_traced_values_in_one_call_are_refused():
    """They belong to two AD systems."""
    with pytest.raises(MixedCarriersError):
        chainrules.ad.grad(lambda A: autograd.grad(lambda b: anp.sum(solve(A, b)))(b)[0])(A)
