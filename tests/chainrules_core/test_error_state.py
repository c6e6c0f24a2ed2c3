"""The silent state of NumPy's floating-point errors."""

import importlib
import pickle
import sys
import threading

import numpy as np
import pytest

from chainrules_core import error_state


@pytest.fixture(params=["quick", "documented"])
def state(request, monkeypatch):
    """The module, as it is and as it is where NumPy does not let it take the quick way."""
    if request.param == "quick":
        return error_state
    monkeypatch.delitem(sys.modules, error_state.__name__)
    monkeypatch.setitem(sys.modules, "numpy._core.umath", None)
    return importlib.import_module(error_state.__name__)


def test_nothing_is_told_inside(state):
    """Quotients by zero, numbers that are too large and undefined ones pass; outside they are told again."""
    before = np.geterr()
    token = state.silence_warnings()
    try:
        assert np.divide(1.0, 0.0) == np.inf
        assert np.isnan(np.log(-1.0))
        assert np.exp(1000.0) == np.inf
    finally:
        state.restore_warnings(token)

    assert np.geterr() == before
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.divide(1.0, 0.0)


def test_states_nest(state):
    """Leaving the silent state brings back the state around it, whatever that was."""
    with np.errstate(divide="raise"):
        outer = state.silence_warnings()
        inner = state.silence_warnings()
        state.restore_warnings(inner)
        assert np.divide(1.0, 0.0) == np.inf
        state.restore_warnings(outer)
        with pytest.raises(FloatingPointError):
            np.divide(1.0, 0.0)


def test_other_threads_are_not_silenced(state):
    """The state is that of the thread that asked for it."""
    seen = []
    token = state.silence_warnings()
    try:
        thread = threading.Thread(target=lambda: seen.append(np.geterr()["divide"]))
        thread.start()
        thread.join()
    finally:
        state.restore_warnings(token)

    assert seen == ["warn"]


def test_decorated_functions_are_silent(state):
    """Inside of them nothing is told, also where they end by an error; afterwards it is again."""

    @state.without_warnings
    def reciprocal(x):
        return np.divide(1.0, x) if x == 0 else 1 // 0

    assert reciprocal(0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        reciprocal(1.0)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.divide(1.0, 0.0)


def test_the_functions_are_pickled_by_their_names():
    """So that pullbacks that call them travel to other processes."""
    for function in (error_state.silence_warnings, error_state.restore_warnings):
        assert pickle.loads(pickle.dumps(function)) is function
