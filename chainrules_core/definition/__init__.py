"""Helpers that define rules: from partial derivatives, as non-differentiable, as opted out."""
