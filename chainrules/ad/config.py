"""The configuration by which rules know the AD engine of this package."""

from chainrules_core import HasReverseMode, NoForwardsMode, RuleConfig


class ADConfig(RuleConfig[HasReverseMode, NoForwardsMode]):  # type: ignore[type-arg]  # features, not types
    """What `chainrules.ad` can do: a rule that asks for reverse mode may call `rrule_via_ad` with it."""


CONFIG = ADConfig()
