"""The differentiated function itself is called as intercepted code calls it."""

from chainrules.ad.interception import (
    callbacks,
    iterables,
    new_arrays,
    properties,
    questions,
    readers,
    special_methods,
)
from chainrules.ad.interception.hook import choose

# Imported so that what they replace is known.
REPLACING = (callbacks, iterables, new_arrays, properties, questions, readers, special_methods)


# What to call for a function that is differentiated: its rule, its twin, or the function itself.
intercepted = choose
