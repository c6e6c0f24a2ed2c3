"""What is said where a function is not recorded."""

from chainrules.ad.recording.refused import CompilationError, message_of, with_place
from chainrules_core import ChainRulesError


def test_messages():
    """The reason, and the user's line if it is known."""
    assert with_place("it prints", None) == "it prints"
    expected = "compiled: f runs as it is written, since it prints (file.py, line 3)."
    assert message_of("f", "it prints", ("file.py", 3)) == expected


def test_the_error():
    """It is one of this project, and of a kind that is not served."""
    assert issubclass(CompilationError, ChainRulesError)
    assert issubclass(CompilationError, TypeError)
