"""Rules that are given carriers of the AD system that asks for them."""

import traceback

import numpy as np
import pytest

from chainrules_core import EndlessCallError, NoTangent, frule, register_carrier, rrule, typeof_


class Node:
    """A carrier that asks for rules by NumPy's protocol, and is not registered."""

    def __init__(self, value):
        self.value = value

    def __array_function__(self, f, types, args, kwargs):
        """Forget to take the values out of lists."""
        return rrule(f, *args, **kwargs)[0]


class Carrier:
    """One that is registered."""


class Backend:
    """How a system that forgets lists serves carriers."""

    def call(self, f, args, kwargs):
        """Ask for the rule."""
        return frule((NoTangent(),) * (len(args) + 1), f, *args, **kwargs)

    def primal(self, x):
        """A stand-in for its value."""
        return np.ones(2)


register_carrier(Carrier.__module__, Carrier.__qualname__, Backend())


def total(xs):
    """A function of containers of numbers."""
    return Backend().call(total, (xs,), {})


@frule.dispatch
def total_frule(tangents, f: typeof_(total), xs: list | dict | tuple):
    """A rule that calls its function."""
    return total(xs), NoTangent()


def deep(x):
    """A function that has no rule, and calls itself."""
    return deep(x)


@rrule.dispatch
def deep_rrule(f: typeof_(deep), xs: list):
    """A rule that goes too deep by itself."""
    return deep(xs), None


def test_an_unregistered_carrier():
    """The error names the argument, the carrier and what to do, in a few lines."""
    with pytest.raises(
        EndlessCallError, match=r"rrule of numpy\.concatenate: argument 1 is a list that holds a Node\."
    ) as caught:
        np.concatenate([Node(1.0), Node(2.0)])
    assert len(traceback.extract_tb(caught.tb)) < 30


@pytest.mark.parametrize(("xs", "holder"), [({"a": [Carrier()]}, "dict"), ((1.0, Carrier()), "tuple")])
def test_a_registered_carrier(xs, holder):
    """It is found at any depth, in both modes."""
    with pytest.raises(
        EndlessCallError, match=f"frule of .*total: argument 1 is a {holder} that holds a Carrier"
    ):
        total(xs)


def test_other_recursions():
    """They are what they are."""
    with pytest.raises(RecursionError) as caught:
        rrule(deep, [Node(1.0)])
    assert not isinstance(caught.value, EndlessCallError)
