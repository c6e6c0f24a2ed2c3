"""Functions that call others, of which they are given or hold some."""

import functools

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact

fact(functools.reduce, calls_back=(0, ""), goes_through=slice(1, 2), returns=("results of calls",))
fact(
    functools.partial,
    stands_for_it=functools.partial,  # it hands on what it is given
    of_instances=lambda f: functools.partial(choose(f.func, False), *f.args, **f.keywords),
)
fact(functools._lru_cache_wrapper, of_instances=lambda f: entered_if_traced(f, choose(f.__wrapped__, False)))
