"""The old names."""

import importlib

import numpy as np
import pytest

from chainrules_core import (
    AbstractTangent,
    DerivativeNotImplementedError,
    NoTangent,
    Tangent,
    ZeroTangent,
    compat,
    not_implemented,
    thunk,
)


def old(name):
    """What an old name stands for; it warns."""
    with pytest.warns(DeprecationWarning, match=f"^{name} is a name of ChainRulesCore 0.9"):
        return getattr(compat, name)


def test_renamed():
    """The old names are the new objects, and say so."""
    assert old("Zero") is ZeroTangent
    assert old("DoesNotExist") is NoTangent
    assert old("DNE") is NoTangent
    assert old("NO_FIELDS") is NoTangent()
    assert old("Composite") is Tangent
    assert old("AbstractDifferential") is AbstractTangent


def test_importing_a_name_warns_where_it_is_imported():
    """The warning points to the program, not to this package."""
    with pytest.warns(DeprecationWarning, match="use ZeroTangent") as caught:
        from chainrules_core.compat import Zero  # noqa: F401, PLC0415 - importing is the test
    assert caught[0].filename == __file__


def test_importing_the_module_does_not_warn():
    """Only the use of a name does; `dir` lists them."""
    importlib.reload(compat)
    assert "Composite" in dir(compat)


def test_other_names():
    """No other names exist."""
    with pytest.raises(AttributeError, match="no attribute 'Wirtinger'"):
        compat.Wirtinger  # noqa: B018 - looking is the test


def test_one_is_the_identity_of_multiplication():
    """`One()` times anything is that thing, itself; its sums are numbers."""
    one = old("One")()
    x = np.ones(2)
    t = Tangent[tuple](1.0)
    for other in (x, t, 3.0):
        assert one * other is other
    for other in (t, 3.0):
        assert other * one is other
    assert (x * one) is x
    assert np.multiply(one, x) is np.multiply(x, one) is x
    assert one + one == 2
    assert one + 1 == 2
    assert 1 + one == 2
    np.testing.assert_array_equal(x + one, [2.0, 2.0])
    assert one.conjugate() == one
    assert one.real == one
    assert one.imag is ZeroTangent()
    assert -one == -1
    assert one == 1
    assert hash(one) == hash(1)
    assert float(one) == 1.0
    assert list(one) == [one]
    assert repr(one) == "One()"
    assert one * ZeroTangent() is ZeroTangent()
    assert ZeroTangent() + one == 1


def test_extern():
    """`extern` gives the value behind a tangent, through all layers."""
    extern = old("extern")
    one = old("One")()
    assert extern(thunk(lambda: thunk(lambda: 3))) == 3
    assert extern(ZeroTangent()) is False
    assert extern(one) is True
    assert extern(2.0) == 2.0
    assert extern(Tangent[tuple](thunk(lambda: 1.0), ZeroTangent())) == (1.0, False)
    assert extern(Tangent[dict]({"a": thunk(lambda: 1.0)})) == {"a": 1.0}
    with pytest.raises(ValueError, match="NoTangent"):
        extern(NoTangent())
    with pytest.raises(DerivativeNotImplementedError):
        extern(not_implemented("unknown"))
