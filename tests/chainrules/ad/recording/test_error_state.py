"""NumPy's state of errors is read and switched as `np.errstate` does."""

import warnings

import numpy as np
import pytest

from chainrules.ad.recording import error_state
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.error_state import modes, state_test, switching
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.running import ignoring_errors
from tests.chainrules.ad.recording.agreement import agrees


def test_the_state():
    """Another one is noticed, and an equal one is none."""
    is_as_then = state_test()
    assert is_as_then()
    with np.errstate(over="raise"):
        assert not is_as_then()
    with np.errstate(over=np.geterr()["over"]):
        assert is_as_then()
    assert is_as_then()


@pytest.mark.parametrize("under", ["ignore", "raise", "call"])
def test_ignoring(under):
    """It is as with `np.errstate`, and ends with the block, however that ends."""
    with np.errstate(all="raise", under=under):
        outer, block = modes(), switching(ignoring_errors)
        with block():
            assert modes() == ("ignore", "ignore", under, "ignore")
            with block():
                np.log(np.zeros(2))
            assert np.isinf(np.exp(1e9))
        assert modes() == outer
        with pytest.raises(KeyError), block():
            raise KeyError
        assert modes() == outer


def test_numpy_is_as_it_was_found(monkeypatch):
    """The state lies in a context variable; if it did not, all would go by what NumPy documents."""
    assert error_state._VARIABLE is not None
    monkeypatch.setattr(error_state, "_VARIABLE", None)
    test_the_state()
    test_ignoring("ignore")
    with warnings.catch_warnings(), switching(ignoring_errors)():
        warnings.simplefilter("error")
        np.log(np.zeros(2))


def test_a_state_that_a_program_sets():
    """It counts for what is computed meanwhile; whoever does not put it back is refused."""

    def f(x):
        old = np.seterr(all="ignore")
        try:
            y = np.log(x)
        finally:
            np.seterr(**old)
        return np.sum(np.where(x > 0.0, y, 0.0)) / x[1]

    agrees(f, [(np.array(x),) for x in ([1.0, 2.0], [-1.0, 2.0], [0.0, 0.0], [-1.0, 0.0])])
    before = np.geterr()
    with pytest.raises(CompilationError, match="NumPy has another state of warnings"):
        compiled(lambda x: [np.seterr(all="ignore"), np.sum(x)][1], strict=True)(np.ones(2))
    assert np.geterr() == before
