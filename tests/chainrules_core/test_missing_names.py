"""Names that a package does not have."""

import importlib

import pytest

import chainrules_core
from chainrules_core import frule, missing_name, rrule
from chainrules_core.missing_names import _public_names


def imported(package, name):
    """Run ``from package import name``."""
    __import__(package, fromlist=[name])


@pytest.mark.parametrize(
    ("package", "name", "other"),
    [
        ("chainrules_core", "grad", "chainrules.ad"),
        ("chainrules_core", "to_torch", "chainrules.adapters"),
        ("chainrules_core", "test_rrule", "chainrules_testutils"),
        ("chainrules_core", "Diagonal", "chainrules_core.structured"),
        ("chainrules", "rrule", "chainrules_core"),
        ("chainrules.ad", "rrule", "chainrules_core"),
        ("chainrules.adapters", "grad", "chainrules.ad"),
        ("chainrules_testutils", "rrule", "chainrules_core"),
    ],
)
def test_names_of_the_other_packages(package, name, other):
    """The package that has a name is named, to imports and to whoever asks for an attribute."""
    with pytest.raises(ImportError, match=rf"`{name}` is in `{other}`: write `from {other} import {name}`"):
        imported(package, name)
    with pytest.raises(AttributeError, match=f"write `from {other} import {name}`"):
        getattr(importlib.import_module(package), name)
    assert not hasattr(importlib.import_module(package), name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("HasForwardMode", "HasForwardsMode"), ("typeof", "typeof_"), ("project_to", "ProjectTo")],
)
def test_names_that_are_nearly_right(name, meant):
    """They are proposed."""
    with pytest.raises(ImportError, match=rf"`chainrules_core` has no `{name}`\. Did you mean `{meant}`\?"):
        imported("chainrules_core", name)


def test_other_names():
    """They are missing in the way of Python; modules are imported as ever."""
    with pytest.raises(ImportError, match=r"`chainrules_core` has no `no_such_name`\.$"):
        imported("chainrules_core", "no_such_name")
    with pytest.raises(AttributeError, match="module 'chainrules_core' has no attribute 'no_such_name'"):
        chainrules_core.no_such_name  # noqa: B018 - asking is the test
    with pytest.raises(AttributeError, match="module 'chainrules_core' has no attribute '__wrapped__'"):
        chainrules_core.__wrapped__  # noqa: B018 - asking is the test
    imported("chainrules_core", "compat")


@pytest.mark.parametrize("package", ["chainrules_core", "chainrules_core.structured"])
def test_public_names_are_listed(package):
    """Those that a package has in `__all__`, and no other, for whoever completes a name."""
    module = importlib.import_module(package)
    assert dir(module) == sorted(module.__all__)


def test_packages_that_are_not_installed(monkeypatch):
    """Nobody knows what they hold."""
    monkeypatch.setattr(
        "chainrules_core.missing_names._PACKAGES", ("no_such_package", "no_such_package.inner")
    )
    with pytest.raises(ImportError, match=r"`chainrules_core` has no `grad`\.$"):
        imported("chainrules_core", "grad")


def test_attributes_of_rule_functions():
    """What people look for there is an error that says where it is."""
    with pytest.raises(AttributeError, match=r"`frule\.opt_out`: write `opt_out\(frule, typeof_\(foo\)"):
        frule.opt_out  # noqa: B018 - asking is the test
    with pytest.raises(AttributeError, match=r"`rrule\.register`: write `@rrule\.dispatch` over the rule"):
        rrule.register  # noqa: B018 - asking is the test
    assert not hasattr(type(rrule), "register")


def test_what_to_write_instead():
    """A package may say so of names; one without `__all__` has none to propose."""
    error = missing_name("unittest", "grad_", {"grad_": "`grad`"})
    assert str(error) == "`unittest` has no `grad_`: write `grad`."
    assert _public_names("chainrules_core.definition") == []
