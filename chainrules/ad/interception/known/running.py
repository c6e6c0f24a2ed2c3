"""The differentiated function itself is called as intercepted code calls it."""

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.known import (
    broadcasts,
    callbacks,
    conditional_calls,
    covariances,
    distribution_keywords,
    frozen_distributions,
    handing_on,
    iterables,
    iterative_solvers,
    masked_arrays,
    nditers,
    numbers_from_text,
    polynomials,
    readers,
    shuffling,
    sparse_matrices,
    stable_distributions,
)
from chainrules.ad.interception.meanings import assignments as storing
from chainrules.ad.interception.meanings import new_arrays, properties, questions, special_methods

# Imported so that what they replace is known.
REPLACING = (
    broadcasts,
    callbacks,
    conditional_calls,
    covariances,
    distribution_keywords,
    frozen_distributions,
    handing_on,
    iterables,
    iterative_solvers,
    masked_arrays,
    nditers,
    new_arrays,
    numbers_from_text,
    polynomials,
    properties,
    questions,
    readers,
    shuffling,
    sparse_matrices,
    special_methods,
    stable_distributions,
    storing,
)


# What to call for a function that is differentiated: its rule, its twin, or the function itself.
intercepted = choose
