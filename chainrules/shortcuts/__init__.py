"""Shorter ways for common calls of rules, at the same paths: each answers, or declines with `None`."""
