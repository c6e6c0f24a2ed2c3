"""The error of the bridges to other frameworks."""

from chainrules_core import ChainRulesError


class AdapterError(ChainRulesError, TypeError):
    """A call of an adapted function that the other framework, or the bridge to it, cannot differentiate."""
