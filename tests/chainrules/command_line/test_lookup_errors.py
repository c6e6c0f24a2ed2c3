"""Errors that suggest names."""

import pytest

from chainrules.command_line.lookup_errors import NothingFoundError, nothing_found, similar


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("scipy.linalg.cholesky", "numpy.linalg.cholesky"),  # the same last part
        ("numpy.linalg.choleski", "numpy.linalg.cholesky"),  # nearly the whole
        ("cholesly", "numpy.linalg.cholesky"),  # nearly the last part
    ],
)
def test_likeliest_first(name, first):
    """Names that end alike, then names that are alike."""
    assert similar(name, ["numpy.sum", "numpy.linalg.cholesky", "math.sin"])[0] == first


def test_at_most_three():
    """No more than three names are suggested."""
    assert len(similar("sum", [f"module{i}.sum" for i in range(10)])) == 3


def test_error():
    """It is a `LookupError`, and ends with the suggestions if there are any."""
    assert isinstance(nothing_found("No.", "sum", []), NothingFoundError)
    assert issubclass(NothingFoundError, LookupError)
    assert str(nothing_found("No.", "sum", ["numpy.sum"])) == "No. Did you mean numpy.sum?"
    assert str(nothing_found("No.", "sum", ["zeta"])) == "No."
