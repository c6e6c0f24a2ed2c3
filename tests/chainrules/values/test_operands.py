"""What rules of NumPy's functions take as operands."""

import numpy as np
import pytest

from chainrules.values.operands import Operand, refuse_out


@pytest.mark.parametrize("x", [1, 1.5, 1j, np.float32(1), np.True_, np.ones(2), np.array(1)])
def test_operands_are_numbers_and_arrays(x):
    """Python's and NumPy's numbers and arrays are operands."""
    assert isinstance(x, Operand)


@pytest.mark.parametrize("x", ["text", None, [1.0], (1.0,)])
def test_other_values_are_none(x):
    """Containers are not converted to arrays."""
    assert not isinstance(x, Operand)


def test_refuse_out():
    """The function is named, and the mend."""
    refuse_out("np.sum", None)
    with pytest.raises(TypeError, match=r"np\.sum\(\.\.\., out=\.\.\.\).*Write `y = np\.sum\(\.\.\.\)`"):
        refuse_out("np.sum", np.zeros(2))
