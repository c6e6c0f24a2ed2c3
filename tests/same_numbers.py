"""Random numbers that are the same for a test, whichever tests ran before it in the process.

Before each test the generators of its module begin again where they were when the module was imported, and
those of helpers, which the imports of several modules draw from, where they were when they were made. The
generators that NumPy and Python share with everybody begin with zero, and give those a seed that have none.
"""

import random
import sys
from functools import cache

import numpy as np
import pytest

# Of NumPy: where a generator without a seed, such as SciPy makes, takes its own from.
np.random.bit_generator.randbits = random.getrandbits


def generators_of(module):
    """The generators that a module has by a name, each with the state that it begins a test in."""
    found = [value for value in vars(module).values() if isinstance(value, np.random.Generator)]
    is_helper = not module.__name__.rpartition(".")[2].startswith("test_")
    return [(g.bit_generator, state_at_first(g) if is_helper else g.bit_generator.state) for g in found]


def state_at_first(generator):
    """The state of a generator when it was made from its seed."""
    bits = generator.bit_generator
    return type(bits)(bits.seed_seq).state


@cache
def generators_of_helpers():
    """Those of all modules of `tests` that have no tests themselves."""
    helpers = [
        module
        for name, module in sorted(sys.modules.items())
        if name.startswith("tests.") and not name.rpartition(".")[2].startswith("test_")
    ]
    return [pair for helper in helpers for pair in generators_of(helper)]


# Of modules with tests, once they are imported.
of_modules = cache(generators_of)


def begin_again(module):
    """Let the generators begin again that the tests of a module may draw from."""
    np.random.seed(0)  # noqa: NPY002 - SciPy draws from it
    random.seed(0)
    for bits, state in (*generators_of_helpers(), *of_modules(module)):
        bits.state = state


def note_generators(items):
    """Note where the generators are, before any of the tests draws from them."""
    for item in items:
        if hasattr(item, "module"):
            of_modules(item.module)


@pytest.hookimpl(tryfirst=True)  # before fixtures, which may draw
def pytest_runtest_setup(item):
    """Give each test the numbers that it has in every run."""
    if hasattr(item, "module"):
        begin_again(item.module)
