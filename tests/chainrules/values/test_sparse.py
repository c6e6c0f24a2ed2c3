"""The classes of SciPy's sparse arrays and matrices, and their methods."""

import numpy as np
import pytest
import scipy.sparse

from chainrules.values.sparse import CLASSES, Sparse, methods


@pytest.mark.parametrize("cls", CLASSES)
def test_classes_are_sparse(cls):
    """An instance of each class is an operand of sparse rules; a dense array is none."""
    assert isinstance(cls((2, 3)), Sparse)
    assert not isinstance(np.ones((2, 3)), Sparse)


def test_classes_are_all():
    """Every class of arrays and matrices that SciPy has is named."""
    formats = {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}

    assert {cls.__name__ for cls in CLASSES} == {
        f"{name}_{kind}" for name in formats for kind in ("array", "matrix")
    }
    assert all(getattr(scipy.sparse, cls.__name__) is cls for cls in CLASSES)


def test_methods():
    """A method that several classes share stands once; a name that no class has gives nothing."""
    found = methods("toarray")

    assert len(found) == len(set(found))
    assert all(cls.toarray in found for cls in CLASSES)
    assert methods("no_such_method") == []
