"""Functions of thunks that cannot be called with what the thunk gives them."""

import pytest

from chainrules_core import Thunk, thunk, unthunk


@pytest.mark.parametrize("made", [lambda: thunk(lambda x: x), lambda: Thunk(lambda x, y: x, 1.0)])
def test_functions_of_arguments(made):
    """It is said how to give them."""
    with pytest.raises(TypeError) as caught:
        unthunk(made())
    assert "without arguments: write `thunk(lambda: ...)`, or `Thunk(f, x)`" in caught.value.__notes__[0]


@pytest.mark.parametrize("made", [lambda: Thunk(lambda x: x + "1", 1), lambda: Thunk(max)])
def test_other_exceptions(made):
    """They are left alone, and so are those of functions whose parameters nobody knows."""
    with pytest.raises(TypeError) as caught:
        unthunk(made())
    assert not hasattr(caught.value, "__notes__")
