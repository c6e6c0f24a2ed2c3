"""Pictures of plain values."""

from chainrules.ad.values.facts import fact

fact("matplotlib", refused="A picture has no derivative: write `chainrules_core.primal_of(x)`.")
