"""Names in generated programs."""

from chainrules.ad.recording.naming import parameter_names


def test_parameters():
    """They are valid names, each once."""
    assert parameter_names(["x", "x", "class", "np", "sum"]) == ["x", "x_2", "x_3", "np_2", "x_4"]
