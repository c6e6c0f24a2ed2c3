"""Orders of axes, and the orders that undo them."""

import functools


@functools.lru_cache(maxsize=256)  # a program permutes axes in few orders, and many times
def inverse_permutation(order: tuple[int, ...]) -> tuple[int, ...]:
    """The order that undoes an order of axes; negative ones count from the end."""
    ndim = len(order)
    return tuple(sorted(range(ndim), key=lambda place: order[place] % ndim))
