"""Arrays in files: the numbers that are read again are told of."""

import numpy as np
import pytest

from chainrules.ad import grad


@pytest.mark.parametrize(
    ("write", "read"), [(np.save, np.load), (np.savetxt, np.loadtxt), (np.savetxt, np.genfromtxt)]
)
def test_numbers_that_are_read_again(tmp_path, write, read):
    """What is read is made of what was written; other files are read as they are."""
    path = tmp_path / "x.npy"

    def program(x):
        write(path, x)
        return np.sum(read(path) * x)

    with pytest.raises(TypeError, match="read"):
        grad(program)(np.array([0.1234567891, 2.34567891]))
    np.save(path, np.full(2, 3.0))
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.load(path) * x))(np.ones(2)), np.full(2, 3.0))
