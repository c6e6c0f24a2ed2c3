"""Functions that define both modes of a family of rules in one sentence."""
