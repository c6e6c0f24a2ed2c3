"""Registries of units, which hold thousands of names and factors; only contexts have the user's numbers."""

from chainrules.ad.values.facts import fact

fact("pint.registry.UnitRegistry", searched=("_active_ctx",))
fact("pint.registry.ApplicationRegistry", searched=("_registry",))
