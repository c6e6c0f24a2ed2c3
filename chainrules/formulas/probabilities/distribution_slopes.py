"""Partial derivatives of probabilities, in the form in which the rules of distributions take them."""

from collections.abc import Callable, Sequence
from typing import Any

Partial = Callable[..., Any]


def of_probability(*partials: Partial) -> tuple[Partial, ...]:
    """The same partial derivatives, each as a function of the probability too, which they do not need."""
    return tuple(lambda _, *values, partial=partial: partial(*values) for partial in partials)


def of_complement(partials: Sequence[Partial]) -> tuple[Partial, ...]:
    """The partial derivatives of one minus the probability: the negative ones."""
    return tuple(lambda *values, partial=partial: -partial(*values) for partial in partials)
