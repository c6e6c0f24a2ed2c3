"""Generators of random numbers, and noise without parameters: there is nothing to differentiate by."""

import numpy as np

from chainrules_core import non_differentiable

_OF_BOTH = ("bytes", "standard_cauchy", "standard_exponential", "standard_normal")
_OF_GENERATOR = ("integers", "random", "spawn")
_OF_RANDOM_STATE = (
    "get_state",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "seed",
    "set_state",
    "tomaxint",
)

for _owner, _names in ((np.random.Generator, _OF_GENERATOR), (np.random.RandomState, _OF_RANDOM_STATE)):
    for _name in (*_OF_BOTH, *_names):
        non_differentiable(getattr(_owner, _name), _owner, varargs=object)
for _class in (
    np.random.Generator,
    np.random.MT19937,
    np.random.PCG64,
    np.random.PCG64DXSM,
    np.random.Philox,
    np.random.RandomState,
    np.random.SFC64,
    np.random.SeedSequence,
):
    non_differentiable(_class, varargs=object)
non_differentiable(np.random.default_rng, np.random.ranf, np.random.sample, np.random.seed)
