"""Carriers: which classes they are, and what they carry."""

import ctypes
import datetime as dt
import types

import numpy as np
import pytest

from chainrules_core import (
    CarrierImportWarning,
    ProjectTo,
    SparseArray,
    backends,
    contains_carrier,
    contains_nan,
    primal_of,
    register_carrier,
    rrule,
    zero_tangent,
)
from chainrules_core.backends import backend_of, on_new_carrier, register_stand_in, value_for_dispatch
from tests.chainrules_core.boxes import Box, OtherBox, backend, other_backend


def test_primal_is_found_however_deep():
    """The primal of nested carriers is the ordinary value inside; an ordinary value is its own."""
    x = np.ones(2)
    assert primal_of(Box(OtherBox(Box(x)))) is x
    assert primal_of(x) is x


def test_subclasses_are_carriers():
    """A class that derives from a carrier is one, of the nearest backend."""

    class Derived(OtherBox): ...

    assert backend_of(Derived) is backend_of(OtherBox) is other_backend
    assert backend_of(Box) is backend
    assert backend_of(float) is None


def test_naming_a_class_imports_nothing():
    """A class is named by its module and qualified name, which need not exist."""
    register_carrier("no_such_module", "Outer.Inner", backend)
    inner = type("Inner", (), {"__module__": "no_such_module", "__qualname__": "Outer.Inner"})
    assert backend_of(inner) is backend


def test_class_that_was_seen_before_it_is_registered():
    """Registering a carrier later corrects what is known about its class, and tells who remembers."""

    class Late(Box.__mro__[1]): ...

    told = []
    on_new_carrier(lambda: told.append(True))
    assert backend_of(Late) is None
    register_carrier(__name__, Late.__qualname__, other_backend)
    assert backend_of(Late) is other_backend
    assert told == [True]


def test_projector_of_a_carrier_is_that_of_its_primal():
    """`ProjectTo` looks through carriers as dispatch does."""
    x = np.ones(2, np.float32)
    assert ProjectTo(Box(x)) == ProjectTo(x)
    assert ProjectTo(Box(Box(1.0))) == ProjectTo(1.0)


@pytest.mark.parametrize("missing", ["call", "primal"])
def test_backend_has_both_methods(missing):
    """A backend without one of its methods is refused when it is registered."""
    incomplete = type(
        "Incomplete", (), {name: lambda self: None for name in {"call", "primal"} - {missing}}
    )()
    with pytest.raises(TypeError, match=f"the backend needs a method `{missing}`"):
        register_carrier("datetime", "date", incomplete)
    assert backend_of(dt.date) is None


def test_a_module_that_cannot_be_imported_is_reported_once(monkeypatch, recwarn):
    """Values of its package are ordinary ones then, and programs with them run."""
    package = "package_with_broken_carriers"
    modules = {package: ["no_such_module_of_carriers", __name__]}
    monkeypatch.setattr(backends, "_modules_that_register", modules)
    classes = [type(name, (), {"__module__": package}) for name in ("One", "Other")]

    for cls in classes * 2:
        assert backend_of(cls) is None
        assert primal_of(cls()).__class__ is cls

    messages = [str(one.message) for one in recwarn if one.category is CarrierImportWarning]
    assert len(messages) == 1
    assert "'no_such_module_of_carriers', which registers the carriers of" in messages[0]
    assert package in messages[0]
    assert "ModuleNotFoundError" in messages[0]


class StandIn:
    """It says that it is a float."""

    @property
    def __class__(self):
        return np.float32


def test_values_that_stand_for_others():
    """`primal_of` returns them, and dispatch looks behind them."""
    plain = np.float32(2.0)
    stands = types.SimpleNamespace(call=lambda f, args, kwargs: f(plain), primal=lambda x: plain)
    register_stand_in(StandIn, stands, has_nan=lambda x: plain > 1.0, is_zero=lambda x: plain > 1.0)
    try:
        x = StandIn()
        assert primal_of(x) is x
        assert value_for_dispatch(x) is plain
        assert value_for_dispatch(1.0) == 1.0
        assert zero_tangent(x).__class__ is np.float32
        assert ProjectTo(1.0)(x).__class__ is float
        assert contains_nan(x)
        assert rrule(np.sin, np.float32(1.0))[1](x)[1] is x  # a zero, which nothing is multiplied by
    finally:
        del backends.STAND_INS[StandIn], backends.ANSWERS[StandIn]


def test_classes_that_say_of_no_module():
    """Arrays of ctypes that were made in C have `None` for it; their values are ordinary ones."""
    cls = type("InC", (ctypes.c_double * 2,), {"__module__": None})
    assert backend_of(cls) is None
    assert not contains_carrier(cls())
    assert not issubclass(cls, SparseArray)
