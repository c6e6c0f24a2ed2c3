"""The list of gaps; that it is complete is the business of `tests/test_coverage_of_namespaces.py`."""

from chainrules.command_line.gaps import gap_of, is_nothing, patterns, read_gaps, reasons_of_nothing


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


def test_nothing_to_differentiate():
    """Some reasons are no gaps, and each of these is given somewhere."""
    reasons = {reason for reasons in read_gaps().values() for reason in reasons}

    assert is_nothing(gap_of("scipy.spatial", "voronoi_plot_2d"))
    assert not is_nothing(gap_of("numpy", "frompyfunc"))
    assert [reason for reason in reasons_of_nothing() if reason not in reasons] == []
