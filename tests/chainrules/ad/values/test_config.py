"""The engine's configuration."""

from chainrules.ad import ADConfig
from chainrules_core import HasForwardsMode, HasReverseMode, NoForwardsMode, RuleConfig


def test_features():
    """The engine has both modes, and is found by rules that ask for one or for both."""
    assert isinstance(ADConfig(), RuleConfig[HasReverseMode])
    assert isinstance(ADConfig(), RuleConfig[HasForwardsMode])
    assert isinstance(ADConfig(), RuleConfig[HasForwardsMode, HasReverseMode])
    assert not isinstance(ADConfig(), RuleConfig[NoForwardsMode])
    assert repr(ADConfig()) == "ADConfig()"
