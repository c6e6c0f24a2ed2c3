"""Random numbers of tests, whichever tests ran before."""

import random
from types import ModuleType

import numpy as np
import pytest

from tests.same_numbers import begin_again, generators_of

RNG = np.random.default_rng(0)
AT_IMPORT = RNG.normal()


@pytest.mark.every_case
@pytest.mark.parametrize("time", ["first", "second"])
def test_generators_of_the_module(time):
    """Each test goes on from where the module was when it was imported."""
    after = np.random.default_rng(0)

    assert after.normal() == AT_IMPORT
    assert RNG.normal() == after.normal()


@pytest.mark.every_case
@pytest.mark.parametrize("time", ["first", "second"])
def test_generators_of_everybody(time):
    """Those of NumPy and of Python begin with zero."""
    assert random.random() == random.Random(0).random()  # noqa: S311 - nothing is secret
    assert np.random.uniform() == np.random.RandomState(0).uniform()  # noqa: NPY002 - that is the one


@pytest.mark.every_case
@pytest.mark.parametrize("time", ["first", "second"])
def test_generators_without_a_seed(time):
    """SciPy makes some: they have a seed from the generator of Python."""
    seed = random.Random(0).getrandbits(128)  # noqa: S311 - as above

    assert np.random.default_rng().normal() == np.random.default_rng(seed).normal()


@pytest.mark.parametrize("name", ["tests.test_made_up", "tests.made_up"])
def test_generators_of_helpers(name):
    """They begin with their first number, for the imports of several modules may draw from them."""
    module = ModuleType(name)
    module.drawn = np.random.default_rng(3)
    drawn = module.drawn.normal()
    ((bits, state),) = generators_of(module)
    bits.state = state

    assert (module.drawn.normal() == drawn) is (name == "tests.made_up")


def test_a_module_draws_again():
    """What was drawn is drawn once more."""
    module = ModuleType("tests.test_made_up")
    module.rng = np.random.default_rng(3)
    begin_again(module)
    drawn = module.rng.normal(size=3)
    begin_again(module)

    np.testing.assert_array_equal(module.rng.normal(size=3), drawn)
