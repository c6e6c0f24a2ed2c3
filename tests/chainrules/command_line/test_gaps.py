"""The list of gaps; that it is complete is the business of `tests/test_coverage_of_namespaces.py`."""

from chainrules.command_line.gaps import gap_of, patterns, read_gaps


def test_reasons():
    """A reason is found by name or by pattern, within the namespace."""
    assert "np.vectorize" in gap_of("numpy", "frompyfunc")
    assert gap_of("numpy.ufunc", "arctan2.accumulate") == gap_of("numpy.ufunc", "fmod.reduce")
    assert gap_of("numpy", "sum") is None
    assert gap_of("no_such_namespace", "sum") is None


def test_patterns():
    """All names and patterns of a namespace are listed."""
    assert "frompyfunc" in patterns("numpy")
    assert sum(map(len, read_gaps()["numpy"].values())) == len(patterns("numpy"))
