"""PyTensor's variables as carriers."""

import numpy as np
import pytest

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.pytensor.backend import primal  # noqa: E402 - likewise
from chainrules_core import primitive  # noqa: E402 - likewise


def test_primitives():
    """A primitive that is called with variables is PyTensor's."""
    A, b = pt.dmatrix("A"), pt.dvector("b")
    x = primitive(np.linalg.solve)(A, b=b)

    assert str(x.owner.op) == "numpy.linalg.solve"
    compiled = pytensor.function([A, b], x, mode="FAST_COMPILE")
    np.testing.assert_array_equal(compiled(2.0 * np.eye(2), np.ones(2)), [0.5, 0.5])


def test_variables_have_no_value():
    """What needs a value says that there is none."""
    with pytest.raises(AdapterError, match=r"x: .* has no value before it is computed"):
        primal(pt.dvector("x"))
