"""Python's iterators: they call back, and go through what they are given."""

import itertools

from chainrules.ad.values.facts import fact

_FIRST, _SECOND = slice(0, 1), slice(1, 2)

fact(itertools.cycle, itertools.repeat, itertools.tee, itertools.count, as_it_is=True)
fact(itertools.pairwise, itertools.compress, itertools.product, itertools.permutations, as_it_is=True)
fact(itertools.combinations, itertools.combinations_with_replacement, as_it_is=True)
fact(itertools.chain.from_iterable, as_it_is=True)
fact(itertools.islice, as_it_is=True, goes_through=_FIRST)
fact(itertools.chain, itertools.zip_longest, as_it_is=True, goes_through=slice(None))
fact(itertools.starmap, calls_back=(0, ""), goes_through=_SECOND, returns=("results of calls",))
fact(itertools.accumulate, calls_back=(1, "func"), goes_through=_FIRST, returns=("results of calls",))
fact(itertools.takewhile, itertools.dropwhile, itertools.filterfalse, calls_back=(0, ""))
fact(itertools.groupby, calls_back=(1, "key"))
