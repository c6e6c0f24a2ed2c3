"""Programs of JAX that stand for functions."""

import gc
import weakref

import numpy as np
import pytest

pytest.importorskip("jax")

from chainrules.adapters.calls import flat_call
from chainrules.adapters.jax.stand_ins import function_of, stand_in


def test_a_function_goes_with_its_program():
    """And stays as long."""
    _, function = flat_call(np.sin, (1.0,), {}, lambda x: False)
    alive = weakref.ref(function)
    program = stand_in(function)
    assert function_of(program) is function
    del function
    gc.collect()
    assert alive() is not None
    del program
    gc.collect()
    assert alive() is None


def test_each_has_its_own():
    """Programs are compared by what they are, not by what they compute."""
    _, function = flat_call(np.sin, (1.0,), {}, lambda x: False)
    first, second = stand_in(function), stand_in(function)
    assert first != second
