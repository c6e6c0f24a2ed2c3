"""The function that chooses between two functions, where SciPy does not bring it along."""

from chainrules.ad.interception.known.scipy.conditional_calls import applying_where
from chainrules.ad.values.facts import fact

fact("array_api_extra._lib._funcs.apply_where", wrapped=applying_where)
