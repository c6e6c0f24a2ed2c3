"""The engine's configuration."""

from chainrules.ad import ADConfig
from chainrules_core import HasForwardsMode, HasReverseMode, RuleConfig


def test_features():
    """The engine has reverse mode, and is found by rules that ask for it."""
    assert isinstance(ADConfig(), RuleConfig[HasReverseMode])
    assert not isinstance(ADConfig(), RuleConfig[HasForwardsMode])
    assert repr(ADConfig()) == "ADConfig()"
