"""The configuration by which rules know the AD engine of this package."""

from chainrules_core import HasForwardsMode, HasReverseMode, RuleConfig


class ADConfig(RuleConfig[HasReverseMode, HasForwardsMode]):
    """Says that `chainrules.ad` has both modes: a rule may call `rrule_via_ad` and `frule_via_ad` with it."""


CONFIG = ADConfig()
