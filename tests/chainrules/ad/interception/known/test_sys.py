"""Text that is kept once."""

import sys

from tests.chainrules.ad.while_traced import while_traced


def test_text_of_a_traced_value():
    """It is plain text, and the same object each time."""
    assert while_traced(2.5, lambda x: sys.intern(f"{x} m") is sys.intern(f"{x} m"))
    assert while_traced(2.5, lambda x: type(sys.intern(f"{x} m"))) is str
