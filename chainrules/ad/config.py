"""The configuration by which rules know the AD engine of this package."""

from chainrules_core import HasReverseMode, NoForwardsMode, RuleConfig


class ADConfig(RuleConfig[HasReverseMode, NoForwardsMode]):  # type: ignore[misc]  # RuleConfig[...] makes a class
    """What `chainrules.ad` can do. Rules with ``config: RuleConfig[HasReverseMode]`` may call `rrule_via_ad` with it."""


CONFIG = ADConfig()
