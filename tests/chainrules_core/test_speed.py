"""Laws of the names that serve speed."""

import chainrules_core
from chainrules_core import speed


def test_names_of_speed_are_not_promised():
    """None of them is a public name of the package, and asking the package for one says so."""
    assert set(speed.__all__).isdisjoint(chainrules_core.__all__)
    assert not any(hasattr(chainrules_core, name) for name in speed.__all__)
